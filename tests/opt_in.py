# SPDX-License-Identifier: BSD-2-Clause
"""Rooms and tests that an ordinary run leaves out.

tests/meson.build has the rooms in the suite of their option, too. A test that
is marked `thorough`, and the cases that pairs() leaves out, run with
./dev test --all:

    @pytest.mark.thorough
    def test_every_file_of_the_system(): ...

    @pytest.mark.parametrize("compiler, level, linker", pairs(
        ["gcc", "clang"], ["-O0", "-O2"], ["bfd", "lld"]))

pairs() is for few rows of many axes; turns() takes still fewer, and rarely() is
for rows that somebody has chosen.
"""

import itertools
import pathlib

from programs import ALL, given

RARELY = pathlib.Path(__file__).resolve().with_name("rarely.txt")
ROOMS = {"packaging": "--packaging", "samba_package": "--packaging",
         "kernels": "--kernels"}


def rarely_run():
    """{"ROOM/FILE::TEST": cases of an ordinary run}, of rarely.txt"""
    lines = RARELY.read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: int(cases) for cases, name in rows}


def left_out():
    """The rooms that do not run, since nobody asked for them."""
    return {room for room, option in ROOMS.items()
            if not given(option)}


def usual(values, *chosen):
    """The values, as parameters of a test: those that are not chosen run with
    --all only."""
    import pytest   # run.py, which reads this file too, has none

    assert all(value in values for value in chosen)
    return [value if value in chosen else pytest.param(
        *value if isinstance(value, tuple) else [value],
        marks=pytest.mark.thorough) for value in values]


def pairs(*axes, every=ALL):
    """The rows of a table with a value of each axis: all of them with --all.
    Otherwise so few that each value of an axis stands beside each value of each
    other axis in at least one row. The order is always the same.

    A row is taken for the most pairs that no row has had so far.
    """
    rows = list(itertools.product(*axes))
    if every or len(axes) < 2:
        return rows

    def pairs_of(row):
        return set(itertools.combinations(enumerate(map(repr, row)), 2))

    left = set().union(*map(pairs_of, rows))
    taken = []
    while left:
        best = max(rows, key=lambda row: len(pairs_of(row) & left))
        left -= pairs_of(best)
        taken.append(best)
    return taken


def turns(*axes, every=ALL):
    """The rows of a table in which each value of each axis is at least once:
    as many as the longest axis has, while the values of the others take turns.
    With --all, those of pairs(): any two values meet."""
    if every:
        return pairs(*axes, every=False)
    axes = [list(axis) for axis in axes]
    return [tuple(axis[(i + i // len(axis) * (j > 0)) % len(axis)]
                  for j, axis in enumerate(axes))
            for i in range(max(map(len, axes)))]


def rarely(rows, often):
    """All rows, those that are not in ``often`` with --all only."""
    import pytest       # run.py does without
    rows, often = list(rows), list(often)
    assert all(row in rows for row in often), often
    return [pytest.param(*(row if isinstance(row, tuple) else (row,)),
                         marks=[] if row in often else pytest.mark.thorough)
            for row in rows]
