# SPDX-License-Identifier: BSD-2-Clause
"""What a debugger reads at the sites of forms.c, machine by machine: what the
program passed, and the same through gdb's own reader of notes as through
nothing but the operand's text and the registers."""

import pytest

from opt_in import pairs
import arch_tool

TEN = 10000000000


def expected(word):
    """probe -> the values of its arguments; None: an address."""
    return {
        "none": [],
        "pair": [0xffff, 0xffff],
        "unsigneds": [0xff, 0xfffe, 0xfffffffd, 200, 1, 8, (1 << word) - 1],
        "signeds": [-1, -2, -3, -4, ord("A"), -6, -7],
        "wide": [0xfedcba9876543210, -2, -1000000000000, 0xfedcba9876543210],
        "platform": [-5, -6, 0x801, 0x7fffffff, -1, 0xfffffffe],
        "floating": [arch_tool.bits("f", -1.5), arch_tool.bits("d", -2.25),
                     arch_tool.bits("f", 0.5), arch_tool.bits("d", 0.125)],
        "pointers": [None, 0x12345678, None, None],
        "places": [-7, -300, -70000, 0xfff0, -2 * TEN, (1 << 64) - 8, None],
        "words": [-1 - i for i in range(12)],
        "wides": [-i * TEN + ((1 << 64) if i % 2 else 0)
                  for i in range(1, 13)],
        "mixed": [0xfe, (1 << 64) - 3, -2, arch_tool.bits("d", 1e100), None,
                  -12 * TEN, arch_tool.bits("f", 2.5), 24, -9, -10, ord("z"),
                  1],
    }


@pytest.mark.parametrize("name, form, compiler", pairs(
    arch_tool.MACHINES, ["O0", "O2", "PIC", "frame"], arch_tool.COMPILERS,
    every=False))
def test_values(name, compiler, form, unavailable):
    check_values(name, compiler, form, "native", unavailable)


@pytest.mark.parametrize("compiler", arch_tool.COMPILERS)
@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_values_of_one_site_for_all_uses(name, compiler, unavailable):
    """There the calling convention says where arguments are."""
    check_values(name, compiler, "O2", "single", unavailable)


def check_values(name, compiler, form, header, unavailable):
    try:
        arch_tool.need("gdb-multiarch")
        program = arch_tool.program(name, compiler, form, header)
        values = arch_tool.read_values(name, program)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    assert values.pop("strings") == ["written", "literal"]
    machine = arch_tool.MACHINES[name]
    row = expected(machine.word)
    names = arch_tool.symbols(program)
    row["pointers"][3] = names["node"]
    row["places"][6] = names["function"] | (name == "thumb")
    assert set(values) == set(row)
    for probe, arguments in row.items():
        by_gdb, by_note = ([pair[i] for pair in values[probe]] for i in (0, 1))
        for found in [by_note] + [by_gdb] * machine.gdb:
            assert len(found) == len(arguments)
            assert [value for value, right in zip(found, arguments)
                    if right is not None] == [
                        right for right in arguments if right is not None]
