/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * riscv: "8@a5 -4@5 8@-24(s0)". Registers have 64 bits in these tables.
 */
#include <elf.h>

#include "arch.h"

#define ALIAS(name, full, n) { #name, #full, 8, 0, n }
#define R(name, n) ALIAS(name, name, n)

/* By the names of the calling convention; the hardware's lead to them. */
static const struct sdtkit_register registers[] = {
	R(a0, 10), R(a1, 11), R(a2, 12), R(a3, 13), R(a4, 14), R(a5, 15),
	R(a6, 16), R(a7, 17), ALIAS(fp, s0, 8), R(gp, 3), R(ra, 1), R(s0, 8),
	R(s1, 9), R(s10, 26), R(s11, 27), R(s2, 18), R(s3, 19), R(s4, 20),
	R(s5, 21), R(s6, 22), R(s7, 23), R(s8, 24), R(s9, 25), R(sp, 2),
	R(t0, 5), R(t1, 6), R(t2, 7), R(t3, 28), R(t4, 29), R(t5, 30),
	R(t6, 31), R(tp, 4), ALIAS(x0, zero, 0), ALIAS(x1, ra, 1),
	ALIAS(x10, a0, 10), ALIAS(x11, a1, 11), ALIAS(x12, a2, 12),
	ALIAS(x13, a3, 13), ALIAS(x14, a4, 14), ALIAS(x15, a5, 15),
	ALIAS(x16, a6, 16), ALIAS(x17, a7, 17), ALIAS(x18, s2, 18),
	ALIAS(x19, s3, 19), ALIAS(x2, sp, 2), ALIAS(x20, s4, 20),
	ALIAS(x21, s5, 21), ALIAS(x22, s6, 22), ALIAS(x23, s7, 23),
	ALIAS(x24, s8, 24), ALIAS(x25, s9, 25), ALIAS(x26, s10, 26),
	ALIAS(x27, s11, 27), ALIAS(x28, t3, 28), ALIAS(x29, t4, 29),
	ALIAS(x3, gp, 3), ALIAS(x30, t5, 30), ALIAS(x31, t6, 31),
	ALIAS(x4, tp, 4), ALIAS(x5, t0, 5), ALIAS(x6, t1, 6), ALIAS(x7, t2, 7),
	ALIAS(x8, s0, 8), ALIAS(x9, s1, 9), R(zero, 0),
};

const struct sdtkit_arch sdtkit_arch_riscv = {
	.machine = EM_RISCV,
	.name = "riscv",
	.registers = registers,
	.register_count = SDTKIT_COUNT_OF(registers),
	.register_prefix = "",
	.constant_prefix = "",
	.parse = sdtkit_arch_parens,
};
