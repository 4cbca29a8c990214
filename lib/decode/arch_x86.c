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

#include "arch.h"

#define NUMBERED(n)							\
	{ "r" #n, "r" #n, 8, 0, n }, { "r" #n "b", "r" #n, 1, 0, n },	\
	{ "r" #n "d", "r" #n, 4, 0, n }, { "r" #n "w", "r" #n, 2, 0, n }
#define XMM(n, number) { "xmm" #n, "xmm" #n, 16, 0, number }

static const struct sdtkit_register registers_x86_64[] = {
	{ "ah", "rax", 1, 8, 0 }, { "al", "rax", 1, 0, 0 },
	{ "ax", "rax", 2, 0, 0 }, { "bh", "rbx", 1, 8, 3 },
	{ "bl", "rbx", 1, 0, 3 }, { "bp", "rbp", 2, 0, 6 },
	{ "bpl", "rbp", 1, 0, 6 }, { "bx", "rbx", 2, 0, 3 },
	{ "ch", "rcx", 1, 8, 2 }, { "cl", "rcx", 1, 0, 2 },
	{ "cx", "rcx", 2, 0, 2 }, { "dh", "rdx", 1, 8, 1 },
	{ "di", "rdi", 2, 0, 5 }, { "dil", "rdi", 1, 0, 5 },
	{ "dl", "rdx", 1, 0, 1 }, { "dx", "rdx", 2, 0, 1 },
	{ "eax", "rax", 4, 0, 0 }, { "ebp", "rbp", 4, 0, 6 },
	{ "ebx", "rbx", 4, 0, 3 }, { "ecx", "rcx", 4, 0, 2 },
	{ "edi", "rdi", 4, 0, 5 }, { "edx", "rdx", 4, 0, 1 },
	{ "esi", "rsi", 4, 0, 4 }, { "esp", "rsp", 4, 0, 7 }, NUMBERED(10),
	NUMBERED(11), NUMBERED(12), NUMBERED(13), NUMBERED(14), NUMBERED(15),
	NUMBERED(8), NUMBERED(9), { "rax", "rax", 8, 0, 0 },
	{ "rbp", "rbp", 8, 0, 6 }, { "rbx", "rbx", 8, 0, 3 },
	{ "rcx", "rcx", 8, 0, 2 }, { "rdi", "rdi", 8, 0, 5 },
	{ "rdx", "rdx", 8, 0, 1 }, { "rip", "rip", 8, 0, 16 },
	{ "rsi", "rsi", 8, 0, 4 }, { "rsp", "rsp", 8, 0, 7 },
	{ "si", "rsi", 2, 0, 4 }, { "sil", "rsi", 1, 0, 4 },
	{ "sp", "rsp", 2, 0, 7 }, { "spl", "rsp", 1, 0, 7 }, XMM(0, 17),
	XMM(1, 18), XMM(10, 27), XMM(11, 28), XMM(12, 29), XMM(13, 30),
	XMM(14, 31), XMM(15, 32), XMM(2, 19), XMM(3, 20), XMM(4, 21),
	XMM(5, 22), XMM(6, 23), XMM(7, 24), XMM(8, 25), XMM(9, 26),
};

static const struct sdtkit_register registers_i386[] = {
	{ "ah", "eax", 1, 8, 0 }, { "al", "eax", 1, 0, 0 },
	{ "ax", "eax", 2, 0, 0 }, { "bh", "ebx", 1, 8, 3 },
	{ "bl", "ebx", 1, 0, 3 }, { "bp", "ebp", 2, 0, 5 },
	{ "bx", "ebx", 2, 0, 3 }, { "ch", "ecx", 1, 8, 1 },
	{ "cl", "ecx", 1, 0, 1 }, { "cx", "ecx", 2, 0, 1 },
	{ "dh", "edx", 1, 8, 2 }, { "di", "edi", 2, 0, 7 },
	{ "dl", "edx", 1, 0, 2 }, { "dx", "edx", 2, 0, 2 },
	{ "eax", "eax", 4, 0, 0 }, { "ebp", "ebp", 4, 0, 5 },
	{ "ebx", "ebx", 4, 0, 3 }, { "ecx", "ecx", 4, 0, 1 },
	{ "edi", "edi", 4, 0, 7 }, { "edx", "edx", 4, 0, 2 },
	{ "esi", "esi", 4, 0, 6 }, { "esp", "esp", 4, 0, 4 },
	{ "si", "esi", 2, 0, 6 }, { "sp", "esp", 2, 0, 4 }, XMM(0, 21),
	XMM(1, 22), XMM(2, 23), XMM(3, 24), XMM(4, 25), XMM(5, 26), XMM(6, 27),
	XMM(7, 28),
};

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

/* What stands between the parentheses, and the closing one. */
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

static bool parse_att(const struct sdtkit_arch *arch,
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

const struct sdtkit_arch sdtkit_arch_x86_64 = {
	.machine = EM_X86_64,
	.name = "x86-64",
	.registers = registers_x86_64,
	.register_count = SDTKIT_COUNT_OF(registers_x86_64),
	.register_prefix = "%",
	.constant_prefix = "$",
	.parse = parse_att,
};

const struct sdtkit_arch sdtkit_arch_i386 = {
	.machine = EM_386,
	.name = "i386",
	.registers = registers_i386,
	.register_count = SDTKIT_COUNT_OF(registers_i386),
	.register_prefix = "%",
	.constant_prefix = "$",
	.parse = parse_att,
};
