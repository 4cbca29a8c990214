# SPDX-License-Identifier: BSD-2-Clause
"""perf: the file goes into a build-id cache, each probe becomes an event of
the kernel, `perf record` runs the program, `perf script` prints

    main 4711 [001] 90.1: sdt_form:effects: (55e4c9009b1b) arg1=7 arg2=8

with arguments counted from 1. It follows no addresses, so strings are read as
numbers. Events are named for provider and probe only and belong to the whole
machine: one test at a time may have some, and they are removed at the end,
whatever happens. The cache is a directory of its own.
"""

import contextlib
import fcntl
import functools
import os
import re

from . import PROVIDER, must_have_run, root_lacks, run

NAME = "perf"
IN_KERNEL = True
_EVENTS = "/sys/kernel/tracing/uprobe_events"
_LINE = re.compile(r" sdt_%s:(\w+): \(\w+\)(.*)" % PROVIDER)


@functools.lru_cache(maxsize=None)
def lacks():
    missing = root_lacks("perf")
    if missing:
        return missing
    if not os.access(_EVENTS, os.W_OK):
        return "perf needs a writable " + _EVENTS
    status, said = run(["perf", "--version"])
    return "perf does not run here: " + said.strip() if status else None


def version():
    return run(["perf", "--version"])[1].split()[-1]


def most():
    return 12


def listed(path):
    cache = path.with_name("perf-cache")
    _perf(cache, "buildid-cache", "--add", path)
    _, said = _perf(cache, "list", "sdt")
    return set(re.findall(r"sdt_%s:(\w+)" % PROVIDER, said))


def read(program, wanted):
    cache = program.report.with_name("perf-cache")
    data = program.report.with_name("perf.data")
    _perf(cache, "buildid-cache", "--add", program.probes)
    with _events(cache):
        _add(cache, list(wanted))
        _, said = _perf(cache, "record", "-q", "-o", data, "-e",
                        "sdt_%s:*" % PROVIDER, *program.command)
    must_have_run(program, said)
    _, said = _perf(cache, "script", "-i", data)
    hits = {}
    for probe, rest in _LINE.findall(said):
        hit = [None] * len(wanted[probe])
        for index, value in re.findall(r"arg(\d+)=(\S+)", rest):
            hit[int(index) - 1] = int(value, 0)
        hits.setdefault(probe, []).append(hit)
    return hits


def _perf(cache, *words):
    return run(["perf", "--buildid-dir", cache, *words])


def _add(cache, probes):
    """One that perf cannot add costs those with it: then one by one."""
    status, _ = _perf(cache, "probe", "-q", *[
        "--add=sdt_%s:%s" % (PROVIDER, probe) for probe in probes])
    if status and len(probes) > 1:
        _remove(cache)
        for probe in probes:
            _add(cache, [probe])


@contextlib.contextmanager
def _events(cache):
    """The kernel's list of events, for one test at a time."""
    with open(_EVENTS) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        try:
            _remove(cache)      # what a test that was killed left
            yield
        finally:
            _remove(cache)


def _remove(cache):
    _perf(cache, "probe", "-q", "--del=sdt_%s:*" % PROVIDER)
