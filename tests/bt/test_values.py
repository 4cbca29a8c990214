# SPDX-License-Identifier: BSD-2-Clause
"""Every argument of tests/consumers' forms, read by its name, is what the
program says that it has passed; those beyond bpftrace 0.17's sixth, too."""

import subprocess

import pytest

import bpftraces
import builds
import expect
from opt_in import usual
from tracers import Waiting
from tracers.bpftrace import hits_of

BUILDS = [
    {},
    {"compiler": "g++", "optimise": "-O0", "frame": "fp"},
    {"compiler": "clang", "object": "shared library", "optimise": "-O3"},
    {"compiler": "clang++", "object": "no PIE", "optimise": "-Os"},
]
FLOATS = {"float_bits": "abcdef", "double_bits": "abcdef", "caught": "b"}


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
    hits = hits_of(ended.out, wanted)
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


def test_a_description_of_a_program_that_has_none(sdtkit, shapes, source,
                                                  tmp_path):
    """The script is the same as for the program that has its own names."""
    here = source / "tests" / "bt"
    bare = tmp_path / "shape"
    subprocess.run(["gcc", "-O2", "-DSDTKIT_NO_DESCRIBE", "-I", str(shapes),
                    "-I", str(here), "-I", str(source / "include"),
                    str(here / "shape.c"), "-o", str(bare)], check=True)
    script = ["--print", "--target=0.17", "-e", """
        shape:request_start /args.opcode == CREATE/ { @[args.user] = count(); }
        shape:request_done { @[args.req.peer.port, name(args.req.kind)] = 1; }
        shape:narrow { @[args.a, args.d, args.e] = count(); }"""]
    own = sdtkit(*script, shapes / "shape")
    given = sdtkit("--description", here / "shape.d", *script, bare)
    assert (given.stderr, given.returncode) == ("", 0)
    assert given.stdout == own.stdout.replace(str(shapes), str(tmp_path)) != ""
    missing = sdtkit(*script, bare)
    assert missing.returncode == 2 and "request_start" in missing.stderr
    absent = sdtkit("--description", tmp_path / "absent.d", *script, bare)
    assert absent.returncode == 2 and "absent.d" in absent.stderr
