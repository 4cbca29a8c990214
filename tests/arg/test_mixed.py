# SPDX-License-Identifier: BSD-2-Clause
"""A library that one compiler made serves a program that another made: two
texts in one probe do not become one."""

import subprocess

import pytest

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
PARTS = "address bytes clock id name status".split()


@pytest.mark.parametrize("optimise", ["-O0", "-O2"])
@pytest.mark.parametrize("library,program", [
    ("gcc", "clang"), ("clang", "gcc"), ("gcc", "g++"), ("gcc", "clang++")])
def test_texts(library, program, optimise, tmp_path, build):
    (tmp_path / "mixed.d").write_text(DESCRIPTION)
    (tmp_path / "mixed.c").write_text(PROGRAM)
    arg_tool.generate(tmp_path / "mixed.d", tmp_path / "mixed.h")
    include = ["-I", arg_tool.SOURCE / "include", "-I", tmp_path]
    for part in PARTS:
        subprocess.run([library, "-O2", *include, "-c", "-o",
                        tmp_path / (part + ".o"),
                        arg_tool.SOURCE / "lib/arg" / (part + ".c")],
                       check=True)
    language = ["-xc++"] if "++" in program else []
    subprocess.run([program, optimise, *include, *language, "mixed.c",
                    *(["-xnone"] if language else []),
                    *(part + ".o" for part in PARTS), "-o", "mixed"],
                   check=True, cwd=tmp_path)
    said = subprocess.run([build / "lib/tool/sdtkit", "trace", "-q", "--",
                           "./mixed"], check=True, cwd=tmp_path, text=True,
                          stderr=subprocess.PIPE).stderr
    assert 'name="counted"' in said and 'error="ENOENT"' in said
    assert 'status="NT_STATUS_ACCESS_DENIED"' in said
