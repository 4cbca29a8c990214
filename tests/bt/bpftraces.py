# SPDX-License-Identifier: BSD-2-Clause
"""The versions of bpftrace that the tests run: the one that is installed, and
one with libbpf's way of reading arguments, which comes from Debian unstable.
The latter is fetched by ./dev test --all-tracers only; tests/tracers/vm/
debian.py says where it is kept."""

import functools
import os
import re
import subprocess

import tracers
from tracers import bpftrace
from tracers.vm import HERE, debian

LIMIT = 300
VERSIONS = ("installed", "unstable")


@functools.lru_cache(maxsize=None)
def variables(version):
    """What has to be in the environment for "sdtkit bt" to run it."""
    if version == "installed":
        return {}
    return {"BPFTRACE": str(HERE / "bpftrace"),
            "SDTKIT_BPFTRACE": str(debian.bpftrace())}


@functools.lru_cache(maxsize=None)
def lacks(version):
    """Why it cannot run here; None if it can."""
    if version == "installed":
        return bpftrace.lacks()
    if not wanted():
        return None
    try:
        variables(version)
    except debian.Lacking as reason:
        return "no newer bpftrace: %s" % reason
    missing = tracers.root_lacks()
    if missing:
        return missing
    status, said = tracers.run([HERE / "bpftrace", "-e", "BEGIN { exit(); }"],
                               env=dict(os.environ, **variables(version)))
    return "it does not run here: " + said.strip() if status else None


def wanted():
    return os.environ.get("SDTKIT_ALL_TRACERS") == "1"


class Ended:
    """What a run has said: without bpftrace's warnings about the machine."""

    def __init__(self, status, out, err):
        self.status = status
        self.out = out
        self.err = "\n".join(
            line for line in err.splitlines() if not re.search(
                "RLIMIT_MEMLOCK|available_filter|Attach(ed|ing) ", line))

    def __repr__(self):
        return "%d\n%s\n%s" % (self.status, self.out, self.err)


def run(command, version, waiting=None, extra=(), cwd=None):
    """Runs "sdtkit bt"; a program that waits goes on when the script's BEGIN
    has printed "attached". extra are arguments for bpftrace. Scripts end by
    themselves: 0.17 loses a SIGINT now and then."""
    tracer = subprocess.Popen(
        ["timeout", str(LIMIT), *map(str, command), "--", "-B", "none",
         *extra],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, universal_newlines=True, cwd=cwd,
        env=dict(os.environ, **variables(version)))
    out = ""
    while waiting:
        line = tracer.stdout.readline()
        out += line
        if line == "attached\n":
            waiting.go()
        if line == "attached\n" or not line:
            break
    rest, err = tracer.communicate()
    return Ended(tracer.returncode, out + rest, err)
