# SPDX-License-Identifier: BSD-2-Clause
"""What a recorded hit costs when it is not in the caches: nanoseconds per hit
of 90 sites (6 probes, 3 to 6 arguments, some strings) that are hit one after
the other, as a request of a server does, after the program has used other
memory and other code (recording/cold.c). 0 KiB: nothing else was used.

The figure is the median of the rounds with the recorder minus that without,
each the least of the runs; in parentheses the median of the runs. All builds
take turns, so that they see the same machine; the ratio is to the first. Run by
hand, on a machine that has nothing else to do, after `./dev build`:

    python3 tests/bench/cold.py [--runs N] [--build DIRECTORY]...
"""

import argparse
import os
import pathlib
import statistics
import tempfile

import on

SIZES = [0, 512, 2048, 8192]
ROUNDS = 2000


def make(folder):
    on.run(on.PYTHON, "-B", on.SOURCE / "probegen", "-s",
           on.HERE / "recording" / "cold.d", "-o", folder / "cold.h")
    program = folder / "cold"
    on.run("gcc", "-O2", "-fno-toplevel-reorder", "-I", folder, "-I", on.SOURCE / "include",
           on.HERE / "recording" / "cold.c", "-o", program)
    return program


def measure(program, size, library=None):
    """The median of the rounds, without the first tenth."""
    more = {} if library is None else {
        "LD_PRELOAD": library.name, "LD_LIBRARY_PATH": str(library.parent),
        "SDTKIT_RECORDER": "cold:*"}
    said = on.run(program, ROUNDS, size, env={**os.environ, **more})
    rounds = [float(word) for word in said.split()]
    return statistics.median(rounds[ROUNDS // 10:])


def main():
    parser = argparse.ArgumentParser(description="see the top of the file")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--build", type=pathlib.Path, action="append")
    options = parser.parse_args()
    builds = [build.resolve() / "lib/record/libsdtkit-recorder.so"
              for build in options.build or [on.SOURCE / "build"]]
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        program = make(pathlib.Path(folder))
        for _ in range(options.runs):
            for size in SIZES:
                for library in [None, *builds]:
                    times.setdefault((size, library), []).append(
                        measure(program, size, library))
    report(times, builds)


def report(times, builds):
    print("| other memory | off | %s |" % " | ".join(
        "recorded, ns" if not i else "build %d, ratio" % (i + 1)
        for i in range(len(builds))))
    print("| --- | --- |%s" % (" --- |" * len(builds)))
    for size in SIZES:
        off = times[size, None]
        cells = []
        for library in builds:
            seen = times[size, library]
            least = min(seen) - min(off)
            base = min(times[size, builds[0]]) - min(off)
            cells.append("%.1f (%.1f) %.2f" % (
                least, statistics.median(seen) - statistics.median(off),
                least / base))
        print("| %d KiB | %.1f (%.1f) | %s |" % (
            size, min(off), statistics.median(off), " | ".join(cells)))


if __name__ == "__main__":
    main()
