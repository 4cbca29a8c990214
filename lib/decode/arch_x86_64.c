/* SPDX-License-Identifier: BSD-2-Clause */
/* x86-64: "8@%rdi -4@-20(%rbp) 2@8(%rax,%rbx,4) 8@$5"; see arch_att.c. */
#include <elf.h>

#include "arch.h"

#define NUMBERED(n)							\
	{ "r" #n, "r" #n, 8, 0, n }, { "r" #n "b", "r" #n, 1, 0, n },	\
	{ "r" #n "d", "r" #n, 4, 0, n }, { "r" #n "w", "r" #n, 2, 0, n }
#define XMM(n, number) { "xmm" #n, "xmm" #n, 16, 0, number }

static const struct sdtkit_register registers[] = {
	{ "ah", "rax", 1, 8, 0 }, { "al", "rax", 1, 0, 0 },
	{ "ax", "rax", 2, 0, 0 }, { "bh", "rbx", 1, 8, 3 },
	{ "bl", "rbx", 1, 0, 3 }, { "bp", "rbp", 2, 0, 6 },
	{ "bpl", "rbp", 1, 0, 6 }, { "bx", "rbx", 2, 0, 3 },
	{ "ch", "rcx", 1, 8, 2 }, { "cl", "rcx", 1, 0, 2 },
	{ "cx", "rcx", 2, 0, 2 }, { "dh", "rdx", 1, 8, 1 },
	{ "di", "rdi", 2, 0, 5 }, { "dil", "rdi", 1, 0, 5 },
	{ "dl", "rdx", 1, 0, 1 }, { "dx", "rdx", 2, 0, 1 },
	{ "eax", "rax", 4, 0, 0 }, { "ebp", "rbp", 4, 0, 6 },
	{ "ebx", "rbx", 4, 0, 3 }, { "ecx", "rcx", 4, 0, 2 },
	{ "edi", "rdi", 4, 0, 5 }, { "edx", "rdx", 4, 0, 1 },
	{ "esi", "rsi", 4, 0, 4 }, { "esp", "rsp", 4, 0, 7 }, NUMBERED(10),
	NUMBERED(11), NUMBERED(12), NUMBERED(13), NUMBERED(14), NUMBERED(15),
	NUMBERED(8), NUMBERED(9), { "rax", "rax", 8, 0, 0 },
	{ "rbp", "rbp", 8, 0, 6 }, { "rbx", "rbx", 8, 0, 3 },
	{ "rcx", "rcx", 8, 0, 2 }, { "rdi", "rdi", 8, 0, 5 },
	{ "rdx", "rdx", 8, 0, 1 }, { "rip", "rip", 8, 0, 16 },
	{ "rsi", "rsi", 8, 0, 4 }, { "rsp", "rsp", 8, 0, 7 },
	{ "si", "rsi", 2, 0, 4 }, { "sil", "rsi", 1, 0, 4 },
	{ "sp", "rsp", 2, 0, 7 }, { "spl", "rsp", 1, 0, 7 }, XMM(0, 17),
	XMM(1, 18), XMM(10, 27), XMM(11, 28), XMM(12, 29), XMM(13, 30),
	XMM(14, 31), XMM(15, 32), XMM(2, 19), XMM(3, 20), XMM(4, 21),
	XMM(5, 22), XMM(6, 23), XMM(7, 24), XMM(8, 25), XMM(9, 26),
};

const struct sdtkit_arch sdtkit_arch_x86_64 = {
	.machine = EM_X86_64,
	.name = "x86-64",
	.registers = registers,
	.register_count = SDTKIT_COUNT_OF(registers),
	.register_prefix = "%",
	.constant_prefix = "$",
	.parse = sdtkit_arch_att,
};
