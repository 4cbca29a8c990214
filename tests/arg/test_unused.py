# SPDX-License-Identifier: BSD-2-Clause
"""A file that does not use a probe with marshalled arguments has no site of
it, and needs no library, at -O0 too."""

import subprocess

import pytest

from opt_in import turns
import arg_tool

DESCRIPTION = """provider q {
	probe used(int a);
	probe text(sdtkit_counted_t a);
	probe where(sdtkit_sockaddr_t a);
};
"""
PROGRAM = '#include "q.h"\nint main(void) { Q_USED(1); return 0; }\n'


@pytest.mark.parametrize("compiler, optimise", turns(arg_tool.COMPILERS,
                                                     ["-O0", "-O2"]))
def test_no_site_of_what_is_unused(compiler, optimise, tmp_path):
    (tmp_path / "q.d").write_text(DESCRIPTION)
    (tmp_path / "q.c").write_text(PROGRAM)
    arg_tool.generate(tmp_path / "q.d", tmp_path / "q.h")
    arg_tool.run(compiler, *arg_tool.WARNINGS, optimise, "-I", tmp_path, "-I",
                 arg_tool.SOURCE / "include",
                 *(["-xc++"] if "++" in compiler else []), tmp_path / "q.c",
                 "-o", tmp_path / "q")
    notes = subprocess.run(["readelf", "-n", tmp_path / "q"], check=True,
                           text=True, stdout=subprocess.PIPE).stdout
    assert notes.count("Provider: q\n") == 1
