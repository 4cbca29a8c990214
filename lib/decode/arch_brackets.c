/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands of arm and aarch64.
 *
 *	location = [ "#" ] sum				-4@5  -4@#5
 *	         | register				8@x0
 *	         | "[" base [ "," offset ] "]"		8@[sp, 24]  4@[r7, #8]
 *	offset   = [ "#" ] sum
 *	         | index [ "," "lsl" [ "#" ] shift ]	4@[x0, x1, lsl 2]
 *
 * Symbols, "4@[x0, #:lo12:name]", extended indexes, "4@[x0, w1, sxtw 2]", and
 * write-back, "8@[x0], 8", are OTHER.
 */
#include "arch.h"

enum {
	/* What loads can shift an index by. */
	SHIFT_MAX = 4,
};

static bool take_number(struct sdtkit_cursor *text, int64_t *value)
{
	struct sdtkit_cursor t = *text;

	sdtkit_cursor_accept(&t, "#");
	if (!sdtkit_cursor_number(&t, value))
		return false;
	*text = t;
	return true;
}

static bool take_index(const struct sdtkit_arch *arch,
		       struct sdtkit_cursor *text,
		       struct sdtkit_operand *operand)
{
	int64_t shift = 0;

	operand->index = sdtkit_arch_register(arch, text);
	/* A narrow index would need to be told how to extend it. */
	if (operand->index == NULL ||
	    operand->index->size != operand->base->size)
		return false;
	if (sdtkit_cursor_accept(text, ",") &&
	    !(sdtkit_cursor_accept(text, "lsl") && take_number(text, &shift)))
		return false;
	if (shift < 0 || shift > SHIFT_MAX)
		return false;
	operand->scale = (uint8_t)(1 << shift);
	return true;
}

/* Takes the address between the brackets, and the closing one. */
static bool take_address(const struct sdtkit_arch *arch,
			 struct sdtkit_cursor *text,
			 struct sdtkit_operand *operand)
{
	operand->base = sdtkit_arch_register(arch, text);
	if (operand->base == NULL)
		return false;
	if (sdtkit_cursor_accept(text, ",") &&
	    !take_number(text, &operand->displacement) &&
	    !take_index(arch, text, operand))
		return false;
	return sdtkit_cursor_accept(text, "]");
}

bool sdtkit_arch_brackets(const struct sdtkit_arch *arch,
			  struct sdtkit_cursor *text,
			  struct sdtkit_operand *operand)
{
	if (sdtkit_cursor_accept(text, "[")) {
		operand->kind = SDTKIT_OPERAND_MEMORY;
		return take_address(arch, text, operand);
	}
	operand->reg = sdtkit_arch_register(arch, text);
	if (operand->reg != NULL) {
		operand->kind = SDTKIT_OPERAND_REGISTER;
		return true;
	}
	operand->kind = SDTKIT_OPERAND_CONSTANT;
	return take_number(text, &operand->constant);
}
