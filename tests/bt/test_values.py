# SPDX-License-Identifier: BSD-2-Clause
"""Every argument of tests/consumers' forms, read by its name, is what the
program says that it has passed; those beyond bpftrace 0.17's sixth, too."""

import re

import pytest

import bpftraces
import builds
import expect
from opt_in import usual
from tracers import Waiting

BUILDS = [
    {},
    {"compiler": "g++", "optimise": "-O0", "frame": "fp"},
    {"compiler": "clang", "object": "shared library", "optimise": "-O3"},
    {"compiler": "clang++", "object": "no PIE", "optimise": "-Os"},
]
FLOATS = {"float_bits": "abcdef", "double_bits": "abcdef", "caught": "b"}
_VALUE = re.compile(r"(\d+) (?:(-?\d+)|<(.*?)>)(?: |$)")


@pytest.mark.parametrize(
    "choices", usual(BUILDS, BUILDS[0], BUILDS[3]),
    ids=lambda choices: " ".join(choices.values()) or "plain")
def test_values(choices, version, build, tmp_path, unavailable):
    made = dict(builds.PLAIN, **choices)
    if builds.lacks("sdtkit"):
        unavailable(builds.lacks("sdtkit"))
    program = builds.make(tmp_path, made)
    wanted = expect.wanted(made["compiler"])
    script = "\n".join(['BEGIN { printf("attached\\n"); }'] + [
        clause(number, probe, wanted[probe])
        for number, probe in enumerate(wanted)])
    with Waiting(program.command) as waiting:
        ended = bpftraces.run(
            [build / "lib/tool/sdtkit", "bt", "-p", waiting.pid, "-e",
             script], version, waiting)
    hits = read(ended.out, wanted)
    told = program.told()
    for probe in wanted:
        assert expect.right(probe, hits.get(probe, []), told, 12) == \
            expect.count(probe, 12), (probe, hits.get(probe), ended.err)
    assert ended.status == 0


def clause(number, probe, expressions):
    """An expression's number stands before its value."""
    formats, values = "", ""
    for one in expressions:
        letter = "abcdefghijkl"[one.index]
        bits = letter in FLOATS.get(probe, "")
        formats += " %d %s" % (one.index, "<%s>" if one.string else "%lld")
        values += ", arg%d" % one.index if bits else ", args." + letter
    return 'form:%s { printf("=%d%s\\n"%s); }' % (probe, number, formats,
                                                 values)


def read(said, wanted):
    names, hits = list(wanted), {}
    for number, rest in re.findall(r"^=(\d+) ?(.*)$", said, re.M):
        hit = [None] * len(wanted[names[int(number)]])
        for index, integer, text in _VALUE.findall(rest):
            hit[int(index)] = int(integer) if integer else text
        hits.setdefault(names[int(number)], []).append(hit)
    return hits
