# SPDX-License-Identifier: BSD-2-Clause
"""forms.c on each machine while nobody traces: right results, nothing is
evaluated. And what the check costs there."""

import re
import subprocess

import pytest

import arch_tool


@pytest.mark.parametrize("form", arch_tool.FLAGS)
@pytest.mark.parametrize("compiler", arch_tool.COMPILERS)
@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_off(name, compiler, form, unavailable):
    try:
        program = arch_tool.program(name, compiler, form)
        run = subprocess.run([arch_tool.qemu(name), program], text=True,
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
        subprocess.run([arch_tool.qemu(name), program], check=True)
    except arch_tool.Missing as missing:
        unavailable(str(missing))


# Instructions that a function which would have no frame executes for a probe
# that nobody traces: the check, and what the frame and the way to the
# semaphore take. A shared library of i386 has to find itself first (call,
# pop or mov, add), one of ppc64le its table (addis, addi).
COST = {
    "x86-64": {"gcc": 2, "clang": 2},
    "i386": {"gcc": 6, "clang": 9},
    "aarch64": {"gcc": 3, "clang": 3},
    "arm": {"gcc": 5, "clang": 8},
    "thumb": {"gcc": 4, "clang": 8},
    "ppc64le": {"gcc": 6, "clang": 6},
    "s390x": {"gcc": 3, "clang": 3},
    "riscv64": {"gcc": 3, "clang": 4},
}
_FUNCTION = re.compile(r"^[0-9a-f]+ <(\w+)>:$")
_INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\t(.*)$")
_RETURN = re.compile(r"(ret|blr$|br\s+%r14|bx\s+lr|(pop|ldm).*pc\}|"
                     r"ldr(\.w)?\s+pc,)")


def instructions(name, path):
    """function -> how many there are from entry to return, none jumped."""
    listing = subprocess.run(
        [arch_tool.MACHINES[name].triplet + "-objdump", "-d",
         "--no-show-raw-insn", path], check=True, text=True,
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


@pytest.mark.parametrize("flags", [[], ["-fPIC"]], ids=" ".join)
@pytest.mark.parametrize("compiler", arch_tool.COMPILERS)
@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_cost(name, compiler, flags, tmp_path, unavailable):
    # with clang, what is in the frame makes a function a guarded one
    guard = ["-fstack-protector-strong"] if compiler == "gcc" else []
    counts = []
    try:
        for extra in [], ["-DSDTKIT_DISABLE"]:
            arch_tool.compile_object(
                name, compiler, ["-O2", *guard, *flags, *extra],
                arch_tool.HERE / "cost.c", tmp_path / "cost.o")
            counts.append(instructions(name, tmp_path / "cost.o"))
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    for function in "cost_words", "cost_wide":
        cost = counts[0][function] - counts[1][function]
        assert 2 <= cost <= COST[name][compiler]
