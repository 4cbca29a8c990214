# SPDX-License-Identifier: BSD-2-Clause
"""Every form of argument is read right: forms x builds x tracers.

What a tracer may miss is decided by the tracer (bpftrace before 0.24 reads six
arguments), never by the form or the build.
"""

import pytest

import builds
import expect
import matrix
from opt_in import rarely, turns
from tracers import bcc, bpftrace, gdb, perf


def test_values(cell, measured, unavailable):
    reason = cell.tracer.lacks() or builds.lacks(cell.header)
    if reason:
        unavailable(reason)
    result = measured.result(cell)
    if cell.header == "sys/sdt.h":
        assert sum(result.read.values()) > 0, result.hits
        return
    most = cell.tracer.most()
    wrong = {probe: (result.hits.get(probe), expect.ROWS[probe][1])
             for probe, count in result.read.items()
             if count != expect.count(probe, most)}
    assert not wrong, "read and expected: %s" % wrong
    assert not result.left_out
    assert result.listed == set(expect.wanted(cell.compiler))
    assert not matrix.odd_operands(result.operands)


@pytest.mark.parametrize("compiler, optimise", turns(
    builds.FACTORS["compiler"], ["-O0", "-O2"], every=False))
def test_over_sys_sdt(compiler, optimise, tmp_path, unavailable):
    """-DSDTKIT_USE_SYS_SDT: every form compiles, fires and is read, though
    the operands are <sys/sdt.h>'s choice: it has registers to choose from."""
    header = "SDTKIT_USE_SYS_SDT"
    reason = gdb.lacks() or builds.lacks(header)
    if reason:
        unavailable(reason)
    build = dict(builds.PLAIN, compiler=compiler, optimise=optimise)
    program = builds.make(tmp_path, build, header)
    assert not program.left_out
    wanted = expect.wanted(compiler)
    hits = matrix.read(gdb, program, wanted)
    told = program.told()
    assert set(hits) == set(wanted)
    for probe in wanted:
        assert expect.right(probe, hits[probe], told, 12) == expect.count(
            probe, 12), (probe, hits[probe])


OWN = "own sys/sdt.h"
OVER_OWN = "SDTKIT_USE_SYS_SDT, own sys/sdt.h"
# Without the types of the .d, nothing is converted, so the sites of a template
# have several types (perf wants one); a class is its bytes; and C++ has no
# arrays whose length is known at run time.
DIFFERENT = {"narrowed", "atomic_object", "text_made"}


@pytest.mark.parametrize("header, compiler, optimise, tracer", rarely([
    (OWN, "gcc", "-O2", perf), (OWN, "clang", "-O0", bpftrace),
    (OWN, "g++", "-O2", bcc), (OWN, "clang++", "-O2", gdb),
    (OVER_OWN, "gcc", "-O2", gdb)], [
        (OWN, "clang", "-O0", bpftrace), (OVER_OWN, "gcc", "-O2", gdb)]),
    ids=lambda value: getattr(value, "NAME", value))
def test_own_sys_sdt(header, compiler, optimise, tracer, tmp_path,
                     unavailable):
    """The drop-in header with our <sys/sdt.h>, and SDTKIT_USE_SYS_SDT with it:
    each tracer reads all that it has room for."""
    reason = tracer.lacks() or builds.lacks(header)
    if reason:
        unavailable(reason)
    build = dict(builds.PLAIN, compiler=compiler, optimise=optimise)
    program = builds.make(tmp_path, build, header)
    different = DIFFERENT if header == OWN else set()
    assert program.left_out <= different
    wanted = {probe: kinds for probe, kinds in expect.wanted(compiler).items()
              if probe not in program.left_out}
    hits = matrix.read(tracer, program, wanted)
    told = program.told()
    most = tracer.most()
    wrong = {probe for probe in wanted if expect.right(
        probe, hits.get(probe, []), told, most) != expect.count(probe, most)}
    assert wrong <= different, {probe: hits.get(probe) for probe in wrong}


def test_a_wrong_value_is_seen():
    for probe, (_, rows) in expect.ROWS.items():
        told = {(probe, i): 1000 + i for i in range(12)}
        hits = [[told[probe, i] if value is expect.TOLD else value
                 for i, value in enumerate(row)] for row in rows]
        best = expect.count(probe, 12)
        assert expect.right(probe, hits, told, 12) == best
        assert expect.right(probe, hits + hits[:1], told, 12) == 0
        for i, value in enumerate(hits[-1]):
            hits[-1][i] = "x" if isinstance(value, str) else value + 2**32
            assert expect.right(probe, hits, told, 12) == best - 1
            hits[-1][i] = value


@pytest.mark.parametrize("strength, most", rarely([(1, 6), (2, 39)],
                                                  [(1, 6)]))
def test_builds_cover_what_can_meet(strength, most):
    """The default run, and ./dev test --all: any one level, any two levels that
    can meet do, in some build."""
    chosen = builds.covering(strength)
    assert chosen[0] == builds.PLAIN
    met = set().union(*[builds.meetings(build, strength) for build in chosen])
    assert len(chosen) <= most
    for build in builds.everything():
        assert builds.meetings(build, strength) <= met
