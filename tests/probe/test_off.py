# SPDX-License-Identifier: BSD-2-Clause
"""A probe that is off costs cmpw and jne on x86-64, at most 14 bytes, and
changes nothing else on the path that is executed."""

import re
import subprocess

import pytest

import probe_tool

FUNCTIONS = ["off_args", "off_load", "off_string", "off_none",
             "off_guarded"]
LINE = re.compile(r"^\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*(.*)$")


def hot_path(path, function):
    """(text, size) of the instructions from entry to ret, jne not taken."""
    listing = subprocess.run(
        ["objdump", "-dw",
         "--disassemble=" + function, path], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    instructions = []
    for line in listing.split("\n"):
        match = LINE.match(line)
        if not match:
            continue
        text = re.sub(r"\s+", " ", match[3].split("#")[0]).strip()
        instructions.append((text, len(match[2].split())))
        if text.startswith("ret"):
            return instructions
    raise AssertionError("no ret in " + function)


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
@pytest.mark.parametrize("flags", [["-O2"], ["-O2", "-fPIC"], ["-O3"]],
                         ids=" ".join)
def test_two_instructions(compiler, flags, tmp_path, unavailable):
    if subprocess.run(["uname", "-m"], stdout=subprocess.PIPE,
                      text=True).stdout != "x86_64\n":
        unavailable("counts x86-64 instructions")
    probe_tool.generate(tmp_path)
    files = {}
    for name, extra in ("on", []), ("off", ["-DSDTKIT_DISABLE"]):
        files[name] = probe_tool.compile_c(
            tmp_path, compiler, ["off.c"], name + ".o", "-c", *flags, *extra)
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


def mangled(compiler, function):
    """The symbol of a function, which C++ decorates with its parameters."""
    parameters = {"off_args": "P7request", "off_load": "PKmj",
                  "off_string": "P7request", "off_none": "P7request",
                  "off_guarded": "P7request"}
    if "++" not in compiler:
        return function
    return "_Z%d%s%s" % (len(function), function, parameters[function])


def check_hot_path(without, with_probe):
    added = [(text, size) for text, size in with_probe
             if text.startswith(("cmpw $0x0,", "jne "))]
    rest = [entry for entry in with_probe if entry not in added]
    assert [text.split()[0] for text, size in added] == ["cmpw", "jne"]
    assert sum(size for text, size in added) <= 14
    # which ones, and in what order, is the compiler's business
    assert len(rest) == len(without)
