# SPDX-License-Identifier: BSD-2-Clause
"""What sdtkit bt makes of scripts, and what it complains of: the cases in
cases/, in the form that tests/tool/case_tool.py describes. smb.so, the library
of notes.s, is there already."""

import shutil

import pytest

import case_tool
from conftest import HERE

CASES = sorted((HERE / "cases").glob("*.txt"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path, tmp_path, build, source, unavailable, notes):
    shutil.copy(str(notes), str(tmp_path))
    got = case_tool.run_case(path, tmp_path, build, source, unavailable)
    assert got == case_tool.expected(path, got)
