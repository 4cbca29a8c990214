# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit diff` tells what scripts would break on: tests/tool/diff has a case
for each kind of change, named by its code."""

import json
import pathlib
import re

import pytest

import case_tool

CASES = case_tool.cases(pathlib.Path(__file__).parent / "diff")


def code_of(path):
    return path.stem.split("-")[0]


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_tells(path, tmp_path, build, source, unavailable):
    got = case_tool.run_case(path, tmp_path, build, source, unavailable)
    if code_of(path).isupper():
        assert re.search(r"(breaking|harmless) %s:" % code_of(path), got)
    assert got == case_tool.expected(path, got)


def test_every_kind_has_a_case(source):
    schema = json.loads((source / "docs/diff.schema.json").read_text())
    codes = schema["definitions"]["change"]["properties"]["code"]["enum"]
    assert set(codes) == {code_of(path) for path in CASES
                          if code_of(path).isupper()}


def test_json(sdtkit, tmp_path, valid):
    old, new = tmp_path / "old.d", tmp_path / "new.d"
    old.write_text("provider smb { probe start(int a, int b); "
                   "probe end(int a); };")
    new.write_text("provider smb { probe start(int b, int a); "
                   "probe ends(int a); probe idle(); };")
    done = sdtkit("diff", "--json", old, new)
    changes = valid("diff", done.stdout)["changes"]
    assert [(c["code"], c["breaking"], c["probe"], c["argument"],
             c["new_probe"]) for c in changes] == [
        ("RENAMED", True, "end", None, "ends"),
        ("ARGUMENT_MOVED", True, "start", 1, None),
        ("ARGUMENT_MOVED", True, "start", 2, None),
        ("ADDED", False, "idle", None, None)]
    assert done.returncode == 1
    done = sdtkit("diff", "--json", "--quiet", old, new)
    assert len(valid("diff", done.stdout)["changes"]) == 3
