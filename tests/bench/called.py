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

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HITS = 5000             # three milliseconds
LIMIT = 120
WHERE = {"ten": "the nop of ten bytes",
         "five": "the nop of five bytes, its red zone kept"}


def run(*command):
    return subprocess.run([str(word) for word in command], timeout=LIMIT,
                          stdout=subprocess.PIPE, universal_newlines=True)


def build(folder):
    """The program and its BPF object."""
    for command in (
            ["clang", "-target", "bpf", "-g", "-O2", "-idirafter",
             "/usr/include/x86_64-linux-gnu", "-c", HERE / "called.bpf.c",
             "-o", folder / "called.bpf.o"],
            ["gcc", "-O2", "-D_GNU_SOURCE", HERE / "called.c", "-lbpf", "-o",
             folder / "called"]):
        run(*command).check_returncode()
    return [folder / "called", folder / "called.bpf.o"]


def measure(command, rounds):
    """Which nop became a call, and the rounds: nanoseconds of a hit at a nop,
    at another one, and at the call."""
    done = run(*command, HITS, rounds)
    if done.returncode == 2:
        sys.exit("called.py: this kernel replaces no nop by a call")
    done.check_returncode()
    kind, *lines = done.stdout.splitlines()
    return kind, [[float(word) for word in line.split()] for line in lines]


def show(what, numbers, ratios):
    low, middle, high = statistics.quantiles(ratios, n=4)
    print("| %s | %.0f (%.0f) | %.3f (%.3f to %.3f) |" % (
        what, min(numbers), statistics.median(numbers), middle, low, high))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--processes", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    if os.uname().machine != "x86_64" or os.geteuid() != 0:
        print("called.py needs x86-64 and root: nothing has been measured")
        return
    found = []
    with tempfile.TemporaryDirectory() as name:
        command = build(pathlib.Path(name))
        for _ in range(options.processes):
            kind, rounds = measure(command, options.rounds)
            found += rounds
    print("%d rounds of %d hits in %d processes\n" % (
        len(found), HITS, options.processes))
    print("| a hit at | ns, the least (median) | ratio to a nop: median "
          "(quartiles) |\n| --- | --- | --- |")
    first = [row[0] for row in found]
    print("| a nop | %.0f (%.0f) | 1 |" % (
        min(first), statistics.median(first)))
    for column, what in ((1, "another nop"), (2, WHERE[kind] + ", as a call")):
        numbers = [row[column] for row in found]
        show(what, numbers, [number / base
                             for number, base in zip(numbers, first)])


if __name__ == "__main__":
    main()
