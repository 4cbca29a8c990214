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

import argparse
import pathlib
import statistics
import tempfile

import on

LIB = on.SOURCE / "lib"
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
    on.run(on.PYTHON, "-B", on.SOURCE / "probegen", "-s", on.HERE / "on.d",
           "-o", folder / "on.h")
    on.run("gcc", "-O2", "-I", folder, "-I", on.SOURCE / "include", "-I",
           LIB / "attach", "-I", LIB / "decode", "-I", LIB / "text",
           on.HERE / "jump.c", built / "lib/tap/libsdtkit-tap.a", "-o",
           program, "-pthread")
    return program


def measure(program, row):
    opened, way, hits = ROWS[row]
    told, nanoseconds = on.run(
        program, opened, hits,
        env={"SDTKIT_TAP_WAY": way}).split()
    if told != way:
        raise SystemExit("%s: the program has a %s" % (row, told))
    return float(nanoseconds)


def main():
    parser = argparse.ArgumentParser(description="see the top of the file")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--build", type=pathlib.Path,
                        default=on.SOURCE / "build")
    options = parser.parse_args()
    times = {row: [] for row in ROWS}
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder), options.build)
        for _ in range(options.rounds):
            for row in ROWS:
                times[row].append(measure(program, row))
    print("%-16s %10s %10s %8s" % ("", "least, ns", "median", "ratio"))
    for row, seen in times.items():
        print("%-16s %10.1f %10.1f %8.2f" % (
            row, min(seen), statistics.median(seen),
            min(seen) / min(times[BASE])))


if __name__ == "__main__":
    main()
