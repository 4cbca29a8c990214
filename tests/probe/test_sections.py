# SPDX-License-Identifier: BSD-2-Clause
"""Notes live and die with their code: --gc-sections, COMDAT, ld -r, strip."""

import subprocess

import pytest

from opt_in import turns
import probe_tool

USED = {"none", "pair", "count"}


def compile_two(folder, compiler, *flags):
    probe_tool.generate(folder)
    return [probe_tool.compile_c(folder, compiler, ["sections.c"],
                                 "%d.o" % i, "-c", "-ffunction-sections",
                                 *flags, *extra)
            for i, extra in enumerate([[], ["-DSECOND"]])]


def link(folder, compiler, linker, objects, *flags):
    if not probe_tool.have("ld." + linker):
        pytest.skip("needs ld." + linker)
    subprocess.run([compiler, "-fuse-ld=" + linker, *objects, *flags, "-o",
                    folder / "p"], check=True)
    return folder / "p"


def names(program):
    """Returns the names in the notes. Each site must be inside .text."""
    text = subprocess.run(["readelf", "-SW", program], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    row = next(line for line in text.split("\n") if " .text " in line)
    start, size = (int(row.split(" .text ")[1].split()[i], 16)
                   for i in (1, 3))
    found = probe_tool.notes(program)
    assert all(start <= note.location < start + size for note in found)
    return [note.name for note in found]


@pytest.mark.parametrize("compiler, optimise, linker", turns(
    ["gcc", "clang", "g++", "clang++"], ["-O2", "-O0"], ["bfd", "lld"]))
def test_removed_functions_take_their_notes_along(compiler, optimise, linker,
                                                  tmp_path):
    """With gold such a program does not link; mold leaves the note."""
    objects = compile_two(tmp_path, compiler, optimise)
    program = link(tmp_path, compiler, linker, objects, "-Wl,--gc-sections")
    assert set(names(program)) == USED
    assert not {"removed_first", "removed_last"} & set(
        probe_tool.symbols(program))
    subprocess.run([program], check=True)


@pytest.mark.parametrize("linker, compiler", turns(
    ["bfd", "gold", "lld", "mold"], ["gcc", "clang++"]))
def test_all_notes_without_gc(compiler, linker, tmp_path):
    objects = compile_two(tmp_path, compiler, "-O0")
    program = link(tmp_path, compiler, linker, objects)
    assert sorted(names(program)) == ["a__b", "a__b", "count", "none", "pair"]


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
def test_relocatable(linker, tmp_path):
    """`ld -r` of both files, then a program of the result."""
    objects = compile_two(tmp_path, "gcc", "-O2")
    subprocess.run(["gcc", "-r", "-nostdlib", "-fuse-ld=" + linker, *objects,
                    "-o", tmp_path / "r.o"], check=True)
    program = link(tmp_path, "gcc", "bfd", [tmp_path / "r.o"])
    assert sorted(names(program)) == ["a__b", "a__b", "count", "none", "pair"]
    assert len({note.semaphore for note in probe_tool.notes(program)
                if note.name == "a__b"}) == 1


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
def test_beside_notes_of_sys_sdt_h(linker, tmp_path, unavailable):
    """These name no section that they belong to."""
    probe_tool.need_backend("systemtap", unavailable)
    objects = compile_two(tmp_path, "gcc", "-O2")
    objects[1] = probe_tool.compile_c(
        tmp_path, "gcc", ["sections.c"], "1.o", "-c", "-O2", "-DSECOND",
        *probe_tool.BACKENDS["systemtap"])
    program = link(tmp_path, "gcc", linker, objects)
    assert sorted(names(program)) == ["a__b", "a__b", "count", "none", "pair"]


@pytest.mark.parametrize("how", [["strip", "-g"], ["llvm-strip", "-g"],
                                 ["objcopy"], ["llvm-objcopy"]],
                         ids=lambda how: how[0])
def test_objects_that_were_stripped(how, tmp_path):
    if not probe_tool.have(how[0]):
        pytest.skip("needs " + how[0])
    objects = compile_two(tmp_path, "gcc", "-O2", "-g")
    for file in objects:
        subprocess.run([*how, file], check=True)
    program = link(tmp_path, "gcc", "bfd", objects, "-Wl,--gc-sections")
    assert set(names(program)) == USED
