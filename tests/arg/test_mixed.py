# SPDX-License-Identifier: BSD-2-Clause
"""A library that one compiler made serves a program that another made: two
texts in one probe do not become one."""

import subprocess

import pytest

from opt_in import turns
import arg_tool

DESCRIPTION = """provider mixed {
	probe two(sdtkit_counted_t name, sdtkit_errno_t error,
		  sdtkit_ntstatus_t status);
};
"""
PROGRAM = """
#include "mixed.h"
int main(int argc, char **argv)
{
	(void)argv;
	MIXED_TWO("counted", 7, 1 + argc, 0xc0000022);
	return 0;
}
"""


@pytest.mark.parametrize("both, optimise", turns(
    ["gcc, clang", "clang, gcc", "gcc, g++", "gcc, clang++"], ["-O0", "-O2"]))
def test_texts(both, optimise, tmp_path, build):
    library, program = both.split(", ")
    (tmp_path / "mixed.d").write_text(DESCRIPTION)
    (tmp_path / "mixed.c").write_text(PROGRAM)
    arg_tool.generate(tmp_path / "mixed.d", tmp_path / "mixed.h")
    include = ["-I", arg_tool.SOURCE / "include", "-I", tmp_path]
    language = ["-xc++"] if "++" in program else []
    subprocess.run([program, optimise, *include, *language, "mixed.c",
                    *(["-xnone"] if language else []),
                    *arg_tool.library(library, "-O2"), "-o", "mixed"],
                   check=True, cwd=tmp_path)
    said = subprocess.run([build / "lib/tool/sdtkit", "trace", "-q", "--",
                           "./mixed"], check=True, cwd=tmp_path, text=True,
                          stderr=subprocess.PIPE).stderr
    assert 'name="counted"' in said and 'error="ENOENT"' in said
    assert 'status="NT_STATUS_ACCESS_DENIED"' in said
