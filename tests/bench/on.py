# SPDX-License-Identifier: BSD-2-Clause
"""What a probe costs while it is traced: nanoseconds per hit under bpftrace,
which counts, perf, which records, and gdb, which stops and goes on; for the
sites of sdtkit, with two nops (x86-64) and with one, and for <sys/sdt.h>
guarded by hand. nops.py measures the first two more exactly.

All variants take turns, so that they see the same machine. A round's figure is
that of its fastest twentieth, a few milliseconds, for whatever disturbs it can
only add. The table has the least of the rounds and the median, and the ratio is
that of the medians to <sys/sdt.h>. The kernel's part is nearly all of it. Run
by hand, as root, on a machine that has nothing else to do:

    python3 tests/bench/on.py [--rounds N]

Needs <sys/sdt.h> and systemtap's dtrace (package systemtap-sdt-dev); a tracer
that is not installed is left out.
"""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import bench
from bench import HERE, SOURCE, run

LIMIT = "120"
PARTS = 20
BASE = "sys/sdt.h"

# variant -> (who makes the header, flags of the compiler)
VARIANTS = {
    "sdtkit": ("probegen", []),
    "sdtkit, one nop": ("probegen", ["-DSDTKIT_NOP=nop"]),
    BASE: ("dtrace", ["-DON_SYS_SDT"]),
}


def build(folder, maker, flags):
    """The program of one variant."""
    folder.mkdir()
    objects = []
    if maker == "probegen":
        bench.probegen(HERE / "on.d", folder / "on.h")
    else:
        objects = [folder / "semaphores.o"]
        run("/usr/bin/dtrace", "-h", "-s", HERE / "on.d", "-o",
            folder / "on.h")
        run("/usr/bin/dtrace", "-G", "-s", HERE / "on.d", "-o", *objects)
    program = folder / "on"
    run("gcc", "-O2", *flags, "-I", folder, "-I", SOURCE / "include",
        HERE / "on.c", *objects, "-o", program)
    return program


class Target:
    """The program, waiting."""

    def __init__(self, program, hits, parts=1):
        self.process = subprocess.Popen(
            [str(program), str(hits), str(parts)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, universal_newlines=True)
        self.process.stdout.readline()
        self.pid = str(self.process.pid)

    def time(self):
        """Lets it run; returns nanoseconds per hit."""
        return float(self.process.communicate("\n")[0])

    def burst(self):
        """The same, but it can be done again."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def bpftrace(program, hits, parts=1):
    """@ = count(), which has to be the number of all hits."""
    script = ('BEGIN { printf("attached\\n"); } '
              "usdt:%s:on:hit { @ = count(); }" % program)
    with Target(program, hits, parts) as target:
        tracer = subprocess.Popen(
            ["timeout", LIMIT, "bpftrace", "-B", "none", "-e", script, "-p",
             target.pid], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            universal_newlines=True)
        for line in tracer.stdout:
            if line == "attached\n":
                break
        nanoseconds = target.time()
        counted = tracer.communicate()[0]
    if "@: %d" % (hits + hits // 10) not in counted:
        raise SystemExit("bpftrace did not count all hits: " + counted)
    return nanoseconds


def perf(program, hits, parts):
    """record, into a file in memory where there is such a place."""
    cache = program.parent / "cache"
    command = ["timeout", LIMIT, "perf", "--buildid-dir", cache]
    run(*command, "buildid-cache", "--add", program)
    run(*command, "probe", "-q", "--add=sdt_on:hit")
    try:
        said = run(*command, "record", "-q", "-o", cache / "data", "-e",
                   "sdt_on:hit", program, hits, parts, input="\n")
    finally:
        run(*command, "probe", "-q", "--del=sdt_on:*")
    return float(said.split()[-1])


def gdb(program, hits, parts):
    """A breakpoint whose condition is never true."""
    said = run("timeout", LIMIT, "gdb", "-nx", "-batch", "-ex",
               "break -probe-stap on:hit", "-ex",
               "condition 1 $_probe_arg0 < 0", "-ex",
               "run %d %d </dev/null" % (hits, parts), program,
               stdin=subprocess.DEVNULL)
    return float(re.findall(r"^(\d+\.\d)$", said, re.M)[-1])


# tracer -> (how it is run, whether it needs root, hits)
TRACERS = {
    "bpftrace": (bpftrace, True, 50000),
    "perf": (perf, True, 20000),
    "gdb": (gdb, False, 500),
}


def able(tracer):
    root = TRACERS[tracer][1]
    return shutil.which(tracer) and (os.geteuid() == 0 or not root)


def main():
    rounds = bench.options(__doc__, rounds=25).rounds
    print("ns per hit: the least of %d rounds (their median), its ratio to "
          "%s\n" % (rounds, BASE))
    bench.head("traced by", *VARIANTS)
    with tempfile.TemporaryDirectory() as name:
        programs = {
            variant: build(pathlib.Path(name) / str(number), *how)
            for number, (variant, how) in enumerate(VARIANTS.items())}
        for tracer in filter(able, TRACERS):
            print("| %s | %s |" % (tracer, " | ".join(
                measured(tracer, programs, rounds))))
            sys.stdout.flush()


def measured(tracer, programs, rounds):
    """A cell per variant."""
    function, _, hits = TRACERS[tracer]
    times = {variant: [] for variant in programs}
    turns = list(programs.items())
    for _ in range(rounds):
        for variant, program in turns:
            times[variant].append(function(program, hits, PARTS))
        turns.append(turns.pop(0))
    for row in times.values():
        yield "%s %.2f" % (bench.least(row), statistics.median(row) /
                           statistics.median(times[BASE]))


if __name__ == "__main__":
    main()
