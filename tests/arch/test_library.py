# SPDX-License-Identifier: BSD-2-Clause
"""lib/arg compiles for each machine as its build asks for it: in strict C11;
and so does its header, in a program of strict C that has it inline."""

import subprocess

import pytest

from opt_in import rarely
import arch_tool

FILES = sorted((arch_tool.SOURCE / "lib" / "arg").glob("*.c"))


@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_library(name, tmp_path, unavailable):
    assert FILES
    try:
        for path in FILES:
            arch_tool.compile_object(name, "gcc", ["-std=c11", "-O2"], path,
                                     tmp_path / "out.o")
    except arch_tool.Missing as missing:
        unavailable(str(missing))


@pytest.mark.parametrize("standard", rarely(
    ["-std=c99", "-std=c11", "-std=gnu11"], ["-std=c99", "-std=gnu11"]))
@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_inline_clocks(name, standard, tmp_path, unavailable):
    """Where the header makes no system call by itself it takes libc's, which
    strict C does not show."""
    machine, program = arch_tool.MACHINES[name], tmp_path / "clocks"
    try:
        runner = arch_tool.runner(name)
        arch_tool.compile_object(
            name, "gcc", [standard, "-O2"], arch_tool.HERE / "clocks.c",
            tmp_path / "clocks.o")
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    subprocess.run([machine.triplet + "-gcc", *machine.flags, "-static",
                    tmp_path / "clocks.o", "-o", program], check=True)
    assert subprocess.run([*runner, program]).returncode == 0
