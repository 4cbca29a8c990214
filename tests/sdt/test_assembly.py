# SPDX-License-Identifier: BSD-2-Clause
"""Probes in a program's assembly: in a .S file, where operands are written,
and in an asm of C, by STAP_PROBE_ASM. The notes are those that SystemTap's
header makes, byte for byte where the program wrote the operands."""

import subprocess

import pytest

import sdt_tool
from arch import arch_tool
from programs import which

# as the C library's setjmp has it: names and operands are macros
FILE = """
#define MODULE t
#define WORD 8
#define FIRST %rdi
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#define MODULE_PROBE(name, n, ...) \\
	STAP_PROBE##n (MODULE, name, ## __VA_ARGS__)
#define STAP_PROBE0 STAP_PROBE
	.text
	.globl entry
entry:
	MODULE_PROBE (setjmp, 3, WORD@FIRST, -4@%esi, WORD@%rax)
	MODULE_PROBE (nothing, 0)
	DTRACE_PROBE2(t, memory, 8@16(%rsp), -4@(%rdi,%rsi,4))
	STAP_PROBE12(t, many, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al,
		1@%al, 1@%al, 1@%al, 1@%al, $12)
	ret
	.section .probes, "aw"
t_setjmp_semaphore: .2byte 0
t_nothing_semaphore: .2byte 0
t_memory_semaphore: .2byte 0
t_many_semaphore: .2byte 0
	.section .note.GNU-stack, "", %progbits
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_file(compiler, tmp_path, unavailable):
    sdt_tool.need_theirs(unavailable)
    every = {}
    for header in sdt_tool.HEADERS:
        _, every[header] = sdt_tool.compiled(tmp_path, FILE, compiler,
                                             header=header, name="p.S")
        sdt_tool.must([compiler, "-shared", "p.o", "-o", header], tmp_path)
        every[header] = [note._replace(base=0) for note in
                         sdt_tool.notes(tmp_path / header)]
        assert arch_tool.symbols(tmp_path / header)["_.stapsdt.base"]
    assert every["ours"] == every["theirs"]
    assert all(note.semaphore for note in every["ours"])
    assert [note.args for note in every["ours"]][:2] == [
        ["8@%rdi", "-4@%esi", "8@%rax"], []]


@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_file_on_each_machine(name, tmp_path, unavailable):
    machine = arch_tool.MACHINES[name]
    text = """
#include <sys/sdt.h>
	.text
	STAP_PROBE2(t, first, 4@r0, -4@r1)
	STAP_PROBE(t, second)
"""
    for command in ([machine.triplet + "-gcc"],
                    ["clang", "--target=" + machine.triplet]):
        try:
            arch_tool.need(command[0])
        except arch_tool.Missing as missing:
            unavailable(str(missing))
        found, _ = sdt_tool.compiled(tmp_path, text, *command, *machine.flags,
                                     name="p.S")
        assert found["first"].args == ["4@r0", "-4@r1"]
        assert found["second"].args == []
        said = sdt_tool.must([machine.triplet + "-objdump", "-s", "-j",
                              ".text", "p.o"], tmp_path)
        nop = "".join(machine.nop)
        if machine.word == 64 and "66" not in nop:
            assert nop in said.replace(" ", "")


WRITTEN = """
#define PROVIDER t
#include <sys/sdt.h>
void f(void);
void f(void)
{
	__asm__ volatile ("nop\\n"
		STAP_PROBE_ASM(PROVIDER, basic, 8@%rdi 4(%esi) $5)
		"nop");
	__asm__ volatile (STAP_PROBE_ASM(t, extended, 8@%%rdi -4@%1 8@%[sum])
		: : "i" (1), "r" (2), [sum] "r" (3L) : "memory");
}
"""
INDEXED = """
#define OPERAND -2@(%%rdx,%%rax,2)
#include <sys/sdt.h>
void f(void);
void f(void)
{
	__asm__ volatile (STAP_PROBE_ASM(t, indexed, OPERAND) : : : "memory");
}
"""


@pytest.mark.parametrize("compiler", ["gcc -std=gnu99", "clang -O2"])
def test_written_operands(compiler, tmp_path, unavailable):
    sdt_tool.need_theirs(unavailable)
    for text in WRITTEN, INDEXED:
        ours, theirs = (
            {name: note.args for name, note in sdt_tool.compiled(
                tmp_path, text, *compiler.split(), header=header)[0].items()}
            for header in ("ours", "theirs"))
        assert ours == theirs
        assert ours


def test_commas(tmp_path, unavailable):
    """SystemTap's cannot: operands of aarch64."""
    try:
        arch_tool.need("aarch64-linux-gnu-gcc")
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    text = WRITTEN[:WRITTEN.index("\t__asm__")] + """
	__asm__ (STAP_PROBE_ASM(t, commas, 8@[x0, 16] 8@[sp, 8] -4@x1));
}
"""
    found, _ = sdt_tool.compiled(tmp_path, text, "aarch64-linux-gnu-gcc")
    assert found["commas"].args == ["8@[x0, 16]", "8@[sp, 8]", "-4@x1"]


TEMPLATE = """
#include <sys/sdt.h>
#define LIBC_PROBE_ASM(name, template) STAP_PROBE_ASM (libc, name, template)
#define LIBC_PROBE_ASM_OPERANDS STAP_PROBE_ASM_OPERANDS
int f(int a, char *b, short c);
int f(int a, char *b, short c)
{
	int out;

	__asm__ volatile ("%s\\n"
		LIBC_PROBE_ASM (three, STAP_PROBE_ASM_TEMPLATE(3))
		LIBC_PROBE_ASM (again, STAP_PROBE_ASM_TEMPLATE(3))
		: "=r" (out)
		: "0" (a), [other] "i" (7), LIBC_PROBE_ASM_OPERANDS(3, a, b, c)
		: "memory");
	__asm__ volatile (STAP_PROBE_ASM(libc, none, STAP_PROBE_ASM_TEMPLATE(0))
		: : STAP_PROBE_ASM_OPERANDS(0));
	__asm__ volatile (STAP_PROBE_ASM(libc, one, STAP_PROBE_ASM_TEMPLATE(1))
		: : STAP_PROBE_ASM_OPERANDS(1, *b));
	return out;
}
"""


@pytest.mark.parametrize("name", arch_tool.MACHINES)
@pytest.mark.parametrize("language", ["c", "c++"])
def test_template(name, language, tmp_path, unavailable):
    machine = arch_tool.MACHINES[name]
    for command in ([machine.triplet + "-gcc"],
                    ["clang", "--target=" + machine.triplet]):
        if language == "c++":
            command[0] = command[0].replace("gcc", "g++").replace(
                "clang", "clang++")
            if not which(command[0]):
                continue
        for level in ["-O0", "-O2"][language == "c++":]:
            try:
                arch_tool.need(command[0])
            except arch_tool.Missing as missing:
                unavailable(str(missing))
            found, _ = sdt_tool.compiled(
                tmp_path, TEMPLATE % "nop", *command, *machine.flags, level,
                "-Wall", "-Wextra", "-Werror", "-x" + language)
            word = str(machine.word // 8)
            for probe in "three", "again":
                assert [arg.split("@")[0] for arg in found[probe].args] == [
                    "-4", word, "-4"]
            assert found["none"].args == []
            assert len(found["one"].args) == 1


def test_template_is_read(tmp_path, unavailable):
    text = TEMPLATE % "nop" + """
int main(int argc, char **argv)
{
	(void)argv;
	return f(argc + 41, (char *)"x", -9) == 42 ? 0 : 1;
}
"""
    try:
        arch_tool.need("gdb")
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    sdt_tool.must(["gcc", "-O2", *sdt_tool.OURS,
                   sdt_tool.source(tmp_path, text), "-o", "p"], tmp_path)
    said = subprocess.run(
        ["timeout", "300", "gdb", "-nx", "-batch", "-ex",
         "break -probe-stap libc:three", "-ex", "run", "-ex",
         "printf \"read %d %s %d\\n\", $_probe_arg0, (char *)$_probe_arg1, "
         "$_probe_arg2", tmp_path / "p"], cwd=tmp_path, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT).stdout
    assert "read 42 x -9" in said
