# SPDX-License-Identifier: BSD-2-Clause
"""What is at a site on each machine, byte for byte, and where: whether a store
to an aligned address can replace it. docs/architectures.md has the table."""

import re
import subprocess

import pytest

from opt_in import pairs
import arch_tool

FORMS = ["O0", "O2", "PIC"]


def code(path, address, size):
    """So many bytes as they are in memory."""
    listing = subprocess.run(
        ["objdump", "-s", "--start-address=%d" % address,
         "--stop-address=%d" % (address + size), path], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    rows = re.findall(r"^ [0-9a-f]+ ((?:[0-9a-f]+ ){1,4}) ", listing, re.M)
    return bytes.fromhex("".join(rows))


def check(name, path):
    machine = arch_tool.EVERY_MACHINE[name]
    nops = b"".join(map(bytes.fromhex, machine.nop))
    notes = arch_tool.notes(path)
    assert notes
    for note in notes:
        assert code(path, note.location, len(nops)) == nops
        assert note.location % machine.align == 0


@pytest.mark.parametrize("name, form, compiler, header", pairs(
    arch_tool.MACHINES, FORMS, arch_tool.COMPILERS, ["native", "single"],
    every=False))
def test_site(name, compiler, form, header, unavailable):
    try:
        path = arch_tool.program(name, compiler, form, header)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    check(name, path)


@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_alignment_is_no_more_than_is_said(name, unavailable):
    """Some site is at the least multiple of the alignment only."""
    try:
        notes = [note for compiler in arch_tool.COMPILERS
                 for note in arch_tool.notes(
                     arch_tool.program(name, compiler, "O2"))]
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    align = arch_tool.MACHINES[name].align
    assert any(note.location % (2 * align) for note in notes)


@pytest.mark.parametrize("value,works", [("nop", True), ("nop10", False)])
@pytest.mark.parametrize("name", [name for name in arch_tool.MACHINES
                                  if name != "x86-64"])
def test_choice(name, value, works, tmp_path, unavailable):
    """Other machines than x86-64 have one nop."""
    try:
        arch_tool.compile_object(
            name, "gcc", ["-O2", "-DSDTKIT_NOP=" + value],
            arch_tool.HERE / "cost.c", tmp_path / "o.o",
            stderr=subprocess.DEVNULL)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    except subprocess.CalledProcessError:
        assert not works
        return
    assert works
