# SPDX-License-Identifier: BSD-2-Clause
"""placing.py puts lines where they belong, also where other lines have come
before them, and refuses to guess."""

import subprocess

import placing
import pytest
import source

BEFORE = ["int one(void)", "{", "\treturn 1;", "}", "", "int two(void)", "{",
          "\treturn 2;", "}"]
AFTER = BEFORE[:2] + ["\tONE();"] + BEFORE[2:7] + ["\tTWO(1,", "\t    2);"] + \
    BEFORE[7:]


def tree(folder, lines):
    folder.mkdir()
    (folder / "a.c").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture
def patch(tmp_path):
    return placing.make(tree(tmp_path / "old", BEFORE),
                        tree(tmp_path / "new", AFTER), ["a.c"])


def placed(folder, lines, patch):
    return placing.plan(tree(folder, lines), patch)["a.c"].split("\n")[:-1]


def test_the_same_release(tmp_path, patch):
    assert placed(tmp_path / "tree", BEFORE, patch) == AFTER


def test_patch_takes_it_too(tmp_path, patch):
    (tmp_path / "a.patch").write_text(patch)
    subprocess.run(["patch", "-s", "-p1", "-i", "../a.patch"], check=True,
                   cwd=tmp_path / "old")
    assert (tmp_path / "old/a.c").read_text().split("\n")[:-1] == AFTER


def test_lines_that_came_before(tmp_path, patch):
    more = ["/* a distribution's */", ""]
    assert placed(tmp_path / "tree", more + BEFORE, patch) == more + AFTER


def test_lines_that_came_between(tmp_path, patch):
    lines = BEFORE[:4] + ["", "int more;"] + BEFORE[4:]
    assert placed(tmp_path / "tree", lines, patch) == \
        AFTER[:5] + ["", "int more;"] + AFTER[5:]


@pytest.mark.parametrize("change, message", [
    (lambda lines: lines[:7] + ["\treturn 3;", "}"],
     "a.c: there is no place for 'TWO(1,', which is after line 7"),
    (lambda lines: [""] + lines + [""] + lines,
     "a.c: there are 2 places for 'ONE();', which is after line 2"),
])
def test_no_guess(tmp_path, patch, change, message):
    with pytest.raises(source.Failed) as error:
        placed(tmp_path / "tree", change(BEFORE), patch)
    assert str(error.value).startswith(message)


def test_a_missing_file(tmp_path, patch):
    (tmp_path / "tree").mkdir()
    with pytest.raises(source.Failed) as error:
        placing.plan(tmp_path / "tree", patch)
    assert str(error.value).startswith("a.c: ")


def test_a_changed_line_is_refused(tmp_path):
    changed = BEFORE[:2] + ["\treturn 7;"] + BEFORE[3:]
    with pytest.raises(source.Failed) as error:
        placing.make(tree(tmp_path / "old", BEFORE),
                     tree(tmp_path / "new", changed), ["a.c"])
    assert "were changed" in str(error.value)


def test_a_line_that_is_removed_is_refused():
    with pytest.raises(source.Failed) as error:
        placing.read("--- a/a.c\n+++ b/a.c\n@@ -1,0 +2,1 @@ 00000000\n-x\n")
    assert "line 4 of the patch" in str(error.value)
