# SPDX-License-Identifier: BSD-2-Clause
"""What a system call costs under lib/tsmbd: nanoseconds of the processor
for each, in a process that is traced and in one that is not, while tsmbd counts
all system calls (-s) and while it does not; and while programs that do nothing
are in the place of those of tsmbd (samba/empty.c).

All variants take turns, so that they see the same machine. The figure is the
least of the rounds, for whatever disturbs them only adds; the median is beside
it, then how much more it is than without tsmbd. Run as root, after
`./dev build`:

    python3 tests/bench/calls.py [--rounds N] [--build DIRECTORY]
"""

import os
import pathlib
import sys
import tempfile

import bench

SOURCE = bench.SOURCE
sys.path[:0] = [str(SOURCE / "tests" / room)
                for room in ("tsmbd", "demo", "bench/samba")]

from actor import Actor, compile_actor  # noqa: E402
from tracers import empty_programs      # noqa: E402
from tsmbd_run import Tsmbd             # noqa: E402

CALLS = 200000
# a variant -> (whether the process that is measured is traced, options); the
# last one is for empty programs
VARIANTS = {
    "no tsmbd": None,
    "empty programs": (True, [], True),
    "tsmbd, of another process": (False, []),
    "tsmbd -s, of another process": (False, ["-s"]),
    "tsmbd, of this process": (True, []),
    "tsmbd -s, of this process": (True, ["-s"]),
}


def environment(variant):
    if len(variant) == 2:
        return None
    return dict(os.environ, LD_PRELOAD=str(empty_programs()[1]))


def measure(program, tsmbd, top, variant):
    """Nanoseconds of a call."""
    actors = [Actor(program, top, "wait:0", "begin:5",
                    "calls:%d" % CALLS, "end:0")
              for _ in range(2)]
    tracer = None
    try:
        if variant:
            traced = actors[0] if variant[0] else actors[1]
            tracer = Tsmbd(tsmbd, "-p", str(traced.pid), *variant[1],
                           env=environment(variant))
        return actors[0].play()["calls"][0] / CALLS
    finally:
        for actor in actors:
            actor.end()
        if tracer:
            tracer.stop()
            tracer.check()
            tracer.process.stdout.close()


def main():
    options = bench.options(__doc__, root=True, rounds=10)
    tsmbd = options.build / "lib" / "tsmbd" / "tsmbd"
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        program = compile_actor(options.build, SOURCE, top / "actor", "-O2")
        times = bench.turns(
            options.rounds, VARIANTS,
            lambda name: measure(program, tsmbd, top, VARIANTS[name]))
    base = min(times["no tsmbd"])
    bench.head("", "ns a call", "more", "ratio")
    for variant, numbers in times.items():
        print("| %s | %s | %+.0f | %.2f |" % (
            variant, bench.least(numbers), min(numbers) - base,
            min(numbers) / base))


if __name__ == "__main__":
    main()
