# SPDX-License-Identifier: BSD-2-Clause
"""err/CODE-slug.d must be refused with CODE, and in exactly the words of
CODE-slug.stderr beside it. To add a case, drop in a .d and run once with
SDTKIT_REGENERATE=1; a regenerated text without its CODE is not written.

The messages quote the path as given, so probegen runs in err/ itself.
"""

import os
import pathlib
import subprocess
import sys

import pytest

from probegen_tool import PROBEGEN, codes

ERR = pathlib.Path(__file__).resolve().parent / "err"
CASES = sorted(path.name for path in ERR.glob("*.d"))


@pytest.mark.parametrize("name", CASES)
def test_refused(name, tmp_path):
    output = tmp_path / "out.h"
    output.write_text("old\n")
    run = subprocess.run([sys.executable, PROBEGEN, name, "-o", output],
                         cwd=ERR, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    stderr = run.stderr.decode()
    code = name.split("-")[0]
    expected = (ERR / name).with_suffix(".stderr")
    assert "error %s: " % code in stderr
    assert "Traceback" not in stderr
    if os.environ.get("SDTKIT_REGENERATE") == "1":
        expected.write_text(stderr)
    assert stderr == expected.read_text()
    assert run.returncode == 1
    assert run.stdout == b""
    assert output.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["out.h"]


def test_every_code_has_a_case():
    """But for the one that an input cannot cause; test_cli.py has it."""
    tested = {name.split("-")[0] for name in CASES} | {"UNWRITABLE"}
    assert tested == set(codes())


def test_no_golden_without_a_case():
    for path in ERR.glob("*.stderr"):
        assert path.with_suffix(".d").name in CASES
