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
#include <elf.h>
#include <stddef.h>

#include "arch.h"

#define LEGACY64(x) \
	{ "r" x, "r" x, 8, 0 }, { "e" x, "r" x, 4, 0 }, { x, "r" x, 2, 0 }
#define LEGACY32(x) \
	{ "e" x, "e" x, 4, 0 }, { x, "e" x, 2, 0 }
#define NUMBERED(x) \
	{ x, x, 8, 0 }, { x "d", x, 4, 0 }, { x "w", x, 2, 0 }, \
	{ x "b", x, 1, 0 }
#define BYTE(low, full) { low, full, 1, 0 }
#define HIGH(high, full) { high, full, 1, 8 }
#define XMM(n) { "xmm" n, "xmm" n, 16, 0 }
#define XMM0_TO_7 \
	XMM("0"), XMM("1"), XMM("2"), XMM("3"), \
	XMM("4"), XMM("5"), XMM("6"), XMM("7")
#define XMM8_TO_15 \
	XMM("8"), XMM("9"), XMM("10"), XMM("11"), \
	XMM("12"), XMM("13"), XMM("14"), XMM("15")

static const struct sdtkit_register registers_x86_64[] = {
	LEGACY64("ax"), BYTE("al", "rax"), HIGH("ah", "rax"),
	LEGACY64("bx"), BYTE("bl", "rbx"), HIGH("bh", "rbx"),
	LEGACY64("cx"), BYTE("cl", "rcx"), HIGH("ch", "rcx"),
	LEGACY64("dx"), BYTE("dl", "rdx"), HIGH("dh", "rdx"),
	LEGACY64("si"), BYTE("sil", "rsi"),
	LEGACY64("di"), BYTE("dil", "rdi"),
	LEGACY64("bp"), BYTE("bpl", "rbp"),
	LEGACY64("sp"), BYTE("spl", "rsp"),
	NUMBERED("r8"), NUMBERED("r9"), NUMBERED("r10"), NUMBERED("r11"),
	NUMBERED("r12"), NUMBERED("r13"), NUMBERED("r14"), NUMBERED("r15"),
	{ "rip", "rip", 8, 0 },
	XMM0_TO_7, XMM8_TO_15,
	{ NULL, NULL, 0, 0 },
};

static const struct sdtkit_register registers_i386[] = {
	LEGACY32("ax"), BYTE("al", "eax"), HIGH("ah", "eax"),
	LEGACY32("bx"), BYTE("bl", "ebx"), HIGH("bh", "ebx"),
	LEGACY32("cx"), BYTE("cl", "ecx"), HIGH("ch", "ecx"),
	LEGACY32("dx"), BYTE("dl", "edx"), HIGH("dh", "edx"),
	LEGACY32("si"), LEGACY32("di"), LEGACY32("bp"), LEGACY32("sp"),
	XMM0_TO_7,
	{ NULL, NULL, 0, 0 },
};

/* "%" and the name. */
static const struct sdtkit_register *
take_register(struct sdtkit_text *text, const struct sdtkit_arch *arch)
{
	if (!sdtkit_text_accept(text, "%"))
		return NULL;
	return sdtkit_text_register(text, arch);
}

static bool take_scale(struct sdtkit_text *text, struct sdtkit_operand *operand)
{
	int64_t scale = 1;

	if (sdtkit_text_accept(text, ",") &&
	    !sdtkit_text_number(text, &scale))
		return false;
	operand->scale = (uint8_t)scale;
	return scale == 1 || scale == 2 || scale == 4 || scale == 8;
}

/* What stands between the parentheses, and the closing one. */
static bool take_address(const struct sdtkit_arch *arch,
			 struct sdtkit_text *text,
			 struct sdtkit_operand *operand)
{
	operand->base = take_register(text, arch);
	if (sdtkit_text_accept(text, ",")) {
		operand->index = take_register(text, arch);
		if (operand->index == NULL || !take_scale(text, operand))
			return false;
	}
	return (operand->base != NULL || operand->index != NULL) &&
	       sdtkit_text_accept(text, ")");
}

static bool parse_att(const struct sdtkit_arch *arch, struct sdtkit_text *text,
		      struct sdtkit_operand *operand)
{
	bool absolute;

	if (sdtkit_text_accept(text, "$")) {
		operand->kind = SDTKIT_OPERAND_CONSTANT;
		return sdtkit_text_number(text, &operand->constant);
	}
	operand->reg = take_register(text, arch);
	if (operand->reg != NULL) {
		operand->kind = SDTKIT_OPERAND_REGISTER;
		return true;
	}
	operand->kind = SDTKIT_OPERAND_MEMORY;
	absolute = sdtkit_text_number(text, &operand->displacement);
	if (sdtkit_text_accept(text, "("))
		return take_address(arch, text, operand);
	return absolute;
}

const struct sdtkit_arch sdtkit_arch_x86_64 = {
	.machine = EM_X86_64,
	.name = "x86-64",
	.registers = registers_x86_64,
	.parse = parse_att,
};

const struct sdtkit_arch sdtkit_arch_i386 = {
	.machine = EM_386,
	.name = "i386",
	.registers = registers_i386,
	.parse = parse_att,
};
