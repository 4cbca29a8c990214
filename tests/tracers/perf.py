# SPDX-License-Identifier: BSD-2-Clause
"""perf: the file goes into a build-id cache, each probe becomes an event of
the kernel, `perf record` runs the program, `perf script` prints

    main 4711 [001] 90.1: sdt_store2:idle: (55e4c9009b1b) arg1=7 arg2=8

with arguments counted from 1. It follows no addresses, so of strings and
records it has the address only. Events are named for provider and probe only
and belong to the whole machine: one test at a time may have some, and they are
removed at the end, whatever happens. The cache is a directory of its own.
"""

import contextlib
import fcntl
import functools
import os
import re

from . import must_have_run, root_lacks, run
from programs import once

NAME = "perf"
IN_KERNEL = True
READS = ("hits", "numbers")
EVENTS = "/sys/kernel/tracing/uprobe_events"
_LINE = re.compile(r" sdt_(\w+:\w+): \(\w+\)(.*)")


@once
def lacks():
    missing = root_lacks("perf")
    if missing:
        return missing
    if not os.access(EVENTS, os.W_OK):
        return "perf needs a writable " + EVENTS
    status, said = run(["perf", "--version"])
    return "perf does not run here: " + said.strip() if status else None


@functools.lru_cache(maxsize=None)
def version():
    return run(["perf", "--version"])[1].split()[-1]


def most():
    return 12


def listed(path):
    cache = path.with_name("perf-cache")
    _perf(cache, "buildid-cache", "--add", path)
    _, said = _perf(cache, "list", "sdt")
    return set(re.findall(r"sdt_(\w+:\w+)", said))


def read(program, wanted):
    cache = program.report.with_name("perf-cache")
    data = program.report.with_name("perf.data")
    _perf(cache, "buildid-cache", "--add", program.probes)
    providers = sorted({probe.split(":")[0] for probe in wanted})
    with events(cache, providers):
        _add(cache, list(wanted), providers)
        _, said = _perf(cache, "record", "-q", "-o", data, *(
            word for one in providers for word in ("-e", "sdt_%s:*" % one)),
                        *program.command)
    must_have_run(program, said)
    _, said = _perf(cache, "script", "-i", data)
    hits = {}
    for event, rest in _LINE.findall(said):
        probe = _named(event, wanted)
        numbers = {int(index): int(value, 0) for index, value in
                   re.findall(r"arg(\d+)=(\S+)", rest)}
        hits.setdefault(probe, []).append([
            None if one.member else numbers.get(one.index + 1)
            for one in wanted[probe]])
    return hits


def _named(event, wanted):
    """The probe of an event: perf numbers what has the name of another one,
    though that is some other provider's."""
    return event if event in wanted else re.sub(r"_\d+$", "", event)


def _perf(cache, *words):
    return run(["perf", "--buildid-dir", cache, *words])


def _add(cache, probes, providers):
    """One that perf cannot add costs those with it: then one by one."""
    status, _ = _perf(cache, "probe", "-q", "--force", *[
        "--add=sdt_" + probe for probe in probes])
    if status and len(probes) > 1:
        _remove(cache, providers)
        for probe in probes:
            _add(cache, [probe], providers)


@contextlib.contextmanager
def events(cache, providers):
    """The kernel's list of events, for one test at a time."""
    with open(EVENTS) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        try:
            _remove(cache, providers)   # what a test that was killed left
            yield
        finally:
            _remove(cache, providers)


def left(folder):
    """The kernel's events for files in a folder."""
    with open(EVENTS) as file:
        return [line for line in file if " %s/" % folder in line]


def _remove(cache, providers):
    _perf(cache, "probe", "-q", *[
        "--del=sdt_%s:*" % provider for provider in providers])
