# SPDX-License-Identifier: BSD-2-Clause
"""What the programs of tsmbd take for a request, in nanoseconds by the kernel's
own measurement (bpf_stats_enabled), with all that they need in the caches: a
process that only fires probes plays the server (tests/tsmbd/actor.c). Of each
two of its requests one waits. call_enter and call_exit also run for the system
calls of other processes, and are shorter then.

Builds take turns, so that they see the same machine, with programs that do
nothing (samba/empty.c), which have the price of the measurement itself. The
figure is the least of the rounds, for whatever disturbs them only adds; the
median is in parentheses. The ratios compare the last build with the first one.
With --cold, the process uses so many KB of memory before each hit, so that the
caches of that size have nothing of what a hit needs, as in a server that has
other things to do. Run as root, after `./dev build`:

    python3 tests/bench/hits.py [--rounds N] [--cold KB] [--build DIRECTORY]...
"""

import os
import pathlib
import statistics
import sys
import tempfile

import bench

SOURCE = bench.SOURCE
sys.path[:0] = [str(SOURCE / "tests" / room)
                for room in ("tsmbd", "demo", "bench/samba")]

from actor import Actor, compile_actor              # noqa: E402
from programs import Statistics, describe, runs_of  # noqa: E402
from tracers import ARMS, empty_programs            # noqa: E402
from tsmbd_run import Tsmbd                         # noqa: E402

TIMES = 3000
TIMES_COLD = 500
EMPTY = "empty"


def acts(cold):
    """What the process does, and how often."""
    before = ("cold:%d" % cold,) if cold else ()
    times = TIMES_COLD if cold else TIMES
    return ("wait:0", "from:0", "share:data", "file:a/file", "begin:5",
            *before, "end:0", "begin:9", *before, "wait:0", *before, "end:0",
            "wait:0", "again:%d" % (times - 1)), times


def measure(program, tsmbd, arm, top, environment, cold):
    """{name of a program: nanoseconds for a run}"""
    words, times = acts(cold)
    actor = Actor(program, top, *words)
    options = [word.format(pid=actor.pid, top=top) for word in ARMS[arm][1:]]
    tracer = Tsmbd(tsmbd, *options, env=environment)
    try:
        before = runs_of(tracer.process.pid)
        with Statistics():
            actor.play()
        after = runs_of(tracer.process.pid)
        names = {number: describe(number)[0] for number in after}
    finally:
        actor.end()
        tracer.stop()
        tracer.check()
        tracer.process.stdout.close()
    return {names[number]: (ns - before[number][0]) /
            (runs - before[number][1])
            for number, (ns, runs) in after.items()
            if runs - before[number][1] >= times}


def ratio(times, baseline):
    """Of the least ones, and of the medians."""
    return "%.2f (%.2f)" % tuple(
        which(times) / which(baseline) for which in (min, statistics.median))


def print_table(found, variants, builds):
    heads = list(variants) + (["ratio"] if len(builds) > 1 else [])
    bench.head("", *heads)
    for (arm, key), times in sorted(found.items()):
        cells = [bench.least(times[one]) for one in variants]
        if len(builds) > 1:
            cells.append(ratio(times[str(builds[-1])], times[str(builds[0])]))
        print("| %s, %s | %s |" % (arm, key, " | ".join(cells)))


def main():
    options = bench.options(__doc__, root=True, rounds=5, cold=0)
    builds = options.builds
    variants = {str(build): (build, None) for build in builds}
    variants[EMPTY] = builds[0], dict(
        os.environ, LD_PRELOAD=str(empty_programs()[1]))
    found = {}
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        program = compile_actor(builds[-1], SOURCE, top / "actor", "-O2")
        for _ in range(options.rounds):
            for arm in ("tsmbd", "tsmbd full"):
                for variant, (build, environment) in variants.items():
                    tsmbd = build / "lib/tsmbd/tsmbd"
                    for key, ns in measure(program, tsmbd, arm, top,
                                           environment,
                                           options.cold).items():
                        found.setdefault((arm, key), {}).setdefault(
                            variant, []).append(ns)
    print_table(found, variants, builds)


if __name__ == "__main__":
    main()
