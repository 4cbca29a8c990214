# SPDX-License-Identifier: BSD-2-Clause
"""lib/arg compiles for each machine as its build asks for it: in strict C11."""

import pytest

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
