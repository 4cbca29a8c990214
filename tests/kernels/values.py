#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""values.py FORMS TRACER...: what test_values.py asks of tracers, in a guest
that has neither pytest nor a compiler. FORMS is a folder with one for each
form of tracers/builds.py, as make() made it on the host. TAP, a line for each
tracer and form, and what was missed:

    ok 1 - bpftrace, executable
    not ok 2 - perf, executable: 6 of 9 probes: hits without arguments
    # store2:text: read [[None]] of [["literal"]]
"""

import collections
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tracers  # noqa: E402
from tracers import builds, expect  # noqa: E402


def make(folder, compiler, strip):
    """The forms, by a compiler of another machine: two of them, or all."""
    every = os.environ.get("SDTKIT_ALL_TRACERS") == "1"
    for name in builds.FORMS if every else builds.FEW:
        (folder / name).mkdir(parents=True)
        builds.make(folder / name, builds.FORMS[name], compiler=compiler,
                    strip=strip)


def missed(tracer, program):
    """What it did not read: {probe: (what it read, what it should have)}."""
    read = tracer.read(program, {
        probe: expect.expressions(probe, program.members)
        for probe in expect.asked(tracer, program.aliases)})
    told = program.told()
    found = {probe: expect.missed(tracer, probe, program.members, told,
                                  read.get(probe, []))
             for probe in expect.asked(tracer, program.aliases)}
    return {probe: both for probe, both in found.items() if both}


def sort_of_miss(read):
    if not read:
        return "no hits"
    if all(value is None for hit in read for value in hit):
        return "hits without arguments"
    return "hits with wrong arguments"


def summary(found, count):
    """One line about what was missed of so many probes."""
    sorts = collections.Counter(
        sort_of_miss(read) for read, _ in found.values())
    return "; ".join("%d of %d probes: %s" % (number, count, what)
                     for what, number in sorted(sorts.items()))


def tell(tracer, made, number):
    """Of one form."""
    name = "%d - %s, %s" % (number, tracer.NAME, made.name)
    if tracer.lacks():
        return print("ok %s # SKIP %s" % (name, tracer.lacks()), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(shutil.copytree(made, folder + "/store"))
        program = builds.Program(copy, builds.FORMS[made.name])
        try:
            found = missed(tracer, program)
        except Exception as error:  # whatever a tracer says there
            lines = str(error).strip().splitlines() or [repr(error)]
            return print("not ok %s: %s" % (name, lines[-1]),
                         *lines, sep="\n# ", flush=True)
    if not found:
        return print("ok " + name, flush=True)
    count = len(expect.asked(tracer, program.aliases))
    print("not ok %s: %s" % (name, summary(found, count)),
          *("%s: read %s of %s" % (probe, *both)
            for probe, both in found.items()), sep="\n# ", flush=True)


def main(forms, *wanted):
    chosen = [one for one in tracers.every() if one.NAME in wanted]
    pairs = [(one, made) for one in chosen
             for made in sorted(pathlib.Path(forms).iterdir())]
    for number, pair in enumerate(pairs, 1):
        tell(*pair, number)


if __name__ == "__main__":
    main(*sys.argv[1:])
