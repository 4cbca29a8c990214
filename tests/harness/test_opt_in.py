# SPDX-License-Identifier: BSD-2-Clause
"""The rows of a table that an ordinary run takes, and what a function that asks
for programs once says to each test that asks again."""

import itertools
import pathlib

import pytest

import opt_in
import programs

TESTS = pathlib.Path(__file__).resolve().parent.parent
AXES = [["gcc", "clang", "g++", "clang++"], ["-O0", "-O2"],
        ["bfd", "lld", "mold"]]


def values(rows, *columns):
    return {tuple(row[column] for column in columns) for row in rows}


def test_turns_have_each_value():
    rows = opt_in.turns(*AXES, every=False)
    assert len(rows) == 4
    for column, axis in enumerate(AXES):
        assert values(rows, column) == {(value,) for value in axis}


def test_turns_of_all_have_each_pair():
    for rows in opt_in.turns(*AXES, every=True), opt_in.pairs(*AXES,
                                                              every=False):
        assert len(rows) < 24
        for one, two in itertools.combinations(range(3), 2):
            assert values(rows, one, two) == set(
                itertools.product(AXES[one], AXES[two]))
    assert len(opt_in.pairs(*AXES, every=True)) == 24


def test_rarely_marks_the_others():
    rows = opt_in.rarely(["a", ("b", "c")], ["a"])
    assert [(row.values, [mark.name for mark in row.marks])
            for row in rows] == [(("a",), []), (("b", "c"), ["thorough"])]
    with pytest.raises(AssertionError):
        opt_in.rarely(["a"], ["d"])


def test_once_remembers_what_was_withheld(monkeypatch):
    monkeypatch.setattr(programs, "ALL", False)
    monkeypatch.setattr(programs, "withheld", set())
    asked = []

    @programs.once
    def lacks():
        asked.append(programs.which("valgrind"))
        return asked[-1]

    for _ in range(2):
        programs.withheld.clear()
        assert lacks() is None
        assert programs.withheld == {"valgrind"}
    assert asked == [None]


def test_what_runs_rarely_is_there():
    """A test that was renamed would run in every ordinary run again."""
    for name in opt_in.rarely_run():
        path, test = name.split("::")
        assert "def %s(" % test in (TESTS / path).read_text(), name
