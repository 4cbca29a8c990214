/* SPDX-License-Identifier: BSD-2-Clause */
/* i386: "4@%edi -4@16(%esp) 2@$17"; see arch_att.c. */
#include <elf.h>

#include "arch.h"

#define XMM(n, number) { "xmm" #n, "xmm" #n, 16, 0, number }

static const struct sdtkit_register registers[] = {
	{ "ah", "eax", 1, 8, 0 }, { "al", "eax", 1, 0, 0 },
	{ "ax", "eax", 2, 0, 0 }, { "bh", "ebx", 1, 8, 3 },
	{ "bl", "ebx", 1, 0, 3 }, { "bp", "ebp", 2, 0, 5 },
	{ "bx", "ebx", 2, 0, 3 }, { "ch", "ecx", 1, 8, 1 },
	{ "cl", "ecx", 1, 0, 1 }, { "cx", "ecx", 2, 0, 1 },
	{ "dh", "edx", 1, 8, 2 }, { "di", "edi", 2, 0, 7 },
	{ "dl", "edx", 1, 0, 2 }, { "dx", "edx", 2, 0, 2 },
	{ "eax", "eax", 4, 0, 0 }, { "ebp", "ebp", 4, 0, 5 },
	{ "ebx", "ebx", 4, 0, 3 }, { "ecx", "ecx", 4, 0, 1 },
	{ "edi", "edi", 4, 0, 7 }, { "edx", "edx", 4, 0, 2 },
	{ "esi", "esi", 4, 0, 6 }, { "esp", "esp", 4, 0, 4 },
	{ "si", "esi", 2, 0, 6 }, { "sp", "esp", 2, 0, 4 }, XMM(0, 21),
	XMM(1, 22), XMM(2, 23), XMM(3, 24), XMM(4, 25), XMM(5, 26), XMM(6, 27),
	XMM(7, 28),
};

const struct sdtkit_arch sdtkit_arch_i386 = {
	.machine = EM_386,
	.name = "i386",
	.registers = registers,
	.register_count = SDTKIT_COUNT_OF(registers),
	.register_prefix = "%",
	.constant_prefix = "$",
	.parse = sdtkit_arch_att,
};
