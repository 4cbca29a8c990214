# SPDX-License-Identifier: BSD-2-Clause
"""Which tracer reads which build, and what came of it.

A cell is a header, a build and a tracer: the program is built, the tracer is
attached to all its probes at once, and every argument is compared with
expect.py. gdb and sdtkit trace read every build, but for static ones, which
the latter cannot trace. The tracers whose probes are the kernel's read two
builds, one of C and one of C++, chosen so that each meets as many flags as can
be, and that the tracers together meet each compiler.
SDTKIT_MATRIX=ones, the default, does that with builds that have each flag
somewhere; with pairs, as ./dev test --all, any two flags meet somewhere; with
triples, and with all, every tracer reads every build. <sys/sdt.h> is measured
for comparison, without any flags.
"""

import collections
import concurrent.futures
import functools
import os
import pathlib
import re
import tempfile
import threading

import builds
import expect
from programs import ALL
from tracers import (bcc, bpftrace, dtrace, gdb, perf, sdtkit_trace,
                     systemtap_vm)

# Those with columns in docs/consumers.md, and those that read sdtkit's
# arguments only; the last two if ./dev test --all-tracers wants them.
TRACERS = (bpftrace, bcc, perf, gdb)
OURS_ONLY = (sdtkit_trace,) + (
    (dtrace, systemtap_vm)
    if os.environ.get("SDTKIT_ALL_TRACERS") == "1" else ())

Result = collections.namedtuple("Result", "read listed operands left_out hits")
STRENGTHS = {"ones": 1, "pairs": 2, "triples": 3}
SMALL = ("ones", "pairs")


class Cell(collections.namedtuple("Cell", "header build tracer")):
    """``build`` is a tuple of levels, one per factor."""

    def __str__(self):
        return "%s, %s, %s" % (self.header, " ".join(filter(None, self.build)),
                               self.tracer.NAME)

    @property
    def compiler(self):
        return self.build[0]


@functools.lru_cache(maxsize=None)
def cells():
    """The cells of this run. To write the table again, <sys/sdt.h> is measured
    with every compiler."""
    return plan(os.environ.get("SDTKIT_MATRIX", SMALL[ALL]),
                os.environ.get("SDTKIT_REGENERATE") == "1")


def plan(size, regenerate):
    ours = [tuple(build.values()) for build in (
        builds.everything() if size == "all"
        else builds.covering(STRENGTHS[size]))]
    theirs = [tuple(dict(builds.PLAIN, compiler=name).values())
              for name in builds.FACTORS["compiler"]]
    if size in SMALL and not regenerate:
        theirs = theirs[:1]
    chosen = []
    for number, tracer in enumerate(TRACERS + OURS_ONLY):
        few = tracer.IN_KERNEL and size in SMALL
        chosen += [Cell("sdtkit", build, tracer)
                  for build in (_varied(ours)[number % 2::2] if few else ours)
                  if getattr(tracer, "STATIC", True)
                  or "static PIE" not in build]
        chosen += [Cell("sys/sdt.h", build, tracer) for build in theirs
                   if tracer in TRACERS]
    return chosen


def _varied(every):
    """One build of each compiler, which have many levels between them: of C, C,
    C++ and C++."""
    met, chosen = set(), []
    for compiler in sorted(builds.FACTORS["compiler"]):
        best = max((build for build in every if build[0] == compiler),
                   key=lambda build: len(set(enumerate(build)) - met))
        met |= set(enumerate(best))
        chosen.append(best)
    return chosen


class Matrix:
    """Does cells in the background, a few at a time: the tracers mostly wait
    for the kernel. What several cells need is built once."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sdtkit-forms-")
        self.pool = concurrent.futures.ThreadPoolExecutor(3)
        self.futures = {}
        self.programs = collections.defaultdict(dict)
        self.lock = threading.Lock()
        self.results = {}

    def start(self, wanted):
        for cell in wanted:
            if cell not in self.futures:
                self.futures[cell] = self.pool.submit(self._measure, cell)

    def result(self, cell):
        self.start([cell])
        self.results[cell] = self.futures[cell].result()
        return self.results[cell]

    def close(self):
        for future in self.futures.values():
            future.cancel()
        self.pool.shutdown()
        self.folder.cleanup()

    def _measure(self, cell):
        """One tracer at a time on a program: bcc 0.26 gives the kernel a
        random offset of the semaphore, and the kernel wants all alike."""
        with self.lock:
            made = self.programs[cell.header, cell.build]
            lock = made.setdefault("lock", threading.Lock())
        with lock:
            if "program" not in made:
                made["program"] = self._make(cell)
            return compare(cell, made["program"])

    def _make(self, cell):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
        return builds.make(folder, dict(zip(builds.FACTORS, cell.build)),
                           cell.header)


def compare(cell, program):
    """What the tracer reads of the program."""
    wanted = expect.wanted(cell.compiler)
    there = {probe: kinds for probe, kinds in wanted.items()
             if probe not in program.left_out}
    listed = names(cell.tracer.listed(program.probes))
    hits = read(cell.tracer, program, there)
    told = program.told()
    right = {probe: expect.right(probe, hits.get(probe, []), told,
                                 cell.tracer.most()) for probe in wanted}
    program.report.unlink()
    return Result(right, listed, program.operands(), program.left_out, hits)


def read(tracer, program, wanted):
    """Reads probes of provider form; returns them without the provider."""
    hits = tracer.read(program, {"form:" + probe: expressions
                                 for probe, expressions in wanted.items()})
    return {probe.split(":")[1]: rows for probe, rows in hits.items()}


def names(listed):
    """The probes of provider form."""
    return {probe.split(":")[1] for probe in listed
            if probe.startswith("form:")}


def odd_operands(sites):
    """Those that are neither whole registers nor, for probes of a single site,
    words on the stack: some tracer or other fails there."""
    whole = re.compile(r"-?8@(%r([abcd]x|[sd]i|[sb]p|8|9|1[0-5])|\d+\(%rsp\))$")
    return [operand for _, operands in sites for operand in operands
            if not whole.match(operand)]
