# SPDX-License-Identifier: BSD-2-Clause
"""The tracers whose price is measured, as processes that have attached."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from smbd_server import SDTKIT, Failed

BUILD = pathlib.Path(os.environ.get("SDTKIT_BUILD", SDTKIT / "build")).resolve()
TSMBD = BUILD / "examples" / "tsmbd" / "tsmbd"

# name -> command; {pid} is smbd's, {library} has most of its probes
ARMS = {
    "no probes": None,
    "probes": None,
    "tsmbd": [TSMBD, "-p", "{pid}"],
    "tsmbd -s": [TSMBD, "-p", "{pid}", "-s"],
    "tsmbd full": [
        TSMBD, "-p", "{pid}", "-s", "-d", "--slow=1000", "--top=files",
        "--exit", "--oplocks", "--heatmap={top}/heatmap.svg"],
    "tsmbd.bt": ["bpftrace", "-B", "none",
                 SDTKIT / "examples/reports/tsmbd.bt", "{library}",
                 "{library}"],
    "strace -c": ["strace", "-c", "-f", "-qq", "-p", "{pid}"],
}
# what a tracer says first, and what it has to say in the end
READY = "Collecting data"
SEEN = r"SMB2_OP_WRITE\D+{files}\b"
SEEN_BY_STRACE = "pwrite64"
ATTACHED = 1.0     # seconds in which the tracer opens no other file


def mapped(pid, name):
    """The file of that name which a process has mapped."""
    with open("/proc/%d/maps" % pid) as file:
        for line in file:
            path = line.split()[-1]
            if os.path.basename(path).startswith(name):
                return path
    raise Failed("smbd has not loaded %s" % name)


class Tracer:
    """A tracer that has attached, and what it says in the end."""

    def __init__(self, arm, server):
        where = {"pid": server.pid, "top": server.top,
                 "library": mapped(server.pid, "libsmbd-base")}
        self.arm = arm
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [str(word).format(**where) for word in ARMS[arm]],
            stdout=self.output, stderr=subprocess.STDOUT)
        self.wait()

    def wait(self):
        """Until it is ready, and does not open anything more."""
        ready = "" if self.arm.startswith("strace") else READY
        files = 0
        since = time.monotonic()
        while time.monotonic() < since + ATTACHED:
            if self.process.poll() is not None:
                raise Failed("%s: %s" % (self.arm, self.said()))
            now = len(os.listdir("/proc/%d/fd" % self.process.pid))
            if now != files or ready not in self.said():
                files, since = now, time.monotonic()
            time.sleep(0.05)

    def said(self):
        self.output.seek(0)
        return self.output.read()

    def stop(self, files):
        while self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:	# bpftrace 0.17 misses a signal now and then
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                pass
        pattern = SEEN.format(files=files)
        if self.arm.startswith("strace"):
            pattern = SEEN_BY_STRACE
        text = self.said()
        self.output.close()
        if not re.search(pattern, text) or "\nLost" in text:
            raise Failed("%s has not seen all: %s" % (self.arm, text))
