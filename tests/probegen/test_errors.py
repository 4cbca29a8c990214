# SPDX-License-Identifier: BSD-2-Clause
"""err/CODE-slug.d must be refused with CODE, and in exactly the words of
CODE-slug.stderr beside it; warn/NAME-slug.d must be taken with a warning. To
add a case, drop in a .d and run once with SDTKIT_REGENERATE=1; a regenerated
text without its CODE is not written. A first line `/* options: ... */` gives
options.

The messages quote the path as given, so probegen runs in the directory itself.
"""

import os
import pathlib
import re

import pytest

from probegen_tool import codes, run, warnings

HERE = pathlib.Path(__file__).resolve().parent
ERRORS = sorted(path.name for path in HERE.glob("err/*.d"))
WARNINGS = sorted(path.name for path in HERE.glob("warn/*.d"))
# caused by programs and files, not by an input; test_cli.py tests them, and
# test_every_format.py INTERNAL
OTHERS = {"UNWRITABLE", "NOT_CURRENT", "CPP_FAILED", "CC_FAILED", "INTERNAL"}


def code_of(name):
    """Returns the code or name that a case is named after: BAD_BYTE-nul.d,
    perf-name-modifiers.d."""
    stem = name[:-2]
    known = [code for code in list(codes()) + list(warnings())
             if stem.startswith(code + "-")]
    return max(known, key=len)


def check(folder, name, output):
    """Runs a case in its folder; returns (exit status, its messages)."""
    path = folder / name
    options = []
    if path.is_file():
        options = re.findall(rb"^/\* options: (.*) \*/", path.read_bytes())
    done = run(name, "-o", output,
               *(word.decode() for line in options for word in line.split()),
               cwd=folder)
    stderr = done.stderr
    assert done.stdout == "" and "Traceback" not in stderr
    assert code_of(name) in stderr
    expected = path.with_suffix(".stderr")
    if os.environ.get("SDTKIT_REGENERATE") == "1":
        expected.write_text(stderr)
    assert stderr == expected.read_text()
    return done.returncode, stderr


@pytest.mark.parametrize("name", ERRORS)
def test_refused(name, tmp_path):
    output = tmp_path / "out.h"
    output.write_text("old\n")
    status, stderr = check(HERE / "err", name, output)
    assert status == 1
    assert "error %s: " % code_of(name) in stderr
    assert output.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["out.h"]


@pytest.mark.parametrize("name", WARNINGS)
def test_warned(name, tmp_path):
    status, stderr = check(HERE / "warn", name, tmp_path / "out.h")
    assert status == 0
    assert "[-W%s]" % code_of(name) in stderr
    assert " error " not in stderr
    assert os.listdir(tmp_path) == ["out.h"]


def test_every_code_has_a_case():
    assert {code_of(name) for name in ERRORS} | OTHERS == set(codes())


def test_every_warning_has_a_case():
    assert {code_of(name) for name in WARNINGS} == set(warnings())


def test_every_warning_is_documented():
    text = (HERE.parents[1] / "docs" / "language.md").read_text()
    rows = text.split("\n| name | about |\n")[1]
    assert set(re.findall(r"^\| `([\w-]+)` \|", rows, re.M)) == set(warnings())


def test_no_golden_without_a_case():
    for path in list(HERE.glob("err/*.stderr")) + list(
            HERE.glob("warn/*.stderr")):
        assert path.with_suffix(".d").name in ERRORS + WARNINGS
