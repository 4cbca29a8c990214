# SPDX-License-Identifier: BSD-2-Clause
"""apply.py on a small tree: what it adds where, what it says if it cannot, and
that it leaves alone what is not its own."""

import re
import subprocess

import pytest

import samba_tool
from samba_tool import CODE, TABLE, apply

import patch
import sites

PUSH = "\tQUEUE_PUSH(item);\n\tq->length++;\n"
POP = "\tq->length--;\n\tQUEUE_POP(q->length);\n"


@pytest.fixture
def top(tmp_path):
    path = tmp_path / "tree"
    path.mkdir()
    return samba_tool.tree(path)


def text(top):
    return (top / "queue.c").read_text()


def everything(top):
    return {str(p.relative_to(top)): p.read_bytes()
            for p in top.rglob("*") if p.is_file()}


def test_lines_are_added_and_nothing_else_is_changed(top):
    done = apply(top)
    assert (done.returncode, done.stderr) == (0, "")
    new = text(top)
    assert '#include "queue.h"\n#include "probes.h"\n' in new
    assert PUSH in new and POP in new
    kept = [line for line in new.split("\n")
            if "QUEUE_" not in line and "probes.h" not in line]
    assert kept == CODE.split("\n")
    assert (top / "lib/static_probes/smb2.d").exists()
    assert (top / "lib/static_probes/wscript").exists()


def test_second_run_has_nothing_to_do(top):
    apply(top)
    before = everything(top)
    done = apply(top)
    assert done.returncode == 0 and "nothing to do" in done.stdout
    assert apply(top, "--check").returncode == 0
    assert everything(top) == before


def test_undo_restores_every_byte(top):
    before = everything(top)
    apply(top)
    assert apply(top, "--undo").returncode == 0
    assert everything(top) == before
    assert not (top / "lib/static_probes").exists()
    assert "nothing to do" in apply(top, "--undo").stdout


def test_newer_table_replaces_an_older_one_after_undo(top):
    apply(top)
    apply(top, "--undo")
    newer = TABLE.replace("QUEUE_PUSH(item)", "QUEUE_PUSH(item, 1)")
    assert apply(top, table=newer).returncode == 0
    assert "QUEUE_PUSH(item, 1);" in text(top)


def test_newer_table_is_not_put_over_an_older_one(top):
    newer = TABLE.replace("QUEUE_PUSH(item)", "SMBD_PUSH(item, 1)")
    older = TABLE.replace("QUEUE_PUSH(item)", "SMBD_PUSH(item)")
    assert apply(top, table=older).returncode == 0
    before = everything(top)
    done = apply(top, table=newer)
    assert done.returncode == 1
    assert ("queue.c:22: this line is not in sites.txt and stays: "
            "SMBD_PUSH(item);") in done.stderr
    assert "another version of apply.py" in done.stderr
    assert everything(top) == before


def test_check_changes_nothing(top):
    before = everything(top)
    done = apply(top, "--check")
    assert done.returncode == 1
    assert "queue.c" in done.stdout
    assert everything(top) == before


@pytest.mark.parametrize("wanted, told", [
    ("in queue_push\nbefore q->lenght++;",
     "nearest, line 21: q->length++;"),
    ("in queue_pusch\nbefore q->length++;", "no function queue_pusch()"),
    ("in queue_pusch\nbefore q->length++;", "nearest, line 10: queue_push()"),
    ("in queue_push\nbefore return -1;", "found 2 times, lines 12, 19"),
    ("in queue_pop\nbefore q->length++;", "statement not found"),
    ("in queue_push\nafter q->length", "found 2 times, lines 21, 22"),
    ("in queue_pop\nbefore length--;", "does not begin its line"),
    ("in queue_pop\nafter return", "does not end its line"),
])
def test_missing_place_is_named_and_nothing_changed(top, wanted, told):
    before = everything(top)
    done = apply(top, table=TABLE + "\n" + wanted + "\n\tLOST(1);\n")
    assert done.returncode == 1
    assert "queue.c: no place for `LOST(1);`" in done.stderr
    assert told in done.stderr
    assert everything(top) == before


def test_force_applies_the_rest(top):
    done = apply(top, "--force", table=TABLE + "\nin gone\nafter x;\n\tL();\n")
    assert done.returncode == 1
    assert PUSH in text(top) and "L();" not in text(top)


def test_maybe_is_no_error_where_the_function_is_absent(top):
    done = apply(top, table=TABLE + "\nmaybe in gone\nafter x;\n\tL();\n")
    assert (done.returncode, done.stderr) == (0, "")


def test_maybe_is_an_error_where_the_function_is_there(top):
    done = apply(top, table=TABLE + "\nmaybe in queue_pop\nafter x;\n\tL();\n")
    assert done.returncode == 1


def test_alternatives_and_two_functions(top):
    done = apply(top, table="file queue.c\nin gone queue_pop\nafter x();\n"
                 "\tOLD();\nor\nafter q->length--;\n\tNEW();\n")
    assert done.returncode == 0
    assert "q->length--;\n\tNEW();\n" in text(top)
    assert "OLD" not in text(top)


def test_each_and_at(top):
    done = apply(top, table="file queue.c\nin queue_push\n"
                 "each before return -1;\n\t\tFAILED();\n"
                 "in queue_push\nat q->length++; @ q->items[\n\tHERE();\n")
    assert done.returncode == 0
    assert text(top).count("\t\tFAILED();\n\t\treturn -1;") == 2
    assert "q->length++;\n\tHERE();\n\tq->items" in text(top)


def test_blanks_comments_and_line_ends_do_not_matter(tmp_path):
    top = tmp_path / "tree"
    top.mkdir()
    samba_tool.tree(top, CODE.replace(
        "q->length--;", "q /* here */ ->\n\t\tlength  -- ;"))
    assert apply(top).returncode == 0
    assert "length  -- ;\n\tQUEUE_POP" in text(top)


def test_strings_and_comments_hide_no_statement(tmp_path):
    top = tmp_path / "tree"
    top.mkdir()
    samba_tool.tree(top, CODE.replace(
        "\tq->length--;", '\tprintf("q->length--;");\t/* q->length--; */\n'
        "\tq->length--;"))
    assert apply(top).returncode == 0
    assert POP in text(top)


def test_bytes_that_are_no_utf8_stay(tmp_path):
    top = tmp_path / "tree"
    top.mkdir()
    samba_tool.tree(top)
    path = top / "queue.c"
    path.write_bytes(path.read_bytes() + b"/* J\xf6rg */\r\n")
    before = path.read_bytes()
    apply(top)
    assert b"J\xf6rg */\r\n" in path.read_bytes()
    apply(top, "--undo")
    assert path.read_bytes() == before


def hunks(diff):
    """{file: [added lines]}, one list for each hunk."""
    found = {}
    for line in diff.split("\n"):
        if line.startswith("+++ b/"):
            here = found.setdefault(line[len("+++ b/"):], [])
        elif line.startswith("@@ "):
            assert re.match(r"@@ -\d+,0 \+\d+,\d+ @@$", line)
            here.append([])
        elif line.startswith("+"):
            here[-1].append(line[1:])
        else:
            assert not line or line.startswith("--- a/"), line
    return found


def test_diff_is_the_table(top):
    """Each hunk consists of lines of the table, and each place is in one."""
    table = sites.read(TABLE)
    found = hunks(apply(top, "--diff").stdout)
    assert set(found) == {site.path for site in table}
    for lines in found["queue.c"]:
        assert patch.strip(lines, table) == []
    there = ["\n".join(lines) for lines in found["queue.c"]]
    for site in table:
        assert any("\n".join(point.lines) in text
                   for point in site.points for text in there), site


def test_diff_is_what_patch_needs(top, tmp_path):
    diff = apply(top, "--diff")
    assert diff.returncode == 0
    assert not [line for line in diff.stdout.split("\n")
                if line[:1] in (" ", "-") and not line.startswith("---")]
    old = text(top)
    subprocess.run(["patch", "-s", "-p1", "-d", str(top)], input=diff.stdout,
                   universal_newlines=True, check=True)
    patched = text(top)
    (top / "queue.c").write_text(old)
    apply(top)
    assert text(top) == patched


def test_blank_keeps_the_line_numbers(top):
    apply(top, "--blank")
    blank = text(top).split("\n")
    assert not (top / "lib").exists()
    (top / "queue.c").write_text(CODE)
    apply(top)
    added = text(top).split("\n")
    assert len(blank) == len(added)
    assert [line for line in blank if line] == [
        line for line in CODE.split("\n") if line]


def test_edited_line_stays_and_is_told(top):
    apply(top)
    table = TABLE.replace("QUEUE_", "SMBD_")
    (top / "queue.c").write_text(CODE.replace(
        "\tq->length--;", "\tSMBD_POP(q->length, 7);\n\tq->length--;"))
    done = apply(top, "--undo", table=table)
    assert done.returncode == 1
    assert "SMBD_POP(q->length, 7)" in done.stderr


@pytest.mark.parametrize("table", ["in f\n", "file a\nbefore x;\n\ty\n",
                                   "\tline\n", "file a\nin f\nat x;\n\ty\n",
                                   "file a\nin f\nafter x;\n", "what is\n"])
def test_wrong_table_is_status_2(top, table):
    done = apply(top, table=table)
    assert done.returncode == 2
    assert "sites.txt:" in done.stderr and "Traceback" not in done.stderr


def test_no_tree_is_status_2(tmp_path):
    done = apply(tmp_path / "none")
    assert done.returncode == 2
    assert "no such directory" in done.stderr


def test_missing_file_is_named(top):
    (top / "queue.c").unlink()
    done = apply(top)
    assert done.returncode == 1
    assert "queue.c: no such file" in done.stderr


def test_own_file_that_was_edited_stays(top):
    apply(top)
    path = top / "lib/static_probes/samba_probes.h"
    path.write_text(path.read_text() + "/* mine */\n")
    done = apply(top, "--undo")
    assert done.returncode == 0
    assert "samba_probes.h: was edited, so it is not removed" in done.stderr
    assert path.exists() and text(top) == CODE


SINCE = TABLE + """
since 4.24 file new.c
include probes.h

in open_slowly
before return 1;
\tQUEUE_WAIT(1);

file queue.c
since 4.25 in queue_pop
before return q->rest[q->length];
\tQUEUE_REST(q->length);
"""
REST = "\treturn q->rest[q->length];\n"
NEW = "#include <stdio.h>\n\nint open_slowly(void)\n{\n\treturn 1;\n}\n"


def versioned(top, minor, *, file=False, statement=False):
    (top / "VERSION").write_text(
        "SAMBA_VERSION_MAJOR=4\nSAMBA_VERSION_MINOR=%d\n" % minor)
    if file:
        (top / "new.c").write_text(NEW)
    if statement:
        (top / "queue.c").write_text(CODE.replace(
            "\treturn q->items[q->length + 1];\n", REST))
    return apply(top, table=SINCE)


def test_places_of_later_versions_are_named_and_left_out(top):
    done = versioned(top, 17)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n")[:3] == [
        "not in 4.17: 2 places of 4.24 and later, in new.c",
        "not in 4.17: 1 places of 4.25 and later, in queue.c",
        "3 places, %s" % done.stdout.split(", ")[-1].strip()]
    assert PUSH in text(top)


def test_places_of_this_version_have_to_be_there(top):
    assert "new.c: no such file" in versioned(top, 24).stderr
    done = versioned(top, 24, file=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\tQUEUE_WAIT(1);\n\treturn 1;" in (top / "new.c").read_text()
    assert "not in 4.24: 1 places of 4.25" in done.stdout


def test_newest_version_has_all(top):
    assert "statement not found" in versioned(top, 25, file=True).stderr
    assert versioned(top, 25, file=True, statement=True).returncode == 0
    assert "\tQUEUE_REST(q->length);\n" + REST in text(top)


def test_a_tree_without_version_has_to_have_all(top):
    assert "new.c: no such file" in apply(top, table=SINCE).stderr


@pytest.mark.parametrize("line", ["since 4 in f", "since 4.25 maybe in f",
                                  "since in f", "since 4.25"])
def test_since_needs_a_version_and_a_place(line):
    with pytest.raises(sites.Wrong, match="since"):
        sites.read("file queue.c\n" + line)
