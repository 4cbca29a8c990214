/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aarch64.
 *
 *	location = [ "#" ] sum				-4@5
 *	         | register				8@x0
 *	         | "[" base [ "," offset ] "]"		8@[sp, 24]
 *	offset   = [ "#" ] sum
 *	         | index [ "," "lsl" [ "#" ] shift ]	4@[x0, x1, lsl 2]
 *
 * Symbols, "4@[x0, #:lo12:name]", extended indexes, "4@[x0, w1, sxtw 2]", and
 * write-back, "8@[x0], 8", are OTHER.
 */
#include <elf.h>
#include <stddef.h>

#include "arch.h"

#define GENERAL(n) { "x" n, "x" n, 8, 0 }, { "w" n, "x" n, 4, 0 }

static const struct sdtkit_register registers[] = {
	GENERAL("0"), GENERAL("1"), GENERAL("2"), GENERAL("3"),
	GENERAL("4"), GENERAL("5"), GENERAL("6"), GENERAL("7"),
	GENERAL("8"), GENERAL("9"), GENERAL("10"), GENERAL("11"),
	GENERAL("12"), GENERAL("13"), GENERAL("14"), GENERAL("15"),
	GENERAL("16"), GENERAL("17"), GENERAL("18"), GENERAL("19"),
	GENERAL("20"), GENERAL("21"), GENERAL("22"), GENERAL("23"),
	GENERAL("24"), GENERAL("25"), GENERAL("26"), GENERAL("27"),
	GENERAL("28"), GENERAL("29"), GENERAL("30"),
	{ "fp", "x29", 8, 0 }, { "lr", "x30", 8, 0 },
	{ "sp", "sp", 8, 0 }, { "wsp", "sp", 4, 0 },
	{ "xzr", "xzr", 8, 0 }, { "wzr", "xzr", 4, 0 },
	{ NULL, NULL, 0, 0 },
};

static bool take_number(struct sdtkit_text *text, int64_t *value)
{
	struct sdtkit_text t = *text;

	sdtkit_text_accept(&t, "#");
	if (!sdtkit_text_number(&t, value))
		return false;
	*text = t;
	return true;
}

static bool take_index(const struct sdtkit_arch *arch,
		       struct sdtkit_text *text,
		       struct sdtkit_operand *operand)
{
	int64_t shift = 0;

	operand->index = sdtkit_text_register(text, arch);
	/* A narrow index would need to be told how to extend it. */
	if (operand->index == NULL || operand->index->size != 8)
		return false;
	if (sdtkit_text_accept(text, ",") &&
	    !(sdtkit_text_accept(text, "lsl") && take_number(text, &shift)))
		return false;
	operand->scale = (uint8_t)(1 << (shift & 7));
	return shift >= 0 && shift <= 4;
}

/* What stands between the brackets, and the closing one. */
static bool take_address(const struct sdtkit_arch *arch,
			 struct sdtkit_text *text,
			 struct sdtkit_operand *operand)
{
	operand->base = sdtkit_text_register(text, arch);
	if (operand->base == NULL)
		return false;
	if (sdtkit_text_accept(text, ",") &&
	    !take_number(text, &operand->displacement) &&
	    !take_index(arch, text, operand))
		return false;
	return sdtkit_text_accept(text, "]");
}

static bool parse(const struct sdtkit_arch *arch, struct sdtkit_text *text,
		  struct sdtkit_operand *operand)
{
	if (sdtkit_text_accept(text, "[")) {
		operand->kind = SDTKIT_OPERAND_MEMORY;
		return take_address(arch, text, operand);
	}
	operand->reg = sdtkit_text_register(text, arch);
	if (operand->reg != NULL) {
		operand->kind = SDTKIT_OPERAND_REGISTER;
		return true;
	}
	operand->kind = SDTKIT_OPERAND_CONSTANT;
	return take_number(text, &operand->constant);
}

const struct sdtkit_arch sdtkit_arch_aarch64 = {
	.machine = EM_AARCH64,
	.name = "aarch64",
	.registers = registers,
	.parse = parse,
};
