# SPDX-License-Identifier: BSD-2-Clause
"""A program that has notes of <sys/sdt.h> too, as static ones have from libc.
All share one byte, .stapsdt.base: were there two, tracers that allow for
prelinking (gdb) would look for every semaphore one byte off."""

import os

import pytest

import builds
import matrix
from tracers import expression, gdb

OTHER = """#include <sys/sdt.h>
void other(void);
void other(void) { DTRACE_PROBE(other, thing); }
"""
MAIN = """#include "form_probes.h"
void other(void);
int main(void) { other(); FORM_MANY(3, 0); return 0; }
"""


@pytest.mark.parametrize("flags", [[], ["-flto"]], ids=["plain", "LTO"])
@pytest.mark.parametrize("first", ["main.c", "other.o"])
def test_gdb(first, flags, tmp_path, unavailable):
    if gdb.lacks():
        unavailable(gdb.lacks())
    if not os.path.exists(builds.DTRACE):
        unavailable("<sys/sdt.h> is not installed")
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
