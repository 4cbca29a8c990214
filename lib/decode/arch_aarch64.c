/* SPDX-License-Identifier: BSD-2-Clause */
/* aarch64: "8@x0 -4@[sp, 24] 2@17". */
#include <elf.h>

#include "arch.h"

#define W(n) { "w" #n, "x" #n, 4, 0, n }
#define X(n) { "x" #n, "x" #n, 8, 0, n }

/* xzr, which reads as 0, has no number in DWARF; sp has 31 there. */
static const struct sdtkit_register registers[] = {
	{ "fp", "x29", 8, 0, 29 },
	{ "lr", "x30", 8, 0, 30 },
	{ "sp", "sp", 8, 0, 31 },
	W(0), W(1), W(10), W(11), W(12), W(13), W(14), W(15), W(16), W(17),
	W(18), W(19), W(2), W(20), W(21), W(22), W(23), W(24), W(25), W(26),
	W(27), W(28), W(29), W(3), W(30), W(4), W(5), W(6), W(7), W(8), W(9),
	{ "wsp", "sp", 4, 0, 31 },
	{ "wzr", "xzr", 4, 0, SDTKIT_NO_NUMBER },
	X(0), X(1), X(10), X(11), X(12), X(13), X(14), X(15), X(16), X(17),
	X(18), X(19), X(2), X(20), X(21), X(22), X(23), X(24), X(25), X(26),
	X(27), X(28), X(29), X(3), X(30), X(4), X(5), X(6), X(7), X(8), X(9),
	{ "xzr", "xzr", 8, 0, SDTKIT_NO_NUMBER },
};

const struct sdtkit_arch sdtkit_arch_aarch64 = {
	.machine = EM_AARCH64,
	.name = "aarch64",
	.registers = registers,
	.register_count = SDTKIT_COUNT_OF(registers),
	.register_prefix = "",
	.constant_prefix = "#",
	.parse = sdtkit_arch_brackets,
};
