#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""values.py FOLDER TRACER...: what test_values.py asks of tracers, in a guest
that has neither pytest nor a compiler. FOLDER has the executable of
tracers/builds.py, as another machine made it. A line for each tracer:

    perf 6.1.176: works
    perf 6.1.176: store2:text: read [[None]] of [["literal"]]
"""

import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tracers  # noqa: E402
from tracers import builds, expect  # noqa: E402


def missed(tracer, program):
    """What it did not read: a text for each probe."""
    read = tracer.read(program, {
        probe: expect.expressions(probe, program.members)
        for probe in expect.asked(tracer, program.aliases)})
    told = program.told()
    for probe in expect.asked(tracer, program.aliases):
        found = expect.missed(tracer, probe, program.members, told,
                              read.get(probe, []))
        if found:
            yield "%s: read %s of %s" % (probe, *found)


def tell(tracer, made):
    if tracer.lacks():
        return print("%s: cannot: %s" % (tracer.NAME, tracer.lacks()))
    name = "%s %s" % (tracer.NAME, tracer.version())
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(shutil.copytree(made, folder + "/store"))
        program = builds.Program(copy, builds.FORMS["executable"])
        try:
            texts = list(missed(tracer, program))
        except Exception as error:  # whatever a tracer says there
            texts = [repr(error)]
    for text in texts or ["works"]:
        print("%s: %s" % (name, text), flush=True)


if __name__ == "__main__":
    for one in tracers.every():
        if one.NAME in sys.argv[2:]:
            tell(one, sys.argv[1])
