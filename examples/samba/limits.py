# SPDX-License-Identifier: BSD-2-Clause
"""A share with limits (Samba 4.24 and later, the module aio_ratelimit): what
its reads and writes wait for, by the probes and by smbd's own log.

    if limits.module(tree):
        limits.show(tree, build)

smbclient copies one file there and back, of which the first part is free, and
the rest has to wait. smbd logs for each read and write how long it is to wait;
limit_start has to tell the same of the same ones, and nothing else.
"""

import collections
import os
import pathlib
import re
import subprocess
import tempfile

import server
import source
import spans
import tracer

MODULE = "bin/modules/vfs/aio_ratelimit.so"
FILE = "big"
PART = 65536	# of a read or write
PARTS = 16	# 8 are free: what may be moved in a second
GLOBAL = """	log level = 0 vfs:10
	smb2 max read = %d
	smb2 max write = %d
""" % (PART, PART)
SHARE = """[limited]
	path = {top}/share
	read only = no
	guest ok = yes
	force user = root
	vfs objects = aio_ratelimit
	aio_ratelimit: read_bw_limit = 512K
	aio_ratelimit: write_bw_limit = 512K
	aio_ratelimit: read_burst_mult = 10
	aio_ratelimit: write_burst_mult = 10
"""
SCRIPT = """BEGIN { printf("Tracing\\n") }
vfs:limit_start {
	printf("start %d %llx %llu %s %llu %u %s\\n", pid, (uint64)args.key, nsecs,
	       args.name, args.bytes, args.delay_usec, args.file)
}
vfs:limit_done {
	printf("done %d %llx %llu %s\\n", pid, (uint64)args.key, nsecs, args.name)
}
"""
# A timer is set for so many microseconds from a clock that was read before,
# and not the clock of the tracer.
EARLY = 2000

Wait = collections.namedtuple("Wait", "name bytes delay file taken")


def module(tree):
    """The file of the module, or None."""
    path = tree / MODULE
    return path.resolve() if path.exists() else None


def logged(log):
    """{name: [microseconds to wait]}, as smbd says."""
    found = {"pread": [], "pwrite": []}
    for what, delay in re.findall(
            r"snum:\d+ (read|write)\] delay_usec=(\d+)", log):
        found["p" + what].append(int(delay))
    return found


def waits(text):
    """The waits that were traced; raises Failed if one has no end."""
    begun, found = {}, []
    for line in text.splitlines():
        words = line.split(None, 7)
        if words[:1] == ["start"]:
            begun[tuple(words[1:3])] = words
        elif words[:1] == ["done"]:
            first = begun.pop(tuple(words[1:3]), None)
            if not first or first[4] != words[4]:
                raise source.Failed("limit_done without a start: " + line)
            found.append(Wait(words[4], int(first[5]), int(first[6]), first[7],
                              (int(words[3]) - int(first[3])) // 1000))
    if begun:
        raise source.Failed("limit_start without a done: %s" % begun)
    return found


def compare(said, traced):
    """Raises Failed unless the probes tell what the log does."""
    for name, delays in sorted(said.items()):
        ours = [wait for wait in traced if wait.name == name]
        wanted = [delay for delay in delays if delay]
        print("%-8s%3d parts, %2d waited: asked for %8d us, took %8d us" % (
            name, len(delays), len(ours), sum(wanted),
            sum(wait.taken for wait in ours)))
        if len(delays) != PARTS or not wanted:
            raise source.Failed("smbd's log has %d parts, of which %d wait; "
                                "it has to be %d, and some" % (
                                    len(delays), len(wanted), PARTS))
        if sorted(wait.delay for wait in ours) != sorted(wanted):
            raise source.Failed("%s: limit_start has other delays than smbd's "
                                "log: %s, %s" % (name, ours, wanted))
        for wait in ours:
            if (wait.bytes, wait.file) != (PART, FILE) or \
                    wait.taken < wait.delay - EARLY:
                raise source.Failed("%s" % (wait,))


def compare_top(traced, rows):
    """Raises Failed unless sdtkit top has the same waits, of that length."""
    for name in sorted(rows):
        ours = [wait for wait in traced if wait.name == name]
        if rows[name]["count"] != len(ours) or \
                rows[name]["sums"]["bytes"] != sum(w.bytes for w in ours) or \
                rows[name]["sum_us"] < sum(w.delay - EARLY for w in ours):
            raise source.Failed("sdtkit top: %s: %s" % (name, rows[name]))
    if set(rows) != {wait.name for wait in traced}:
        raise source.Failed("sdtkit top: %s" % rows)


def copy(port, top):
    """Copies the file there and back."""
    there, back = server.make_files(top, 0)
    (there / FILE).write_bytes(os.urandom(PART * PARTS))
    done = subprocess.run(
        ["timeout", "120", "smbclient", "//127.0.0.1/limited", "-p", str(port),
         "-N", "-mSMB3", "-t", "60", "-c", "lcd %s; put %s; lcd %s; get %s" % (
             there, FILE, back, FILE)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)
    if done.returncode:
        raise source.Failed("smbclient: %s" % done.stdout[-1000:])
    server.compare(there, back)


def trace(smbd, top, build, file):
    """{tracer: output}. The child of smbd maps the module as it needs it: the
    tracers are told of the file."""
    tool = build / "lib/tool/sdtkit"
    before = smbd.children()
    script = top / "limits.bt"
    script.write_text(SCRIPT)
    # a name without the + of Debian's trees, which bpftrace does not take
    link = top / "module.so"
    link.symlink_to(file)
    with tracer.running((
            ("bt", [tool, "bt", script, link], "Tracing"),
            ("top", [tool, "top", "--json", file, "vfs:limit"],
             "Collecting")), top) as texts:
        copy(smbd.port, top)
        smbd.wait_for_goodbye(before)
    return texts


def show(tree, build):
    """Raises Failed if the probes tell other waits than smbd's log."""
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        smbd = server.Smbd(tree, top, more=GLOBAL + SHARE.format(top=top))
        try:
            texts = trace(smbd, top, build, module(tree))
        finally:
            smbd.stop()
        said = logged(smbd.log.read_text(errors="replace"))
    traced = waits(texts["bt"])
    compare(said, traced)
    compare_top(traced, spans.by_top(texts["top"]))
