# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs in the process itself: nanoseconds per hit of a probe with a
number and a string, for libsdtkit-tap by jump and by trap.

- raw: a function that does nothing, which is given the registers;
- callback: one that is given the event, with the copy of the string;
- off: nobody is attached; the loop and the check.

All take turns, so that they see the same machine. The figure is the least of
the rounds, the median is beside it, the ratio is to the raw hit by jump. Run by
hand, on a machine that has nothing else to do, after `./dev build`:

    python3 tests/bench/jump.py [--rounds N] [--build DIRECTORY]
"""

import pathlib
import statistics
import tempfile

import bench

LIB = bench.SOURCE / "lib"
BASE = "raw, jump"

# row -> (what the program opens, by which way, hits)
ROWS = {
    "off": ("off", "off", 100000000),
    BASE: ("raw", "jump", 20000000),
    "raw, trap": ("raw", "trap", 100000),
    "callback, jump": ("callback", "jump", 200000),
    "callback, trap": ("callback", "trap", 50000),
}


def build(folder, built):
    program = folder / "jump"
    bench.probegen(bench.HERE / "on.d", folder / "on.h")
    bench.run("gcc", "-O2", "-I", folder, "-I", bench.SOURCE / "include", "-I",
              LIB / "attach", "-I", LIB / "decode", "-I", LIB / "text",
              bench.HERE / "jump.c", built / "lib/tap/libsdtkit-tap.a", "-o",
              program, "-pthread")
    return program


def measure(program, row):
    opened, way, hits = ROWS[row]
    told, nanoseconds = bench.run(
        program, opened, hits, env={"SDTKIT_TAP_WAY": way}).split()
    if told != way:
        raise SystemExit("%s: the program has a %s" % (row, told))
    return float(nanoseconds)


def main():
    options = bench.options(__doc__, rounds=9)
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder), options.build)
        times = bench.turns(options.rounds, ROWS,
                            lambda row: measure(program, row))
    print("%-16s %10s %10s %8s" % ("", "least, ns", "median", "ratio"))
    for row, seen in times.items():
        print("%-16s %10.1f %10.1f %8.2f" % (
            row, min(seen), statistics.median(seen),
            min(seen) / min(times[BASE])))


if __name__ == "__main__":
    main()
