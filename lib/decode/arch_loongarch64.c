/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loongarch64, as gcc writes it, "8@$r12 -4@5 8@$r22,-40", and as clang does,
 * "8@$t0 -4@5 8@$fp, -40".
 *
 *	location = register			8@$r12
 *	         | sum				-4@5
 *	         | base "," sum			8@$r22,-40
 *	         | base "," index		8@$r12,$r13
 *
 * Symbols, "8@%pc_lo12(name)", are OTHER.
 */
#include <elf.h>

#include "arch.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

#define ALIAS(name, n) { name, "r" #n, 8, 0, n }
#define R(n) ALIAS("r" #n, n)

/* By the hardware's names; those of the calling convention lead to them. */
static const struct sdtkit_register registers[] = {
	ALIAS("a0", 4), ALIAS("a1", 5), ALIAS("a2", 6), ALIAS("a3", 7),
	ALIAS("a4", 8), ALIAS("a5", 9), ALIAS("a6", 10), ALIAS("a7", 11),
	ALIAS("fp", 22), R(0), R(1), R(10), R(11), R(12), R(13), R(14), R(15),
	R(16), R(17), R(18), R(19), R(2), R(20), R(21), R(22), R(23), R(24),
	R(25), R(26), R(27), R(28), R(29), R(3), R(30), R(31), R(4), R(5), R(6),
	R(7), R(8), R(9), ALIAS("ra", 1), ALIAS("s0", 23), ALIAS("s1", 24),
	ALIAS("s2", 25), ALIAS("s3", 26), ALIAS("s4", 27), ALIAS("s5", 28),
	ALIAS("s6", 29), ALIAS("s7", 30), ALIAS("s8", 31), ALIAS("s9", 22),
	ALIAS("sp", 3), ALIAS("t0", 12), ALIAS("t1", 13), ALIAS("t2", 14),
	ALIAS("t3", 15), ALIAS("t4", 16), ALIAS("t5", 17), ALIAS("t6", 18),
	ALIAS("t7", 19), ALIAS("t8", 20), ALIAS("tp", 2), ALIAS("zero", 0),
};

static bool parse(const struct sdtkit_arch *arch, struct sdtkit_cursor *text,
		  struct sdtkit_operand *operand)
{
	const struct sdtkit_register *index;

	operand->reg = sdtkit_arch_register(arch, text);
	if (operand->reg == NULL) {
		operand->kind = SDTKIT_OPERAND_CONSTANT;
		return sdtkit_cursor_number(text, &operand->constant);
	}
	operand->kind = SDTKIT_OPERAND_REGISTER;
	if (!sdtkit_cursor_accept(text, ","))
		return true;
	index = sdtkit_arch_register(arch, text);
	sdtkit_arch_indexed(operand, operand->reg, index);
	operand->reg = NULL;
	return index != NULL ||
	       sdtkit_cursor_number(text, &operand->displacement);
}

const struct sdtkit_arch sdtkit_arch_loongarch64 = {
	.machine = EM_LOONGARCH,
	.name = "loongarch64",
	.registers = registers,
	.register_count = SDTKIT_COUNT_OF(registers),
	.register_prefix = "$",
	.constant_prefix = "",
	.parse = parse,
};
