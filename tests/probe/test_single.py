# SPDX-License-Identifier: BSD-2-Clause
"""`#pragma sdtkit single_site`: all uses of a probe call one site."""

import pathlib
import subprocess
import sys

import pytest

from opt_in import rarely, turns
import probe_tool

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent
                       / "arch"))

import arch_tool                                       # noqa: E402

EVERY = probe_tool.PROBES
REGISTERS = "%rdi %rsi %rdx %rcx %r8 %r9".split()
INTS = ["%s@%s" % (size, operand) for size, operand in zip(
    ["-8"] * 4 + ["8"] * 4 + ["-8", "8", "8", "-8"],
    REGISTERS + ["%d(%%rsp)" % (8 * i) for i in range(1, 7)])]


def build(folder, compiler, *flags, sources=("values.c", "twice.c"),
          output="p"):
    return probe_tool.compile_c(folder, compiler, sources, output, *flags)


@pytest.mark.parametrize("flags, compiler", turns(
    ["-O0", "-O2", "-O2 -flto", "-O2 -fPIC -shared",
     "-O2 -ffunction-sections -Wl,--gc-sections"],
    ["gcc", "clang", "g++", "clang++"]))
def test_one_location_per_object(compiler, flags, tmp_path):
    """Two files use the probes, with inline sites of the others beside."""
    probe_tool.generate(tmp_path, single=["none", "pair", "ints"])
    found = {}
    for note in probe_tool.notes(
            build(tmp_path, compiler, *flags.split())):
        found.setdefault(note.name, []).append(note)
    assert set(found) == set(EVERY)
    assert [len(found[name]) for name in ("none", "pair", "ints", "count")
            ] == [1, 1, 1, 2]
    assert found["pair"][0].args == ["8@%rdi", "8@%rsi"]
    assert found["ints"][0].args == INTS


@pytest.mark.parametrize("linker", rarely(
    ["bfd", "gold", "lld", "mold"], ["lld", "mold"]))
def test_linkers(linker, tmp_path):
    if not probe_tool.have("ld." + linker):
        pytest.skip("needs ld." + linker)
    probe_tool.generate(tmp_path, single=EVERY)
    program = build(tmp_path, "gcc", "-O2", "-fuse-ld=" + linker)
    assert sorted(note.name for note in probe_tool.notes(program)
                  ) == sorted(EVERY)
    subprocess.run([program], check=True, stdout=subprocess.DEVNULL)


def test_relocatable(tmp_path):
    """Two results of `ld -r`, each with the site, make one program."""
    probe_tool.generate(tmp_path, single=EVERY)
    parts = []
    for source in "values.c", "twice.c":
        build(tmp_path, "gcc", "-O2", "-c", sources=[source],
              output=source + ".o")
        parts.append(tmp_path / (source + ".r.o"))
        subprocess.run(["ld", "-r", tmp_path / (source + ".o"), "-o",
                        parts[-1]], check=True)
    subprocess.run(["gcc", *parts, "-o", tmp_path / "p"], check=True)
    assert sorted(note.name for note in probe_tool.notes(tmp_path / "p")
                  ) == sorted(EVERY)


def test_alias(tmp_path):
    probe_tool.generate(tmp_path, "--alias", "t=other", single=EVERY)
    program = build(tmp_path, "gcc", "-O2")
    own = probe_tool.notes(program)
    assert len(own) == len(EVERY)
    assert sorted(own) == sorted(probe_tool.notes(program, "other"))


def test_unused_sites_are_not_made(tmp_path):
    probe_tool.generate(tmp_path, single=EVERY)
    names = probe_tool.symbols(build(tmp_path, "gcc", "-O2", "-c",
                                     sources=["off.c"], output="o.o"))
    assert "sdtkit_t_pair_site" in names and "sdtkit_t_ints_site" not in names


@pytest.mark.parametrize("name", [name for name in arch_tool.MACHINES
                                  if name not in ("x86-64", "i386", "thumb")])
def test_other_machines(name, tmp_path):
    """The site is called with its arguments where the note says, but on
    machines of 32 bits, which have inline sites: functions.c runs."""
    machine = arch_tool.MACHINES[name]
    cross, qemu = machine.triplet + "-gcc", "qemu-%s-static" % machine.qemu
    if not (probe_tool.have(cross) and probe_tool.have(qemu)):
        pytest.skip("needs %s and %s" % (cross, qemu))
    probe_tool.generate(tmp_path, single=EVERY)
    program = probe_tool.compile_c(tmp_path, cross, ["functions.c"], "p", "-O2",
                                   "-static")
    subprocess.run([qemu, program], check=True)
    count = [note for note in probe_tool.notes(program)
             if note.name == "count"]
    assert (len(count) == 1) == machine.single
