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

import argparse
import os
import pathlib
import statistics
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
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
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get(
        "SDTKIT_BUILD", SOURCE / "build"))
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("calls.py needs root: nothing has been measured")
        return
    build = pathlib.Path(options.build).resolve()
    tsmbd = build / "lib" / "tsmbd" / "tsmbd"
    times = {name: [] for name in VARIANTS}
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        program = compile_actor(build, SOURCE, top / "actor", "-O2")
        for _ in range(options.rounds):
            for variant, numbers in times.items():
                numbers.append(measure(program, tsmbd, top,
                                       VARIANTS[variant]))
    least = {variant: min(numbers) for variant, numbers in times.items()}
    base = least["no tsmbd"]
    print("| | ns a call | more | ratio |\n%s|" % ("| --- " * 4))
    for variant, numbers in times.items():
        print("| %s | %.0f (%.0f) | %+.0f | %.2f |" % (
            variant, least[variant], statistics.median(numbers),
            least[variant] - base, least[variant] / base))


if __name__ == "__main__":
    main()
