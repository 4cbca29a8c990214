# SPDX-License-Identifier: BSD-2-Clause
"""Null pointers in the headers: no warning of clang in C++."""

import pytest

import arg_tool


@pytest.mark.parametrize("option", ["-DSDTKIT_ARG_SANITIZE",
                                    "-DSDTKIT_ARG_INLINE"])
def test_no_zero_for_a_null_pointer(option, tmp_path):
    arg_tool.generate(arg_tool.HERE / "every.d", tmp_path / "every.h")
    program = tmp_path / "program.cc"
    program.write_text('#include "every.h"\n')
    arg_tool.run("clang++", "-std=c++17", "-fsyntax-only", "-Werror",
                 "-Wzero-as-null-pointer-constant", "-Wold-style-cast", option,
                 "-I", arg_tool.SOURCE / "include", program)
