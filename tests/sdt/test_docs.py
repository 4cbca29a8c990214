# SPDX-License-Identifier: BSD-2-Clause
"""What docs/porting.md says of our own <sys/sdt.h> is so."""

import os
import re
import subprocess
import sys

import sdt_tool

TEXT = (sdt_tool.SOURCE / "docs/porting.md").read_text()
SECTION = re.search(r"^## Without systemtap-sdt-dev\n(.*?)^## ", TEXT,
                    re.M | re.S)[1]
# what a row says -> an argument, and what is declared for it
ROWS = {
    "`int`": ("i", "p", "ul", "l"),
    "`bool`": ("uc", "us"),
    "`signed char`": ("sc",),
    "`float`": ("f", "d"),
    "`long double`": ("ld",),
    "a `struct`": ("st",),
    "a bit-field": ("st.field",),
    "an enum": ("e",),
}
DECLARED = """
#include <sys/sdt.h>
struct st { int a, b, c; unsigned field : 3; };
enum e { NEGATIVE = -1 };
void f(int i, long l, unsigned long ul, void *p, unsigned char uc,
       unsigned short us, signed char sc, float f, double d, long double ld,
       struct st st, enum e e)
{
	%s
}
"""


def test_example(tmp_path, build):
    """With CPATH, as the page says."""
    example = re.search(r"```c\n(.*?)```", SECTION, re.S)[1]
    sdt_tool.must(["cc", "-O2", sdt_tool.source(tmp_path, example), "-o", "p"],
                  tmp_path, env=dict(os.environ, CPATH=str(sdt_tool.SDT)))
    (note,) = sdt_tool.notes(tmp_path / "p")
    assert note.args[0].startswith("-4@%r") and note.args[1].startswith("8@%r")
    assert "1 probe, 1 site: good" in sdt_tool.check(build, tmp_path / "p")[1]


def test_table(tmp_path):
    """The operands of the table's last column, of which the register is the
    compiler's choice."""
    table = re.findall(r"^\| (.*?) \| .* \| (.*?) \|$",
                       SECTION[SECTION.index("| an argument |"):], re.M)
    rows = dict(table)
    for begin, arguments in ROWS.items():
        (text,) = [row for row in rows if row.startswith(begin)]
        sizes = set(re.findall(r"`(-?\d)@", rows[text]))
        # in words: 8 bytes of others, and the number of a bit-field
        sizes = sizes or ({"1", "4"} if "bit-field" in text else {"8"})
        probes = "".join("DTRACE_PROBE1(t, p, %s);" % argument
                         for argument in arguments)
        for name in ["p.c", "p.cc"][begin == "an enum":]:
            _, every = sdt_tool.compiled(tmp_path, DECLARED % probes, "cc",
                                         name=name)
            assert {note.args[0].split("@")[0] for note in every} <= sizes


def test_the_program_of_the_table():
    """ported.py lists its programs and does not need root for that."""
    done = subprocess.run(
        [sys.executable, sdt_tool.SOURCE / "tests/bench/ported.py",
         "--sdtkit", "none", "/nonexistent", "unknown"], text=True,
        capture_output=True)
    assert done.returncode == 2
    assert "memcached, tcl8.6" in done.stderr
