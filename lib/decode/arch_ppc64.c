/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ppc64 of either byte order: "8@9 -4@i5 8@24(1)", and two registers:
 *
 *	location = base "," index			4@10,9
 *
 * A plain number is a register; <sys/sdt.h> puts "i" before constants.
 */
#include <elf.h>

#include "arch.h"

#define R(n) { #n, #n, 8, 0, n }

static const struct sdtkit_register registers[] = {
	R(0), R(1), R(10), R(11), R(12), R(13), R(14), R(15), R(16), R(17),
	R(18), R(19), R(2), R(20), R(21), R(22), R(23), R(24), R(25), R(26),
	R(27), R(28), R(29), R(3), R(30), R(31), R(4), R(5), R(6), R(7), R(8),
	R(9),
};

static bool parse(const struct sdtkit_arch *arch, struct sdtkit_cursor *text,
		  struct sdtkit_operand *operand)
{
	const struct sdtkit_register *base, *index;

	if (!sdtkit_arch_parens(arch, text, operand))
		return false;
	base = operand->reg;
	if (base == NULL || !sdtkit_cursor_accept(text, ","))
		return true;
	index = sdtkit_arch_register(arch, text);
	if (index == NULL)
		return false;
	operand->reg = NULL;
	sdtkit_arch_indexed(operand, base, index);
	return true;
}

const struct sdtkit_arch sdtkit_arch_ppc64 = {
	.machine = EM_PPC64,
	.name = "ppc64",
	.registers = registers,
	.register_count = SDTKIT_COUNT_OF(registers),
	.register_prefix = "",
	.constant_prefix = "i",
	.parse = parse,
};
