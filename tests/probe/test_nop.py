# SPDX-License-Identifier: BSD-2-Clause
"""What is at a site: by default on x86-64 a nop and one of ten bytes, none of
it where code runs while nobody traces; and what -DSDTKIT_NOP chooses, what it
refuses."""

import subprocess

import pytest

import hot_path
from opt_in import turns
import probe_tool

NOP = "90"
NOP10 = "66 2e 0f 1f 84 00 00 00 00 00"
SITES = {
    "": [NOP, NOP10],
    "-DSDTKIT_NOP=nop": [NOP],
    "-DSDTKIT_NOP=nop10": [NOP, NOP10],
}
COMPILERS = ["gcc", "clang", "g++", "clang++"]


@pytest.fixture(autouse=True)
def x86_64(unavailable):
    if subprocess.run(["uname", "-m"], stdout=subprocess.PIPE,
                      text=True).stdout != "x86_64\n":
        unavailable("reads the bytes of x86-64 instructions")


def code(program):
    """address -> bytes of the instruction there"""
    listing = subprocess.run(["objdump", "-dw", program], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    found = map(hot_path.LINE.match, listing.split("\n"))
    return {int(line[1], 16): line[2].strip() for line in found if line}


def check_sites(program, expected, provider="t"):
    """The instructions from each note's location on; the addresses."""
    instructions = code(program)
    locations = {note.location
                 for note in probe_tool.notes(program, provider)}
    assert locations
    for location in locations:
        at = location
        for nop in expected:
            assert instructions[at] == nop
            at += len(nop.split())
        assert instructions[at] != NOP10
    return locations


@pytest.mark.parametrize("flags, option, compiler", turns(
    ["-O0", "-O2", "-O2 -masm=intel", "-O2 -flto", "-O2 -fPIC -shared"],
    SITES, COMPILERS))
def test_site(compiler, flags, option, tmp_path):
    probe_tool.generate(tmp_path)
    check_sites(probe_tool.compile_c(tmp_path, compiler, ["values.c"], "p",
                                     *flags.split(), *option.split()),
                SITES[option])


@pytest.mark.parametrize("compiler, option", turns(COMPILERS, SITES))
def test_single_site(compiler, option, tmp_path):
    """Both nops are before the function's ret."""
    probe_tool.generate(tmp_path, single=probe_tool.PROBES)
    program = probe_tool.compile_c(tmp_path, compiler, ["values.c"], "p",
                                   "-O2", *option.split())
    ends = code(program)
    for location in check_sites(program, SITES[option]):
        size = sum(len(nop.split()) for nop in SITES[option])
        assert ends[location + size] == "c3"


def test_alias(tmp_path):
    """Two notes of one place have one pair of nops."""
    probe_tool.generate(tmp_path, "--alias", "t=other")
    program = probe_tool.compile_c(tmp_path, "gcc", ["values.c"], "p", "-O2")
    assert (check_sites(program, SITES[""]) ==
            check_sites(program, SITES[""], "other"))


@pytest.mark.parametrize("compiler, option", turns(COMPILERS, SITES))
def test_site_is_not_on_the_hot_path(compiler, option, tmp_path):
    """Which is the same, whatever is at the site: cmpw, jne, 14 bytes at most
    (test_off.py)."""
    probe_tool.generate(tmp_path)
    shared = ["-O2", "-fPIC", "-shared"]
    program = probe_tool.compile_c(tmp_path, compiler, ["off.c"], "p",
                                   *shared, *option.split())
    without = probe_tool.compile_c(tmp_path, compiler, ["off.c"], "without",
                                   *shared, "-DSDTKIT_DISABLE")
    locations = check_sites(program, SITES[option])
    symbols = probe_tool.symbols(program)
    for function in hot_path.FUNCTIONS:
        name = hot_path.mangled(compiler, function)
        path = hot_path.hot_path(program, name)
        begin = symbols[name][0]
        assert locations.isdisjoint(
            range(begin, begin + sum(size for _, size in path)))
        hot_path.check_hot_path(hot_path.hot_path(without, name), path)


REFUSED = {"nop5": "overwrites the red zone", "nop11": "SDTKIT_NOP is nop",
           "5": "SDTKIT_NOP is nop"}


@pytest.mark.parametrize("value, compiler", turns(REFUSED,
                                                  ["gcc", "clang++"]))
def test_refused(compiler, value, tmp_path):
    probe_tool.generate(tmp_path)
    run = subprocess.run(
        [compiler, "-fsyntax-only", "-DSDTKIT_NOP=" + value, "-I", tmp_path,
         "-I", probe_tool.SOURCE / "include",
         "-xc++" if "++" in compiler else "-xc", probe_tool.HERE / "off.c"],
        stderr=subprocess.PIPE, text=True)
    assert run.returncode != 0 and REFUSED[value] in run.stderr
