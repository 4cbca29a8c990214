/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86-64 and i386: operands in the syntax of AT&T.
 *
 *	location = "$" sum			8@$5
 *	         | "%" register			-4@%edi
 *	         | sum				4@4096
 *	         | [ sum ] "(" address ")"	8@-20(%rbp)  2@8(%rax,%rbx,4)
 *	address  = [ "%" base ] [ "," "%" index [ "," scale ] ]
 *	scale    = "1" | "2" | "4" | "8"
 *
 * Symbols, "8@name(%rip)", and segments, "4@%fs:0", are OTHER: what they mean
 * takes the symbol table, or a register that no tracer reads.
 */
#include "arch.h"

static bool take_scale(struct sdtkit_cursor *text,
		       struct sdtkit_operand *operand)
{
	int64_t scale = 1;

	if (sdtkit_cursor_accept(text, ",") &&
	    !sdtkit_cursor_number(text, &scale))
		return false;
	operand->scale = (uint8_t)scale;
	return scale == 1 || scale == 2 || scale == 4 || scale == 8;
}

/* Takes the address between the parentheses, and the closing one. */
static bool take_address(const struct sdtkit_arch *arch,
			 struct sdtkit_cursor *text,
			 struct sdtkit_operand *operand)
{
	operand->base = sdtkit_arch_register(arch, text);
	if (sdtkit_cursor_accept(text, ",")) {
		operand->index = sdtkit_arch_register(arch, text);
		if (operand->index == NULL || !take_scale(text, operand))
			return false;
	}
	return (operand->base != NULL || operand->index != NULL) &&
	       sdtkit_cursor_accept(text, ")");
}

bool sdtkit_arch_att(const struct sdtkit_arch *arch,
		      struct sdtkit_cursor *text,
		      struct sdtkit_operand *operand)
{
	bool absolute;

	if (sdtkit_cursor_accept(text, arch->constant_prefix)) {
		operand->kind = SDTKIT_OPERAND_CONSTANT;
		return sdtkit_cursor_number(text, &operand->constant);
	}
	operand->reg = sdtkit_arch_register(arch, text);
	if (operand->reg != NULL) {
		operand->kind = SDTKIT_OPERAND_REGISTER;
		return true;
	}
	operand->kind = SDTKIT_OPERAND_MEMORY;
	absolute = sdtkit_cursor_number(text, &operand->displacement);
	if (sdtkit_cursor_accept(text, "("))
		return take_address(arch, text, operand);
	return absolute;
}
