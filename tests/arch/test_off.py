# SPDX-License-Identifier: BSD-2-Clause
"""forms.c on each machine while nobody traces: right results, nothing is
evaluated. And what the check costs there."""

import re
import subprocess

import pytest

from opt_in import pairs
import arch_tool


@pytest.mark.parametrize("name, form, compiler", pairs(
    arch_tool.MACHINES, arch_tool.FLAGS, arch_tool.COMPILERS, every=False))
def test_off(name, compiler, form, unavailable):
    try:
        program = arch_tool.program(name, compiler, form)
        run = subprocess.run([*arch_tool.runner(name), program], text=True,
                             stdout=subprocess.PIPE)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    assert run.stdout == "right 1, evaluated 0\n"
    assert run.returncode == 0


@pytest.mark.parametrize("compiler", arch_tool.COMPILERS)
@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_off_with_one_site_for_all_uses(name, compiler, unavailable):
    try:
        program = arch_tool.program(name, compiler, "O2", "single")
        subprocess.run([*arch_tool.runner(name), program], check=True)
    except arch_tool.Missing as missing:
        unavailable(str(missing))


_FUNCTION = re.compile(r"^[0-9a-f]+ <(\w+)>:$")
_INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s*\t(.*)$")
_RETURN = re.compile(r"(ret|blr$|br\s+%r14|bx\s+lr|(pop|ldm).*pc\}|"
                     r"ldr(\.w)?\s+pc,)")


def instructions(name, path, objdump=None):
    """function -> how many there are from entry to return, none jumped."""
    objdump = objdump or arch_tool.MACHINES[name].triplet + "-objdump"
    listing = subprocess.run(
        [objdump, "-d", "--no-show-raw-insn", path], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    counts, function = {}, None
    for line in listing.split("\n"):
        begin, found = _FUNCTION.match(line), _INSTRUCTION.match(line)
        if begin:
            function = begin[1]
            counts[function] = 0
        elif found and function:
            counts[function] += 1
            if _RETURN.match(found[1]):
                function = None
    return counts


@pytest.mark.parametrize("name, compiler, flags", pairs(
    arch_tool.MACHINES, arch_tool.COMPILERS, ["", "-fPIC"], every=False))
def test_cost(name, compiler, flags, tmp_path, unavailable):
    """Instructions that a function which would have no frame executes for a
    probe that nobody traces: the guard, and what the frame and the way to the
    semaphore take."""
    # with clang, an argument in the frame makes this option protect the stack
    protector = ["-fstack-protector-strong"] if compiler == "gcc" else []
    counts = []
    try:
        for extra in [], ["-DSDTKIT_DISABLE"]:
            arch_tool.compile_object(
                name, compiler, ["-O2", *protector, *flags.split(), *extra],
                arch_tool.HERE / "cost.c", tmp_path / "cost.o")
            counts.append(instructions(name, tmp_path / "cost.o"))
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    for function in "cost_words", "cost_wide":
        cost = counts[0][function] - counts[1][function]
        assert 2 <= cost <= arch_tool.MACHINES[name].cost[compiler]
