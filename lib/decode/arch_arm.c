/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arm, in both instruction sets: "4@r3 -4@[r7, #8] 2@#17".
 *
 * What clang calls r11 and r12 is fp and ip to gcc.
 */
#include <elf.h>

#include "arch.h"

#define R(n) { "r" #n, "r" #n, 4, 0, n }

static const struct sdtkit_register registers[] = {
	{ "fp", "r11", 4, 0, 11 }, { "ip", "r12", 4, 0, 12 },
	{ "lr", "lr", 4, 0, 14 }, { "pc", "pc", 4, 0, 15 },
	R(0), R(1), R(10), R(11), R(12),
	{ "r13", "sp", 4, 0, 13 }, { "r14", "lr", 4, 0, 14 },
	{ "r15", "pc", 4, 0, 15 },
	R(2), R(3), R(4), R(5), R(6), R(7), R(8), R(9),
	{ "sb", "r9", 4, 0, 9 }, { "sl", "r10", 4, 0, 10 },
	{ "sp", "sp", 4, 0, 13 },
};

const struct sdtkit_arch sdtkit_arch_arm = {
	.machine = EM_ARM,
	.name = "arm",
	.registers = registers,
	.register_count = SDTKIT_COUNT_OF(registers),
	.register_prefix = "",
	.constant_prefix = "#",
	.parse = sdtkit_arch_brackets,
};
