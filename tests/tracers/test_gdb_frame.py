# SPDX-License-Identifier: BSD-2-Clause
"""In gdb, the innermost frame at a probe is the function that calls the probe,
so that its variables can be printed and used in conditions."""

import subprocess

import pytest

from opt_in import turns
from . import gdb
from .builds import SOURCE

DESCRIPTION = "provider shop { probe order(int count, char *item); };\n"
PROGRAM = """
#include "shop.h"
__attribute__((noinline)) static int sell(const char *item, int count)
{
	SHOP_ORDER(count, item);
	return 2 * count;
}
int main(int argc, char **argv)
{
	(void)argv;
	return sell("pear", argc) + sell("plum", argc + 6) == 0;
}
"""
# gdb 13 ignores an `if` behind `break -probe-stap shop:order`.
COMMANDS = ["break -probe-stap shop:order", "condition 1 count == 7", "run",
            "backtrace 1", "print count", "print (char *)$_probe_arg1"]


@pytest.mark.parametrize("compiler, optimise", turns(
    ["gcc", "clang", "g++", "clang++"], ["-O0", "-O2"]))
def test_variables_of_the_caller(compiler, optimise, need, tmp_path):
    need(gdb)
    (tmp_path / "shop.d").write_text(DESCRIPTION)
    (tmp_path / "shop.c").write_text(PROGRAM)
    subprocess.run(["/usr/bin/python3", SOURCE / "probegen", "shop.d"],
                   check=True, cwd=tmp_path)
    subprocess.run([compiler, "-g", optimise, "-I", SOURCE / "include",
                    *(["-xc++"] if "++" in compiler else []), "shop.c", "-o",
                    "shop"], check=True, cwd=tmp_path)
    command = ["gdb", "-q", "-nx", "-batch"]
    for line in COMMANDS:
        command += ["-ex", line]
    said = subprocess.run([*command, "./shop"], check=True, cwd=tmp_path,
                          text=True, stdout=subprocess.PIPE).stdout
    assert "in sell (" in said.split("#0", 1)[1].split("\n")[0], said
    assert "shop.c:5" in said
    assert "$1 = 7" in said and '"plum"' in said, said
