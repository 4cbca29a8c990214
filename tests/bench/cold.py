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

import os
import pathlib
import statistics
import tempfile

import bench

SIZES = [0, 512, 2048, 8192]
ROUNDS = 2000


def make(folder):
    source = bench.HERE / "recording"
    bench.probegen(source / "cold.d", folder / "cold.h")
    program = folder / "cold"
    bench.run("gcc", "-O2", "-fno-toplevel-reorder", "-I", folder, "-I",
              bench.SOURCE / "include", source / "cold.c", "-o", program)
    return program


def measure(program, size, library=None):
    """The median of the rounds, without the first tenth."""
    more = {} if library is None else {
        "LD_PRELOAD": library.name, "LD_LIBRARY_PATH": str(library.parent),
        "SDTKIT_RECORDER": "cold:*"}
    said = bench.run(program, ROUNDS, size, env={**os.environ, **more})
    rounds = [float(word) for word in said.split()]
    return statistics.median(rounds[ROUNDS // 10:])


def main():
    options = bench.options(__doc__, runs=9)
    builds = [build / "lib/record/libsdtkit-recorder.so"
              for build in options.builds]
    with tempfile.TemporaryDirectory() as folder:
        program = make(pathlib.Path(folder))
        times = bench.turns(
            options.runs, [(size, library) for size in SIZES
                           for library in [None, *builds]],
            lambda way: measure(program, *way))
    report(times, builds)


def report(times, builds):
    bench.head("other memory", "off", *(
        "recorded, ns" if not i else "build %d, ratio" % (i + 1)
        for i in range(len(builds))))
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
        print("| %d KiB | %s | %s |" % (
            size, bench.least(off, "%.1f"), " | ".join(cells)))


if __name__ == "__main__":
    main()
