# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs at a nop that the kernel replaces by a call, compared with a
nop of one byte, where it puts a trap, while a BPF program that does nothing is
attached: nanoseconds of the processor's time, and ratios.

Linux 7.2 replaces the second nop of a site, of ten bytes, which is measured
there. Linux 6.18 has the same system call behind a nop of five bytes, which
sdtkit does not use, since the call overwrites the red zone. There it is measured
with the two instructions around it that protect the red zone on 7.2.

The nops take turns in one process. A second nop of one byte shows what differs
without any difference. Run by hand, as root, on a machine that has nothing else
to do and on a real processor, since emulation knows no cost of a trap:

    python3 tests/bench/called.py [--processes N] [--rounds N]

Needs x86-64, Linux 6.18 or later, clang and libbpf (package libbpf-dev).
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import bench
from bench import HERE

HITS = 5000             # three milliseconds
WHERE = {"ten": "the nop of ten bytes",
         "five": "the nop of five bytes, its red zone kept"}


def build(folder):
    """The program and its BPF object."""
    bench.run("clang", "-target", "bpf", "-g", "-O2", "-idirafter",
              "/usr/include/x86_64-linux-gnu", "-c", HERE / "called.bpf.c",
              "-o", folder / "called.bpf.o")
    bench.run("gcc", "-O2", "-D_GNU_SOURCE", HERE / "called.c", "-lbpf", "-o",
              folder / "called")
    return [folder / "called", folder / "called.bpf.o"]


def measure(command, rounds):
    """Which nop became a call, and the rounds: nanoseconds of a hit at a nop,
    at another one, and at the call."""
    try:
        kind, *lines = bench.run(*command, HITS, rounds).splitlines()
    except subprocess.CalledProcessError as error:
        if error.returncode != 2:
            raise
        sys.exit("called.py: this kernel replaces no nop by a call")
    return kind, [[float(word) for word in line.split()] for line in lines]


def show(what, numbers, ratios):
    low, middle, high = statistics.quantiles(ratios, n=4)
    print("| %s | %s | %.3f (%.3f to %.3f) |" % (
        what, bench.least(numbers), middle, low, high))


def main():
    options = bench.options(__doc__, root=True, processes=10, rounds=100)
    if os.uname().machine != "x86_64":
        sys.exit("called.py needs x86-64: nothing has been measured")
    found = []
    with tempfile.TemporaryDirectory() as name:
        command = build(pathlib.Path(name))
        for _ in range(options.processes):
            kind, rounds = measure(command, options.rounds)
            found += rounds
    print("%d rounds of %d hits in %d processes\n" % (
        len(found), HITS, options.processes))
    bench.head("a hit at", "ns, the least (median)",
               "ratio to a nop: median (quartiles)")
    first = [row[0] for row in found]
    print("| a nop | %s | 1 |" % bench.least(first))
    for column, what in ((1, "another nop"), (2, WHERE[kind] + ", as a call")):
        numbers = [row[column] for row in found]
        show(what, numbers, [number / base
                             for number, base in zip(numbers, first)])


if __name__ == "__main__":
    main()
