# SPDX-License-Identifier: BSD-2-Clause
"""Probes work in functions of every kind (functions.c, functions.cc), however
these are compiled and linked."""

import subprocess

import pytest

from opt_in import pairs, rarely, turns
import probe_tool

COMPILERS = {("gcc", "C"): "gcc", ("clang", "C"): "clang",
             ("gcc", "C++"): "g++", ("clang", "C++"): "clang++"}
FORMS = {
    "O0": ["-O0"],
    "O1": ["-O1"],
    "O2": ["-O2"],
    "O3": ["-O3", "-march=x86-64-v3"],
    "Os": ["-Os", "-fomit-frame-pointer"],
    "Og": ["-Og", "-fno-omit-frame-pointer", "-g"],
    "PIE": ["-O2", "-fPIE", "-pie", "-Wl,-z,now"],
    "no-pie": ["-O2", "-fno-pie", "-no-pie"],
    "static-pie": ["-O2", "-fPIE", "-static-pie"],
    "static": ["-O2", "-static"],
    "lto": ["-O2", "-flto"],
    "lto-gc": ["-O3", "-flto", "-ffunction-sections", "-Wl,--gc-sections"],
    "gc": ["-O2", "-ffunction-sections", "-fdata-sections",
           "-Wl,--gc-sections"],
    "gc-O0": ["-O0", "-ffunction-sections", "-Wl,--gc-sections", "-s"],
    "address": ["-O1", "-fsanitize=address,undefined"],
    "thread": ["-O2", "-fsanitize=thread"],
    "protection": ["-O2", "-fcf-protection=full", "-fstack-protector-all",
                   "-fstack-clash-protection", "-D_FORTIFY_SOURCE=2"],
    "profile": ["-O2", "-fprofile-generate"],
    "coverage": ["-O0", "--coverage"],
    "instrument": ["-O2", "-finstrument-functions"],
    "intel": ["-O2", "-masm=intel"],
    "large": ["-O2", "-mcmodel=large", "-fno-pie", "-no-pie"],
    "no-red-zone": ["-O2", "-mno-red-zone", "-fno-asynchronous-unwind-tables"],
    "nop": ["-O2", "-DSDTKIT_NOP=nop"],
}


def build(folder, compiler, flags):
    sources = ["functions.c"] + (["functions.cc"] if "++" in compiler else [])
    return probe_tool.compile_c(folder, compiler, sources, "p", "-Wno-alloca",
                                *flags)


def run(program, folder):
    subprocess.run([program], check=True, cwd=folder)


# each form with both compilers and in both languages
BUILDS = [(form, COMPILERS[family, language])
          for form, family, language in pairs(
              FORMS, ["gcc", "clang"], ["C", "C++"], every=False)]
OFTEN = ["O0", "O2", "no-pie", "static-pie", "lto-gc", "address", "large",
         "intel"]


@pytest.mark.parametrize("form, compiler", rarely(BUILDS, [
    [row for row in BUILDS if row[0] == form][i % 2]
    for i, form in enumerate(OFTEN)]))
def test_native(compiler, form, tmp_path):
    probe_tool.generate(tmp_path)
    run(build(tmp_path, compiler, FORMS[form]), tmp_path)


@pytest.mark.parametrize("form, compiler, backend", turns(
    ["O0", "O2", "lto-gc", "address"], ["gcc", "clang++"],
    ["systemtap", "single", "none"]))
def test_other_backends(backend, compiler, form, tmp_path, unavailable):
    probe_tool.need_backend(backend, unavailable)
    single = probe_tool.PROBES if backend == "single" else ()
    probe_tool.generate(tmp_path, single=single)
    run(build(tmp_path, compiler,
              FORMS[form] + probe_tool.BACKENDS.get(backend, [])), tmp_path)
