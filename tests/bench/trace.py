# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs under `sdtkit trace`, beside bpftrace: nanoseconds per hit of
a probe with a number and a string, seen by the program that is traced.

- `sdtkit trace -c`, which counts, beside `@ = count()`;
- `sdtkit trace -o FILE`, a line per hit, beside printf() of bpftrace, whose
  lines are also counted, for it drops those that it cannot print in time;
- what starting costs: a program that ends at once, with and without.

All take turns, so that they see the same machine. The figure is the least of
the rounds, the median is beside it, the ratio is to bpftrace's count. Run by
hand, on a machine that has nothing else to do, after `./dev build`:

    python3 tests/bench/trace.py [--rounds N] [--build DIRECTORY]

Without root or bpftrace, its rows and the ratio are left out.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import on

HITS = 50000
BASE = "bpftrace, count()"


def sdtkit(command, program, *options):
    """Nanoseconds per hit, and hits that were lost."""
    done = subprocess.run(
        [command, "trace", *options, "--", program, str(HITS)], input="\n",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, text=True)
    lost = re.search(r"(\d+) hits were lost", done.stderr)
    return float(done.stdout.split()[-1]), int(lost[1]) if lost else 0


def printing(program, folder):
    """bpftrace, a line per hit."""
    script = ('BEGIN { printf("attached\\n"); } usdt:%s:on:hit '
              '{ printf("%%d %%s\\n", arg0, str(arg1)); }' % program)
    out = folder / "printed"
    with on.Target(program, HITS) as target, out.open("w") as output:
        tracer = subprocess.Popen(
            ["timeout", on.LIMIT, "bpftrace", "-B", "line", "-e", script,
             "-p", target.pid], stdout=output, stderr=subprocess.DEVNULL)
        while "attached" not in out.read_text():
            time.sleep(0.05)
        nanoseconds = target.time()
        tracer.wait()
    text = out.read_text()
    return nanoseconds, HITS + HITS // 10 - text.count("jerry\n")


def starting(*command):
    """Seconds of a program that fires nothing."""
    begin = time.monotonic()
    subprocess.run(command, stdin=subprocess.DEVNULL, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def rows(command, program, folder):
    """{row: what measures it}"""
    found = {
        "not traced": lambda: (on.Target(program, HITS * 100).time(), 0),
        "sdtkit trace -c": lambda: sdtkit(command, program, "-c", "-o",
                                          "/dev/null"),
        "sdtkit trace -o FILE": lambda: sdtkit(command, program, "-o",
                                               folder / "lines"),
    }
    if on.able("bpftrace"):
        found[BASE] = lambda: (on.bpftrace(program, HITS), 0)
        found["bpftrace, printf()"] = lambda: printing(program, folder)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--build", default=os.environ.get(
        "SDTKIT_BUILD", str(on.SOURCE / "build")))
    args = parser.parse_args()
    command = pathlib.Path(args.build) / "lib" / "tool" / "sdtkit"
    if not command.exists():
        raise SystemExit("%s is missing: ./dev build" % command)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = on.build(folder / "on", *on.VARIANTS["sdtkit"])
        report(rows(command, program, folder), args.rounds)
        start = [[starting(*words) for _ in range(args.rounds * 4)]
                 for words in ([program, "0"],
                               [command, "trace", "--", program, "0"])]
    print("\nstarting a program: %.1f ms, under sdtkit trace %.1f ms" % tuple(
        1000 * min(times) for times in start))


def report(measured, rounds):
    results = {row: [] for row in measured}
    for _ in range(rounds):
        for row, measure in measured.items():
            results[row].append(measure())
    times = {row: [nanoseconds for nanoseconds, _ in result]
             for row, result in results.items()}
    print("ns per hit: the least of %d rounds (their median)\n" % rounds)
    print("| traced by | ns per hit | ratio | lost |")
    print("| --- | --- | --- | --- |")
    for row, each in times.items():
        ratio = "%.2f" % (min(each) / min(times[BASE])) \
            if BASE in times else "-"
        lost = max(count for _, count in results[row])
        print("| %s | %.1f (%.1f) | %s | %.1f %% |" % (
            row, min(each), statistics.median(each), ratio,
            100 * lost / (HITS + HITS // 10)))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
