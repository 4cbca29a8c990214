# SPDX-License-Identifier: BSD-2-Clause
"""What a debugger reads at the sites of values.c, machine by machine, in C and
C++: what the program passed."""

import re
import subprocess

import pytest

import sdt_tool
from arch import arch_tool


def expected(machine):
    """probe -> the values of its arguments; None: an address."""
    word = machine.word
    # plain char is unsigned on some machines; n + 2 has no sign either way
    return {
        "none": [],
        "signeds": [-5, -300, -70000, -8, 1],
        "unsigneds": [200, 60000, 4000000000, (1 << word) - 1],
        "wide": [-10000000000000, (1 << 64) - 8],
        "floating": [arch_tool.bits("f", -1.5), arch_tool.bits("d", -2.25),
                     arch_tool.bits("d", 0.125)],
        "pointers": [None] * 5,
        "twelve": [-100000, 1, 2, None, 254, -5, -99994, -7, 250, 65000, -10,
                   -99989],
    }


def made(folder, name, compiler, flags):
    """values.c as a static program for the machine."""
    machine = arch_tool.MACHINES[name]
    command = [machine.triplet + "-" + compiler]
    if compiler.startswith("clang"):
        command = [compiler, "--target=" + machine.triplet]
    arch_tool.need(machine.triplet + "-gcc", command[0])
    if not arch_tool.has_libc(machine.triplet):
        raise arch_tool.Missing("no C library for " + machine.triplet)
    sdt_tool.must(
        [*command, *machine.flags, *flags, *sdt_tool.OURS, "-DEVERYTHING",
         "-Wall", "-Wextra", "-Werror", *["-xc++"] * ("++" in compiler), "-c",
         sdt_tool.HERE / "values.c", "-o", "values.o"], folder)
    sdt_tool.must([machine.triplet + "-gcc", *machine.flags, "-static", "-o",
                   "values", "values.o"], folder)
    return folder / "values"


# clang++ is enough for C++, but on one machine
@pytest.mark.parametrize("name, compiler, flags", [
    (name, compiler, flags) for name in arch_tool.MACHINES
    for compiler, flags in (
        ("gcc", ["-O0"]), ("gcc", ["-O2", "-fPIC"]), ("g++", ["-O2"]),
        ("clang", ["-O2"]), ("clang++", ["-O0", "-fPIC"]))
    if compiler != "g++" or name == "aarch64"])
def test_values(name, compiler, flags, tmp_path, unavailable):
    machine = arch_tool.MACHINES[name]
    try:
        arch_tool.need("gdb-multiarch")
        program = made(tmp_path, name, compiler, flags)
        values = arch_tool.read_values(name, program)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    check_others(values.pop("others"), machine)
    assert values.pop("strings") == ["text", "literal"]
    rows = expected(machine)
    assert set(values) == set(rows)
    for probe, row in rows.items():
        for way in [1] + [0] * machine.gdb:
            found = [pair[way] for pair in values[probe]]
            assert len(found) == len(row)
            assert [value if right is not None else None
                    for value, right in zip(found, row)] == row, probe


def check_others(found, machine):
    """Structs: their first bytes; and an argument is evaluated once."""
    values = [pair[1] for pair in found]
    little = machine.triplet != "s390x-linux-gnu"
    pair = 5 + (6 << 32) if little else (5 << 32) + 6
    large = (1 << 64) - 9
    if machine.word == 32:
        large = ((1 << 32) - 9) + (1 << 32)     # two members in 8 bytes
    assert values == [-3, pair, large, 12345, 1, 1]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_sdtkit_finds_nothing(name, compiler, tmp_path, build, unavailable):
    """No operand that a tracer cannot read; what is left is about machines
    that some tracers do not know."""
    try:
        program = made(tmp_path, name, compiler, ["-O2"])
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    said = sdt_tool.check(build, program)[1]
    assert "OPERAND" not in said
    assert "ARGUMENT_" not in said
    for note in sdt_tool.notes(program):
        for operand in note.args:
            assert operand.split("@")[0] in sdt_tool.SIZES


def test_on_this_machine(tmp_path, build):
    """Nothing at all but the number of arguments that old tracers read."""
    sdt_tool.must(["gcc", "-O2", "-DEVERYTHING", *sdt_tool.OURS,
                   sdt_tool.HERE / "values.c", "-o", "values"], tmp_path)
    said = sdt_tool.check(build, tmp_path / "values")[1]
    assert set(re.findall(r"(?:warning|error) (\w+):", said)) == {
        "TOO_MANY_ARGUMENTS"}, said
    assert subprocess.run([tmp_path / "values"]).returncode == 0
