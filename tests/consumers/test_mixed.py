# SPDX-License-Identifier: BSD-2-Clause
"""A program that has notes of <sys/sdt.h> too, as static ones have from libc.
All share one byte, .stapsdt.base: were there two, tracers that allow for
prelinking (gdb) would look for every semaphore one byte off."""

import pytest

import builds
import matrix
from opt_in import turns
from tracers import expression, gdb

OTHER = """#include <sys/sdt.h>
void other(void);
void other(void) { DTRACE_PROBE(other, thing); }
"""
MAIN = """#include "form_probes.h"
void other(void);
int main(void) { other(); FORM_MANY(3, 0); return 0; }
"""


@pytest.mark.parametrize("first, flags", turns(
    ["main.c", "other.o"], [[], ["-flto"]], every=False), ids=str)
def test_gdb(first, flags, tmp_path, unavailable):
    if gdb.lacks():
        unavailable(gdb.lacks())
    if builds.lacks("sys/sdt.h"):
        unavailable(builds.lacks("sys/sdt.h"))
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / "other.c").write_text(OTHER)
    files = ["other.o", "main.c"] if first == "other.o" else ["main.c",
                                                              "other.o"]
    builds.must(tmp_path, [builds.PYTHON, builds.SOURCE / "probegen",
                           "-s", builds.HERE / "sites.d", "-o",
                           "form_probes.h"])
    builds.must(tmp_path, ["gcc", "-O2", "-c", "other.c"])
    builds.must(tmp_path, ["gcc", "-O2", *flags, "-I.", "-I",
                           builds.SOURCE / "include", *files, "-o", "main"])
    program = builds.Program(tmp_path, "main", set())
    assert matrix.read(gdb, program, {
        "many": [expression("arg0"), expression("arg1")]}) == {
            "many": [[3, 0]]}
