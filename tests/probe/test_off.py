# SPDX-License-Identifier: BSD-2-Clause
"""A probe that is off costs cmpw and jne on x86-64, at most 14 bytes, and
changes nothing else on the path that is executed."""

import subprocess

import pytest

from opt_in import turns
import probe_tool
from hot_path import FUNCTIONS, check_hot_path, hot_path, mangled


@pytest.mark.parametrize("compiler, flags", turns(
    ["gcc", "clang", "g++", "clang++"], ["-O2", "-O2 -fPIC", "-O3"]))
def test_two_instructions(compiler, flags, tmp_path, unavailable):
    if subprocess.run(["uname", "-m"], stdout=subprocess.PIPE,
                      text=True).stdout != "x86_64\n":
        unavailable("counts x86-64 instructions")
    probe_tool.generate(tmp_path)
    files = {}
    for name, extra in ("on", []), ("off", ["-DSDTKIT_DISABLE"]):
        files[name] = probe_tool.compile_c(
            tmp_path, compiler, ["off.c"], name + ".o", "-c", *flags.split(),
            *extra)
    for function in FUNCTIONS:
        check_hot_path(hot_path(files["off"], mangled(compiler, function)),
                       hot_path(files["on"], mangled(compiler, function)))


@pytest.mark.parametrize("compiler", ["gcc", "g++"])
def test_cold_block_is_in_a_section_of_its_own(compiler, tmp_path):
    """gcc: all that runs while traced, and no call that was only a hint."""
    probe_tool.generate(tmp_path)
    program = probe_tool.compile_c(tmp_path, compiler, ["off.c"], "o.o", "-c",
                                   "-O2")
    for function in FUNCTIONS:
        path = hot_path(program, mangled(compiler, function))
        assert any(text.startswith("jne") and size == 6 for text, size in path)
        assert any(name == mangled(compiler, function) + ".cold"
                   for name in probe_tool.symbols(program))
    dump = subprocess.run(["objdump", "-dr", program], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    assert "sdtkit_cold-" not in dump and "sdtkit_cold>" not in dump.replace(
        "<sdtkit_cold>:", "")


def test_function_that_is_not_optimised(tmp_path):
    """In a file that is: what the hint calls is there."""
    probe_tool.generate(tmp_path)
    (tmp_path / "p.c").write_text("""
        #include "site.h"
        __attribute__((optimize("O0"))) int main(int n, char **argv)
        {
            t_count_semaphore = 1;
            T_COUNT(n);
            (void)argv;
            return 0;
        }""")
    program = probe_tool.compile_c(tmp_path, "gcc", [tmp_path / "p.c"], "p",
                                   "-O2")
    subprocess.run([program], check=True)
