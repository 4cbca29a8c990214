# SPDX-License-Identifier: BSD-2-Clause
"""Machines whose C library the distribution does not have: the notes of
forms.c as an object file, what the check costs, and one freestanding program
that taps its own site under qemu."""

import re
import subprocess
import sys

import pytest

import arch_tool
import test_at_site
import test_notes
import test_off
from programs import which

# types have the same sizes on all machines with words of 64 bits
BORROWED = "/usr/aarch64-linux-gnu/include"
FORMS = ["O0", "O2", "PIC", "frame"]


def compile_bare(name, source, output, flags, folder, unavailable):
    clang = arch_tool.BARE[name].clang
    if not which(clang):
        unavailable(clang + " is not installed")
    subprocess.run([clang, "--target=" + arch_tool.BARE[name].triplet,
                    *arch_tool.BARE[name].flags, *arch_tool.WARNINGS, *flags,
                    "-I", folder, "-I", arch_tool.SOURCE / "include", source,
                    "-o", output], check=True)


def compile_object(name, source, output, flags, unavailable, header="native"):
    if not arch_tool.has_libc("aarch64-linux-gnu"):
        unavailable("no headers of a C library (libc6-dev-arm64-cross)")
    compile_bare(name, arch_tool.HERE / source, output,
                 ["-c", "-isystem", BORROWED, *flags],
                 arch_tool.workshop() / header, unavailable)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", arch_tool.BARE)
def test_operands(name, form, tmp_path, unavailable):
    compile_object(name, "forms.c", tmp_path / "o.o", arch_tool.FLAGS[form],
                   unavailable)
    test_notes.check_operands(name, arch_tool.notes(tmp_path / "o.o"),
                              form == "frame")


@pytest.mark.parametrize("name", arch_tool.BARE)
def test_operands_of_single_sites(name, tmp_path, build, unavailable):
    """What the calling convention says is what sdtkit reads: a register of
    the machine, or its stack."""
    compile_object(name, "forms.c", tmp_path / "o.o", ["-O2"], unavailable,
                   "single")
    found = {note.name: note.args for note in arch_tool.notes(
        tmp_path / "o.o")}
    assert len(found["words"]) == 12
    listing = subprocess.run([build / "lib/tool/sdtkit", "list", "-v",
                              tmp_path / "o.o"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    assert "words" in listing


@pytest.mark.parametrize("name", arch_tool.BARE)
def test_cost(name, tmp_path, unavailable):
    counts = []
    for extra in [], ["-DSDTKIT_DISABLE"]:
        compile_object(name, "cost.c", tmp_path / "cost.o", ["-O2", *extra],
                       unavailable)
        counts.append(count_instructions(name, tmp_path / "cost.o",
                                         unavailable))
    for function in "cost_words", "cost_wide":
        cost = counts[0][function] - counts[1][function]
        assert 2 <= cost <= arch_tool.BARE[name].cost["clang"]


def count_instructions(name, path, unavailable):
    """The objdump that came with the compiler."""
    objdump = arch_tool.BARE[name].clang.replace("clang", "llvm-objdump")
    if not which(objdump):
        unavailable(objdump + " is not installed")
    return test_off.instructions(name, path, objdump)


# What differs between C libraries of what lib/attach/machine.c takes; glibc's.
STUBS = {
    "signal.h": "#define SIGTRAP 5\n",
    "ucontext.h": """
typedef struct {
	unsigned long long __pc, __gregs[32];
	unsigned int __flags;
} mcontext_t;
typedef struct { mcontext_t uc_mcontext; } ucontext_t;
""",
}


@pytest.mark.parametrize("name", arch_tool.BARE)
def test_tap_compiles(name, tmp_path, unavailable):
    if not arch_tool.has_libc("aarch64-linux-gnu"):
        unavailable("no headers of a C library (libc6-dev-arm64-cross)")
    for path, text in STUBS.items():
        (tmp_path / path).write_text(text)
    compile_bare(name, arch_tool.SOURCE / "lib/attach/machine.c",
                 tmp_path / "machine.o",
                 ["-c", "-std=c11", "-Wno-unused-parameter", "-isystem",
                  BORROWED], tmp_path, unavailable)
    assert "sdtkit_tap_machine" in arch_tool.symbols(tmp_path / "machine.o")


@pytest.mark.parametrize("optimise", ["-O0", "-O2"])
@pytest.mark.parametrize("name", arch_tool.BARE)
def test_trap_at_a_site(name, optimise, tmp_path, unavailable):
    machine = arch_tool.BARE[name]
    lld = machine.clang.replace("clang", "ld.lld")
    if not which(lld):
        unavailable(lld + " is not installed")
    subprocess.run([sys.executable, arch_tool.SOURCE / "probegen", "-s",
                    arch_tool.HERE / "bare.d", "-o", tmp_path / "bare.h"],
                   check=True)
    program = tmp_path / "bare"
    compile_bare(name, arch_tool.HERE / ("bare_%s.c" % name),
                 str(program) + ".o",
                 ["-c", "-ffreestanding", "-std=gnu11", optimise], tmp_path,
                 unavailable)
    subprocess.run([lld, "-static", "-o", program, str(program) + ".o"],
                   check=True)
    test_at_site.check(name, program)
    note, = arch_tool.notes(program)
    assert note.semaphore == arch_tool.symbols(program)["bare_pair_semaphore"]
    subprocess.run([arch_tool.qemu_of(machine), program, str(note.location),
                    *(register_number(name, arg) for arg in note.args)],
                   check=True)


def register_number(name, operand):
    """By the table that lib/decode is tested against."""
    path = arch_tool.SOURCE / "tests/machines" / (name + ".txt")
    match = re.search(r"@\$(\w+)$", operand)
    if re.match(r"r\d+$", match[1]):
        return match[1][1:]
    base = {"a": 4, "t": 12, "s": 23}[match[1][0]]
    assert "a0 = 4" in path.read_text()
    return str(base + int(match[1][1:]))
