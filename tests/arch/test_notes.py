# SPDX-License-Identifier: BSD-2-Clause
"""The notes of forms.c on each machine: operands in that machine's grammar,
and everything else as <sys/sdt.h> has it."""

import re
import subprocess

import pytest

from opt_in import pairs
import arch_tool

# of forms.d: sign, and w for a word, 8 for 64 bits
TYPES = {
    "none": "",
    "pair": "w w",
    "unsigneds": "w w w w w w w",
    "signeds": "-w -w -w -w -w -w -w",
    "wide": "8 -8 -8 8",
    "platform": "-8 -8 8 8 -8 8",
    "floating": "w 8 w 8",
    "pointers": "w w w w",
    "places": "-w -w -w w -8 8 w",
    "words": " ".join(["-w"] * 12),
    "wides": " ".join(["8", "-8"] * 6),
    "mixed": "w 8 -w 8 w -8 w w -w -8 -w w",
}


def check_operands(name, found, in_frame):
    machine = arch_tool.EVERY_MACHINE[name]
    where = machine.frame if in_frame else machine.register
    assert {note.name for note in found} == set(TYPES)
    for note in found:
        types = TYPES[note.name].replace("w", str(machine.word // 8)).split()
        assert [arg.split("@")[0] for arg in note.args] == types
        for arg in note.args:
            assert re.match(where + "$", arg.split("@")[1]), (note.name, arg)


@pytest.mark.parametrize("name, form, compiler", pairs(
    arch_tool.MACHINES, arch_tool.FLAGS, arch_tool.COMPILERS, every=False))
def test_operands(name, compiler, form, unavailable):
    try:
        program = arch_tool.program(name, compiler, form)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    check_operands(name, arch_tool.notes(program), form == "frame" or
                   arch_tool.MACHINES[name].word == 32)


@pytest.mark.parametrize("name, compiler, optimise", pairs(
    arch_tool.MACHINES, ["g++", "clang++"], ["-O0", "-O2"], every=False))
def test_operands_in_cxx(name, compiler, optimise, tmp_path, unavailable):
    """g++ where there is one; the object file tells enough."""
    try:
        arch_tool.compile_object(name, compiler, [optimise, "-Wno-vla"],
                                 arch_tool.HERE / "forms.c", tmp_path / "o.o")
    except arch_tool.Missing as missing:
        if compiler == "g++":
            pytest.skip(str(missing))
        unavailable(str(missing))
    check_operands(name, arch_tool.notes(tmp_path / "o.o"),
                   arch_tool.MACHINES[name].word == 32)


@pytest.mark.parametrize("flags", [
    ["-O2", "-masm=intel"], ["-O2", "-masm=intel", "-DSDTKIT_USE_FRAME"],
    ["-O0", "-ffixed-r13", "-ffixed-r14", "-ffixed-r15",
     "-DSDTKIT_USE_FRAME"]], ids=" ".join)
def test_operands_with_unusual_flags(flags, tmp_path, unavailable):
    try:
        arch_tool.compile_object("x86-64", "gcc", flags,
                                 arch_tool.HERE / "forms.c", tmp_path / "o.o")
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    check_operands("x86-64", arch_tool.notes(tmp_path / "o.o"),
                   "-DSDTKIT_USE_FRAME" in flags)


def test_intel_dialect_on_i386_is_refused(tmp_path, unavailable):
    try:
        with pytest.raises(subprocess.CalledProcessError):
            arch_tool.compile_object(
                "i386", "gcc", ["-masm=intel"], arch_tool.HERE / "cost.c",
                tmp_path / "o.o", stderr=subprocess.DEVNULL)
    except arch_tool.Missing as missing:
        unavailable(str(missing))


@pytest.mark.parametrize("form", ["O0", "O2", "PIC"])
@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_same_as_sys_sdt_h(name, form, unavailable):
    """Names, number of arguments, sections, what the addresses point to."""
    try:
        files = [arch_tool.program(name, "gcc", form, header)
                 for header in ("native", "dropin")]
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    seen = []
    for path in files:
        names = arch_tool.symbols(path)
        notes = sorted(arch_tool.notes(path))
        for note in notes:
            assert note.base == names["_.stapsdt.base"]
            assert note.semaphore == names["forms_%s_semaphore" % note.name]
        nops = {instruction(name, path, note.location) for note in notes}
        assert len(nops) == 1
        seen.append(([(note.provider, note.name, len(note.args))
                      for note in notes], nops, sections(path)))
    assert seen[0] == seen[1]


def instruction(name, path, address):
    """The bytes and the name of the instruction at an address."""
    listing = subprocess.run(
        [arch_tool.MACHINES[name].triplet + "-objdump", "-d",
         "--start-address=%d" % address, "--stop-address=%d" % (address + 8),
         path], check=True, text=True, stdout=subprocess.PIPE).stdout
    found = re.search(r"^\s*%x:\s+([0-9a-f ]+?)\s*\t\s*(\S+)" % address,
                      listing, re.M)
    assert found[2].startswith("nop")
    return found.groups()


_SECTION = re.compile(
    r"\] (\.note\.stapsdt|\.stapsdt\.base|\.probes) +(\w+) +"
    r"\w+ \w+ \w+ \w+ +([A-Zop]*) +\d+ +\d+ +(\d+)$", re.M)


def sections(path):
    """Type, flags and alignment of the sections that probes bring, but for
    what sdtkit does otherwise (docs/design.md): flags that say what
    --gc-sections may remove, R (o where readelf does not know it) and L, and
    where .probes begins."""
    text = subprocess.run(["readelf", "-SW", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    rows = _SECTION.findall(text)
    assert len(rows) == 3
    return sorted((name, kind, re.sub("[RLo]", "", flags),
                   name == ".probes" or align)
                  for name, kind, flags, align in rows)
