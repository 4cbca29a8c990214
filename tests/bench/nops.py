# SPDX-License-Identifier: BSD-2-Clause
"""What the second nop of a site costs while bpftrace counts the hits: the
ratio of a hit at two nops to a hit at one.

One bpftrace is attached to a program of each kind. They take turns in short
bursts, and each pair of bursts gives a ratio. Then both start anew, because
the place of a program in memory matters too. A row for two copies of the
program with one nop shows what differs without any difference. Run by hand, as
root:

    python3 tests/bench/nops.py [--processes N] [--pairs N]

Needs bpftrace, and x86-64: other machines have one nop.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import bench
import on

HITS = 2000             # of a burst: a millisecond
ROWS = {
    "two nops / one nop": ("sdtkit", "sdtkit, one nop"),
    "one nop / one nop": ("sdtkit, one nop", "sdtkit, one nop"),
}


class Tracer:
    """bpftrace, counting the hits of both programs."""

    def __init__(self, programs):
        self.process = subprocess.Popen(
            ["timeout", on.LIMIT, "bpftrace", "-B", "none", "-e",
             'BEGIN { printf("attached\\n"); } ' + " ".join(
                 "usdt:%s:on:hit { @[%d] = count(); }" % (program, i)
                 for i, program in enumerate(programs))],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            universal_newlines=True)
        for line in self.process.stdout:
            if line == "attached\n":
                break

    def end(self, hits):
        """It must have seen so many hits of each."""
        self.process.terminate()
        counted = self.process.communicate()[0]
        for i in range(2):
            if "@[%d]: %d\n" % (i, hits) not in counted:
                raise SystemExit("bpftrace did not count %d hits: %s" % (
                    hits, counted))


def ratios(programs, pairs):
    """A ratio per pair of bursts of one pair of processes."""
    found = []
    with on.Target(programs[0], HITS) as first, \
            on.Target(programs[1], HITS) as second:
        tracer = Tracer(programs)
        for i in range(pairs):
            times = {}
            for target in (first, second) if i % 2 else (second, first):
                times[target] = target.burst()
            found.append(times[first] / times[second])
        tracer.end(pairs * (HITS + HITS // 10))
    return found


def main():
    args = bench.options(__doc__, processes=10, pairs=200)
    if os.uname().machine != "x86_64" or not on.able("bpftrace"):
        sys.exit("nops.py needs x86-64, bpftrace and root")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = {
            row: [on.build(folder / str(2 * i + j), *on.VARIANTS[variant])
                  for j, variant in enumerate(variants)]
            for i, (row, variants) in enumerate(ROWS.items())}
        found = {row: [] for row in ROWS}
        for _ in range(args.processes):
            for row, pair in programs.items():
                found[row].append(ratios(pair, args.pairs))
    bench.head("a hit under bpftrace", "median", "quartiles",
               "medians of %d pairs of processes" % args.processes)
    for row, processes in found.items():
        low, middle, high = statistics.quantiles(sum(processes, []), n=4)
        medians = [statistics.median(process) for process in processes]
        print("| %s | %.3f | %.3f to %.3f | %.3f to %.3f |" % (
            row, middle, low, high, min(medians), max(medians)))


if __name__ == "__main__":
    main()
