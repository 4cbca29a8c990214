# SPDX-License-Identifier: BSD-2-Clause
"""The tracers whose price is measured, as processes that have attached.

An arm "... empty" is the same tsmbd with programs that do nothing (empty.c): it
is attached to the same probes and tracepoints, so it costs what the kernel
takes for them, and is the floor of what tsmbd can cost. An arm "... sites" has
the part of that floor which is smbd's own: see raised.py. An arm "... hits" is
tsmbd as it is where it cannot read smbd's notes: each request takes a hit.
"""

import functools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import recorded
from raised import RAISED, Raised
from smbd_server import SDTKIT, Failed

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("SDTKIT_BUILD", SDTKIT / "build")).resolve()
TSMBD = BUILD / "lib" / "tsmbd" / "tsmbd"

# name -> command; {pid} is smbd's, {library} has most of its probes
ARMS = {
    "no probes": None,
    "probes": None,
    "tsmbd": [TSMBD, "-p", "{pid}"],
    "tsmbd -s": [TSMBD, "-p", "{pid}", "-s"],
    "tsmbd full": [
        TSMBD, "-p", "{pid}", "-s", "-d", "--slow=1000", "--top=files",
        "--exit", "--oplocks", "--heatmap={top}/heatmap.svg"],
    "tsmbd serve": [
        TSMBD, "serve", "-p", "{pid}", "--run-as=nobody",
        "--listen=unix:{service}/http", "--textfile={service}/metrics",
        "--history={service}/history.db"],
    "tsmbd.bt": ["bpftrace", "-B", "none",
                 SDTKIT / "examples/reports/tsmbd.bt", "{library}",
                 "{library}"],
    "strace -c": ["strace", "-c", "-f", "-qq", "-p", "{pid}"],
}
EMPTY = " empty"
HITS = " hits"
for name in ("tsmbd", "tsmbd full"):
    ARMS[name + EMPTY] = ARMS[name]
    ARMS[name + HITS] = ARMS[name]
ARMS.update((name, ["readelf"]) for name in RAISED)
ARMS.update((name, [recorded.LIBRARY]) for name in recorded.ARMS)
# what a tracer says first, and what it has to say in the end
READY = "Collecting data"
READY_TO_SERVE = "from now on"
SEEN_BY_SERVICE = r'(?m)^smbd_requests_total{{command="write"}} {files}$'
SEEN = r"SMB2_OP_WRITE\D+{files}\b"
SEEN_BY_STRACE = "pwrite64"
SEEN_BY_NONE = r"Number of SMB2 requests +: +0\b"
ATTACHED = 1.0     # seconds in which the tracer opens no other file


def mapped(pid, name):
    """The file of that name which a process has mapped."""
    with open("/proc/%d/maps" % pid) as file:
        for line in file:
            path = line.split()[-1]
            if os.path.basename(path).startswith(name):
                return path
    raise Failed("smbd has not loaded %s" % name)


@functools.lru_cache(maxsize=None)
def empty_programs():
    """(its directory, the library that is preloaded to empty programs)."""
    top = tempfile.TemporaryDirectory()
    library = pathlib.Path(top.name) / "empty.so"
    subprocess.run(["gcc", "-O2", "-D_GNU_SOURCE", "-shared", "-fPIC",
                    str(HERE / "empty.c"), "-o", str(library)], check=True)
    return top, library


def environment(arm):
    if arm.endswith(HITS):
        return dict(os.environ, TSMBD_OLD_KERNEL="notes")
    if not arm.endswith(EMPTY):
        return None
    return dict(os.environ, LD_PRELOAD=str(empty_programs()[1]))


class Tracer:
    """A tracer that has attached, and what it says in the end."""

    def __init__(self, arm, server):
        where = {"pid": server.pid, "top": server.top,
                 "library": mapped(server.pid, "libsmbd-base")}
        self.arm = arm
        self.ready, self.seen = self.prepare(where)
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [str(word).format(**where) for word in ARMS[arm]],
            stdout=self.output, stderr=subprocess.STDOUT,
            env=environment(arm))
        self.wait()

    def prepare(self, where):
        """Returns what it says first, and in the end."""
        if self.arm.startswith("strace"):
            return "", SEEN_BY_STRACE
        return READY, SEEN_BY_NONE if self.arm.endswith(EMPTY) else SEEN

    def wait(self):
        """Until it is ready, and does not open anything more."""
        files = 0
        since = time.monotonic()
        while time.monotonic() < since + ATTACHED:
            if self.process.poll() is not None:
                raise Failed("%s: %s" % (self.arm, self.said()))
            now = len(os.listdir("/proc/%d/fd" % self.process.pid))
            if now != files or self.ready not in self.said():
                files, since = now, time.monotonic()
            time.sleep(0.05)

    def said(self):
        # not by seek(): the tracer writes where this descriptor is
        length = os.fstat(self.output.fileno()).st_size
        return os.pread(self.output.fileno(), length, 0).decode()

    def stop(self, files):
        while self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:	# bpftrace 0.17 misses a signal now and then
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                pass
        text = self.said()
        self.output.close()
        if (not re.search(self.seen.format(files=files), text) or
                "\nLost" in text):
            raise Failed("%s has not seen all: %s" % (self.arm, text))


class Service(Tracer):
    """tsmbd serve, with metrics and a history. What it has seen is in its
    last file of metrics."""

    def prepare(self, where):
        self.top = tempfile.TemporaryDirectory()
        shutil.chown(self.top.name, "nobody")
        where["service"] = self.top.name
        return READY_TO_SERVE, SEEN_BY_SERVICE

    def said(self):
        metrics = pathlib.Path(self.top.name) / "metrics"
        return super().said() + (
            metrics.read_text() if metrics.exists() else "")

    def stop(self, files):
        super().stop(files)
        self.top.cleanup()


def attach(arm, server):
    """Returns what has to be stopped, by stop(files)."""
    if arm in recorded.ARMS:
        return recorded.ARMS[arm](server)
    if arm in RAISED:
        return Raised(arm, server, mapped(server.pid, "libsmbd-base"))
    if arm == "tsmbd serve":
        return Service(arm, server)
    return Tracer(arm, server)
