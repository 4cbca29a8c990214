# SPDX-License-Identifier: BSD-2-Clause
"""In C++, what an argument is made of lives until the site has fired: the
translator of this probe reads it there."""

import subprocess

import pytest

from opt_in import turns
import probe_tool

DESCRIPTION = """
typedef struct { uint64_t length; string text; } info_t;
translator info_t < char *R > { length = strlen(R); text = R; };
provider t { probe named(char *name) : (info_t *name); };
"""
PROGRAM = """
#include "t.h"
#include <string>
int main()
{
	t_named_semaphore = 1;
	T_NAMED((std::string(100, 'a') + "b").c_str());
	return 0;
}
"""


@pytest.mark.parametrize("compiler, optimise", turns(
    ["g++", "clang++"], ["-O0", "-O2"]))
def test_temporaries_live(compiler, optimise, tmp_path):
    (tmp_path / "t.d").write_text(DESCRIPTION)
    (tmp_path / "t.cc").write_text(PROGRAM)
    probe_tool.generate_file(tmp_path / "t.d")
    program = probe_tool.compile_c(tmp_path, compiler, [tmp_path / "t.cc"],
                                   "t", optimise, "-fsanitize=address")
    subprocess.run([program], check=True)
