/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands of ppc64, s390x and riscv, with the prefixes of their tables.
 *
 *	location = register			8@%r2  8@9  8@a5
 *	         | constant			-4@5   -4@i5 (ppc64)
 *	         | sum "(" base ")"		8@160(%r15)  8@24(1)  8@-24(s0)
 *	         | sum "(" index "," base ")"	4@0(%r4,%r2)
 *
 * Symbols, "4@%lo(name)(a5)", are OTHER.
 */
#include "arch.h"

/* A register in an address, or NULL: register 0 is the number 0 there. */
static const struct sdtkit_register *
in_address(const struct sdtkit_register *reg)
{
	return reg->number == 0 ? NULL : reg;
}

void sdtkit_arch_indexed(struct sdtkit_operand *operand,
			 const struct sdtkit_register *base,
			 const struct sdtkit_register *index)
{
	operand->kind = SDTKIT_OPERAND_MEMORY;
	operand->base = in_address(base);
	operand->index = index != NULL ? in_address(index) : NULL;
	operand->scale = operand->index != NULL;
}

/* Takes the address between the parentheses, and the closing one. */
static bool take_address(const struct sdtkit_arch *arch,
			 struct sdtkit_cursor *text,
			 struct sdtkit_operand *operand)
{
	const struct sdtkit_register *base, *index = NULL;

	base = sdtkit_arch_register(arch, text);
	if (base != NULL && sdtkit_cursor_accept(text, ",")) {
		index = base;
		base = sdtkit_arch_register(arch, text);
	}
	if (base == NULL)
		return false;
	sdtkit_arch_indexed(operand, base, index);
	return sdtkit_cursor_accept(text, ")");
}

bool sdtkit_arch_parens(const struct sdtkit_arch *arch,
			struct sdtkit_cursor *text,
			struct sdtkit_operand *operand)
{
	struct sdtkit_cursor t = *text;
	int64_t displacement;

	if (sdtkit_cursor_number(&t, &displacement) &&
	    sdtkit_cursor_accept(&t, "(")) {
		*text = t;
		operand->displacement = displacement;
		return take_address(arch, text, operand);
	}
	operand->reg = sdtkit_arch_register(arch, text);
	if (operand->reg != NULL) {
		operand->kind = SDTKIT_OPERAND_REGISTER;
		return true;
	}
	operand->kind = SDTKIT_OPERAND_CONSTANT;
	return sdtkit_cursor_accept(text, arch->constant_prefix) &&
	       sdtkit_cursor_number(text, &operand->constant);
}
