# SPDX-License-Identifier: BSD-2-Clause
"""An smbd to measure, and the uploads that smbclient does to it."""

import os
import pathlib
import re
import subprocess
import sys
import time

SDTKIT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SDTKIT / "examples" / "samba"))

from server import Smbd  # noqa: E402
from source import Failed  # noqa: E402

LIMIT = 300     # seconds that an upload may take

# Run by smbclient before and after the upload: the clock, and what the
# children of smbd have computed, both in nanoseconds.
SNAPSHOT = """#!/bin/sh
date +%s%N
for child in $(cat /proc/{pid}/task/{pid}/children); do
	cat /proc/$child/task/*/schedstat
done | awk '{{ sum += $1 }} END {{ printf "%.0f\\n", sum }}'
"""


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return set(file.read().split())


# Gives way to whatever else wants to run.
LOOP = """
import os
os.sched_setaffinity(0, {%d})
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
while True:
	pass
"""


class Awake:
    """A loop on each processor, until the end of a with statement."""

    def __enter__(self):
        self.loops = [subprocess.Popen([sys.executable, "-c", LOOP % cpu])
                      for cpu in os.sched_getaffinity(0)]

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()


def apart():
    """(processors of smbd, those of smbclient). If the kernel chose, the two
    would share one in some uploads and not in others, and the differences
    between uploads would vary by a third more."""
    every = sorted(os.sched_getaffinity(0))
    return {every[-1]}, set(every[:-1] or every)


class Server:
    """One smbd, for all the rounds of its arms."""

    def __init__(self, tree, top, files, present=0, environment=None):
        top.mkdir()
        self.environment = environment
        self.smbd = Smbd(tree, top, environment)
        self.top = top
        self.source = files
        self.snapshot = top / "snapshot"
        self.has_begun()
        fill(top / "share", present, 0, present, "present%d")

    def has_begun(self):
        self.pid = self.smbd.process.pid
        os.sched_setaffinity(self.pid, apart()[0])
        self.snapshot.write_text(SNAPSHOT.format(pid=self.pid))
        self.snapshot.chmod(0o755)

    def restart(self, more):
        """Starts smbd anew, with these variables in its environment."""
        self.smbd.stop()
        self.smbd.start(dict(self.environment or os.environ, **more))
        self.has_begun()

    def upload(self):
        """Seconds that it took, seconds that smbd computed for it."""
        idle = children(self.pid)
        said = subprocess.run(
            ["smbclient", "//127.0.0.1/share", "-p", str(self.smbd.port),
             "-N", "-mSMB3", "-t", "120"],
            input="prompt\nrecurse\n!{0}\nmput d\n!{0}\n".format(
                self.snapshot),
            cwd=str(self.source), timeout=LIMIT,
            preexec_fn=lambda: os.sched_setaffinity(0, apart()[1]),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True).stdout
        numbers = re.findall(r"^\d+$", said, re.MULTILINE)
        if len(numbers) != 4:
            raise Failed("smbclient: " + said[-1000:])
        clock, computed, clock_then, computed_then = map(int, numbers)
        wait_until(lambda: children(self.pid) <= idle, "smbd's child stays")
        for path in self.source.glob("d/*/*"):
            stored = self.top / "share" / path.relative_to(self.source)
            if stored.stat().st_size != path.stat().st_size:
                raise Failed("%s has not arrived whole" % stored)
            stored.unlink()
        return ((clock_then - clock) / 1e9, (computed_then - computed) / 1e9)


def wait_until(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise Failed(what)
        time.sleep(0.02)


def fill(top, files, size, per_directory, name="f%d"):
    """Files of random bytes, in directories of at most that many."""
    for number in range(files):
        directory = top / "d" / str(number // per_directory)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / (name % number)).write_bytes(os.urandom(size))
    return top
