# SPDX-License-Identifier: BSD-2-Clause
"""Each line of tests/mutations.txt names a line that is in the tree once."""

import importlib.util

import pytest


@pytest.fixture
def mutate(source):
    spec = importlib.util.spec_from_file_location(
        "mutate", source / "tests" / "mutate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_defect_can_be_put_in(mutate, source):
    wrong = []
    for number, file, rooms, was, now in mutate.defects():
        path = source / file
        lines = path.read_text().splitlines() if path.exists() else []
        if sum(was in line for line in lines) != 1 or not rooms or was == now:
            wrong.append((number, file, was))
    assert not wrong


def test_a_line_that_is_not_there_is_an_error(mutate, tmp_path):
    (tmp_path / "a.c").write_text("one\none\n")
    with pytest.raises(SystemExit, match="this line once: one"):
        mutate.change(tmp_path / "a.c", "one", "two")
