# SPDX-License-Identifier: BSD-2-Clause
"""The header compiles without a warning in every dialect, and its probes
behave: compilers x language standards x optimisation x enabled or not."""

import re
import subprocess

import pytest

from opt_in import rarely, turns
import probe_tool

C_STANDARDS = ["c99", "c11", "c17", "c2x", "gnu11"]
CXX_STANDARDS = ["c++11", "c++14", "c++17", "c++20", "c++2b"]
FORMS = {
    "O0": ["-O0"],
    "O2": ["-O2"],
    "PIC": ["-O2", "-fPIC"],
    "nopie": ["-Os", "-fno-pie", "-no-pie"],
    "lto": ["-O3", "-flto"],
    "gc": ["-O1", "-ffunction-sections", "-Wl,--gc-sections"],
}


def compilers():
    for compiler in "gcc", "clang":
        for standard in C_STANDARDS:
            yield "%s -std=%s -Wc++-compat -Wmissing-prototypes" % (
                compiler, standard)
    for compiler in "g++", "clang++":
        for standard in CXX_STANDARDS:
            yield "%s -std=%s -Wold-style-cast" % (compiler, standard)


def check_evaluate(folder, compiler, backend, *flags):
    probe_tool.generate(folder)
    program = probe_tool.compile_c(folder, compiler, ["evaluate.c"], "p",
                                   *probe_tool.BACKENDS[backend], *flags)
    subprocess.run([program], check=True)
    names = {note.name for note in probe_tool.notes(program)}
    assert names == (set() if backend == "none"
                     else {"none", "pair", "count"})


@pytest.mark.parametrize("compiler", rarely(compilers(), [
    compiler for compiler in compilers()
    if compiler.split(" -W")[0] in ("gcc -std=c99", "clang -std=c2x",
                                    "g++ -std=c++2b", "clang++ -std=c++11")]),
    ids=lambda c: " ".join(c.split()[:2]))
def test_every_dialect(compiler, tmp_path):
    check_evaluate(tmp_path, compiler, "native", "-O2")


@pytest.mark.parametrize("compiler, backend", turns(
    ["gcc -std=c99", "clang -std=gnu11", "g++ -std=c++20",
     "clang++ -std=c++11"], ["systemtap", "none"]))
def test_every_backend(compiler, backend, tmp_path, unavailable):
    probe_tool.need_backend(backend, unavailable)
    check_evaluate(tmp_path, compiler, backend, "-O2")


@pytest.mark.parametrize("form, compiler", turns(
    FORMS, ["gcc", "clang", "g++", "clang++"]))
def test_every_form(compiler, form, tmp_path):
    check_evaluate(tmp_path, compiler, "native", *FORMS[form])


@pytest.mark.parametrize("compiler, optimise", turns([
    "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++",
    "clang --target=aarch64-linux-gnu -fuse-ld=lld",
    "clang++ --target=aarch64-linux-gnu -fuse-ld=lld"], ["-O0", "-O2"]),
    ids=lambda c: c.split(" -")[0])
def test_evaluate_on_aarch64(compiler, optimise, tmp_path):
    for needed in ("aarch64-linux-gnu-g++", "qemu-aarch64-static",
                   compiler.split()[0]):
        if not probe_tool.have(needed):
            pytest.skip("needs " + needed)
    probe_tool.generate(tmp_path)
    program = probe_tool.compile_c(tmp_path, compiler, ["evaluate.c"], "p",
                                   optimise, "-static")
    subprocess.run(["qemu-aarch64-static", program], check=True)
    assert len(probe_tool.notes(program)) >= 8


WRONG = {
    "too few": "T_PAIR(1)",
    "too many": "T_PAIR(1, 2, 3)",
    "pointer for number": "T_PAIR(main, 2)",
    "number for pointer": "T_TEXT(who, 0, 77)",
    "struct for number": "T_COUNT(s)",
}


@pytest.mark.parametrize("compiler, backend", turns(
    ["gcc", "clang", "g++", "clang++"], probe_tool.BACKENDS))
def test_wrong_arguments_do_not_compile(compiler, backend, tmp_path,
                                        unavailable):
    """Each call has a line of its own, and each line an error."""
    probe_tool.need_backend(backend, unavailable)
    flags = probe_tool.BACKENDS[backend]
    probe_tool.generate(tmp_path)
    program = ('#include "site.h"\nstruct s { int a; } s;\nchar who[8];\n'
               "int main(void)\n{\n%s\treturn 0;\n}\n")
    command = [compiler, "-Werror", *flags, "-I", tmp_path, "-I",
               probe_tool.SOURCE / "include", "-fsyntax-only",
               "-xc++" if "++" in compiler else "-xc", "-"]

    def wrong(*calls):
        said = subprocess.run(command, input=program % "".join(
            '#line %d "calls"\n\t%s;\n' % row for row in enumerate(calls, 1)),
            text=True, stderr=subprocess.PIPE).stderr
        return {int(line) for line in re.findall(r"^calls:(\d+):", said, re.M)}

    assert not wrong('T_PAIR(1, 2), T_COUNT(s.a), T_TEXT(who, 0, "x")')
    assert wrong(*WRONG.values()) == set(range(1, len(WRONG) + 1))
