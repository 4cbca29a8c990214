# SPDX-License-Identifier: BSD-2-Clause
"""A site in the last bytes of the code, where mold puts functions that are
rarely called: there may be only a return after the nops."""

import subprocess
import sys

import pytest

LIBRARY = """
#include "last_probes.h"
static void __attribute__((noinline, section("last_text"))) last(int x)
{
	LAST_NUM(x);
}
int start(int x);
int start(int x)
{
	last(x);
	return 0;
}
"""
PROGRAM = "int start(int x); int main(void) { return start(1); }\n"


@pytest.mark.parametrize("flags", [[], ["-DSDTKIT_NOP=nop"]], ids=" ".join)
def test_site_at_the_end_of_the_code(flags, sdtkit, source, tmp_path, acts):
    """A library without start files has no .fini after its code."""
    (tmp_path / "last.d").write_text("provider last { probe num(int x); };\n")
    (tmp_path / "last.c").write_text(LIBRARY)
    (tmp_path / "program.c").write_text(PROGRAM)
    subprocess.run([sys.executable, source / "probegen", "last.d", "-o",
                    "last_probes.h"], cwd=tmp_path, check=True)
    subprocess.run(["gcc", "-O2", *flags, "-fcf-protection=none", "-fPIC",
                    "-shared", "-nostartfiles", "-I", source / "include",
                    "-I.", "last.c", "-o", "liblast.so"], cwd=tmp_path,
                   check=True)
    subprocess.run(["gcc", "program.c", "-L.", "-llast", "-Wl,-rpath,$ORIGIN",
                    "-o", "program"], cwd=tmp_path, check=True)
    done = subprocess.run([sdtkit, "trace", "last:*",
                           tmp_path / "program"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300)
    assert "last:num(x=1)" in done.stdout
