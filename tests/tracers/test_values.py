# SPDX-License-Identifier: BSD-2-Clause
"""Every tracer lists the probes of every form of the program, attaches to them
and reads what expect.py says."""

import re

import pytest

import tracers
from . import expect, gdb


def test_values(tracer, form, need, reading):
    need(tracer)
    program, _, read = reading(tracer, form)
    told = program.told()
    missed = {probe: found for probe in expect.asked(tracer, program.aliases)
              for found in [expect.missed(tracer, probe, program.members, told,
                                          read.get(probe, []))] if found}
    assert not missed


def test_list(tracer, form, need, reading):
    need(tracer)
    program, listed, _ = reading(tracer, form)
    if listed is None:
        pytest.skip(tracer.NAME + " has no list of probes")
    takes = getattr(tracer, "takes", bool)
    assert listed == set(filter(takes, expect.there(program.aliases)))


def test_a_wrong_value_is_seen():
    """By what compares, in each place of the table."""
    members = [tracers.Member("", name, 0, 8, False) for name in re.findall(
        r"->(\w+)", expect.ROWS["request_done"][0])]
    told = {("number_other", 5): 7}
    for probe, (_, rows) in expect.ROWS.items():
        hits = [[7 if value is expect.TOLD else value for value in row]
                for row in rows]
        row = ("x:" + probe, members, told)
        assert not expect.missed(gdb, *row, hits)
        assert expect.missed(gdb, *row, hits + hits[:1])
        assert expect.missed(gdb, *row, hits[1:])
        for i, value in enumerate(hits[-1]):
            for wrong in None, "x", value + 1 if value != str(value) else "":
                if wrong == value:
                    continue
                hits[-1][i] = wrong
                assert expect.missed(gdb, *row, hits), (probe, i, wrong)
            hits[-1][i] = value
