# SPDX-License-Identifier: BSD-2-Clause
"""Notes and semaphores in the linked file."""

import re
import subprocess

import pytest

from opt_in import turns
from programs import has_sys_sdt
import probe_tool

OPERAND = {"": r"-?8@%r[a-z0-9]+$", "aarch64-linux-gnu-": r"-?8@x[0-9]+$"}
SIZES = {       # of site.d, the sign as in the note
    "none": [],
    "pair": ["8", "8"],
    "ints": ["-8"] * 4 + ["8"] * 4 + ["-8", "8", "8", "-8"],
    "text": ["8"] * 3,
    "count": ["-8"],
    "a__b": ["-8"],
}


@pytest.fixture
def site(tmp_path):
    probe_tool.generate(tmp_path)
    return tmp_path


def build(site, compiler, *flags, output="p"):
    return probe_tool.compile_c(site, compiler, ["values.c"], output, *flags)


@pytest.mark.parametrize("optimise, compiler", turns(
    ["-O0", "-O1", "-O2", "-O3", "-Os"], ["gcc", "clang", "g++", "clang++"]))
def test_operands_are_whole_registers(site, compiler, optimise):
    check_operands(build(site, compiler, optimise), OPERAND[""])


@pytest.mark.parametrize("flag, compiler", turns(
    ["-masm=intel", "-finstrument-functions"], ["gcc", "clang"]))
def test_operands_with_unusual_flags(site, compiler, flag):
    """Intel's assembler syntax; calls around each function."""
    check_operands(build(site, compiler, "-O2", flag), OPERAND[""])


@pytest.mark.parametrize("optimise", ["-O0", "-O2"])
def test_operands_on_aarch64(site, optimise):
    cross = "aarch64-linux-gnu-"
    if not probe_tool.have(cross + "gcc"):
        pytest.skip("needs %sgcc" % cross)
    check_operands(build(site, cross + "gcc", optimise), OPERAND[cross])


def check_operands(program, grammar):
    notes = probe_tool.notes(program)
    assert {note.name for note in notes} == set(SIZES)
    for note in notes:
        assert [arg.split("@")[0] for arg in note.args] == SIZES[note.name]
        for arg in note.args:
            assert re.match(grammar, arg), (note.name, arg)


@pytest.mark.parametrize("flags, linker", turns(
    ["", "-ffunction-sections -Wl,--gc-sections", "-flto", "-s",
     "-shared -fPIC"], ["bfd", "lld", "gold"]))
def test_one_semaphore_of_two_files(site, linker, flags):
    """Two files use the probes; the linked object has one semaphore each, and
    it lies in .probes, which begins a page of its own."""
    if not probe_tool.have("ld." + linker):
        pytest.skip("needs ld.%s" % linker)
    # lld links the LTO objects of clang only
    program = probe_tool.compile_c(
        site, "clang" if linker == "lld" else "gcc", ["values.c", "twice.c"],
        "p", "-O2", "-fuse-ld=" + linker, *flags.split())
    start, size = section(program, ".probes")
    assert start % 4096 == 0
    by_name = {}
    for note in probe_tool.notes(program):
        assert start <= note.semaphore < start + size
        assert note.base == section(program, ".stapsdt.base")[0]
        by_name.setdefault(note.name, set()).add(note.semaphore)
    assert set(by_name) == set(SIZES)
    assert all(len(found) == 1 for found in by_name.values())
    assert len({min(found) for found in by_name.values()}) == len(SIZES)
    if "-s" not in flags.split():
        address, letter = probe_tool.symbols(program)["t_pair_semaphore"]
        assert {address} == by_name["pair"]
        assert letter.lower() != "u"


def section(path, name):
    """(address, size) of a section."""
    text = subprocess.run(["readelf", "-SW", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    match = re.search(r"\] %s +\w+ +(\w+) \w+ (\w+)" % re.escape(name), text)
    return int(match[1], 16), int(match[2], 16)


def test_semaphores_of_unused_probes_are_not_made(site):
    program = probe_tool.compile_c(site, "gcc", ["off.c"], "o.o", "-c", "-O2")
    names = probe_tool.symbols(program)
    assert "t_pair_semaphore" in names and "t_ints_semaphore" not in names


def test_program_and_library_have_their_own_semaphores(site):
    """Hidden: the program's does not take the place of the library's."""
    library = probe_tool.compile_c(site, "gcc", ["off.c"], "liboff.so", "-O2",
                                   "-shared", "-fPIC")
    dynamic = subprocess.run(["nm", "-D", library], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    assert "off_args" in dynamic and "semaphore" not in dynamic


def test_same_notes_as_sys_sdt_h(site, unavailable):
    """The drop-in header over <sys/sdt.h> is the reference for everything but
    the operands."""
    ours = probe_tool.notes(build(site, "gcc", "-O2"))
    probe_tool.generate(site, "-h")
    if not has_sys_sdt():
        unavailable("<sys/sdt.h> is missing (systemtap-sdt-dev)")
    theirs = probe_tool.notes(build(site, "gcc", "-O2", "-Wno-pedantic",
                                    output="q"))
    assert (sorted((note.name, len(note.args)) for note in ours)
            == sorted((note.name, len(note.args)) for note in theirs))
    assert all(note.semaphore for note in ours + theirs)
