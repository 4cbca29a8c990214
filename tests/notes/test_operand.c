/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands as compilers write them, against what they mean.  To add a case,
 * add a row.  What an operand means is written as
 *
 *	TYPE KIND WHERE		s4 memory rbp-20
 *
 * one for each operand of the list, joined by "; ".
 */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "cmocka_all.h"
#include "operand.h"

enum {
	EM_NOBODYS = 0xfeed,
};

static const struct {
	uint16_t machine;
	const char *text;
	const char *meaning;
} cases[] = {
	/* Lists. */
	{ EM_X86_64, "", "" },
	{ EM_X86_64, "   ", "" },
	{ EM_X86_64, "8@%rdi -4@%esi", "u8 register rdi; s4 register rsi/4" },
	{ EM_X86_64, " 4@$7  4@$8 ", "u4 constant 7; u4 constant 8" },
	{ EM_AARCH64, "8@[sp, 24] -4@5", "u8 memory sp+24; s4 constant 5" },
	{ EM_X86_64, "8@(%rax 8@%rdi", "u8 other" },
	{ EM_X86_64, "8@) 8@%rdi", "u8 other; u8 register rdi" },

	/* Types. */
	{ EM_X86_64, "1@%al", "u1 register rax/1" },
	{ EM_X86_64, "-1@%sil", "s1 register rsi/1" },
	{ EM_X86_64, "2@%r9w", "u2 register r9/2" },
	{ EM_X86_64, "8f@%xmm0", "f8 register xmm0" },
	{ EM_X86_64, "4f@-96(%rbp)", "f4 memory rbp-96" },
	{ EM_X86_64, "-8f@%rax", "f8 register rax" },
	{ EM_X86_64, "-16@%rax", "s16 register rax" },
	{ EM_X86_64, "3@-96(%rbp)", "u3 memory rbp-96" },
	{ EM_X86_64, "0@%rax", "u0 register rax" },
	{ EM_X86_64, "%rax", "u0 register rax" },
	{ EM_X86_64, "$5", "u0 constant 5" },
	{ EM_X86_64, "9999@$5", "u9999 constant 5" },
	{ EM_X86_64, "10000@$5", "u0 other" },
	{ EM_X86_64, "-@$5", "u0 other" },
	{ EM_X86_64, "@$5", "u0 other" },
	{ EM_X86_64, "8g@$5", "u0 other" },
	{ EM_X86_64, "8@", "u8 other" },
	{ EM_X86_64, "8", "u0 memory +8" },
	{ EM_X86_64, "-", "u0 other" },

	/* x86-64: registers. */
	{ EM_X86_64, "8@%r15", "u8 register r15" },
	{ EM_X86_64, "1@%ah", "u1 register rax/1>>8" },
	{ EM_X86_64, "1@%r8b", "u1 register r8/1" },
	{ EM_X86_64, "8@%rip", "u8 register rip" },
	{ EM_X86_64, "4@%rax", "u4 register rax" },
	{ EM_X86_64, "8@%eax", "u8 register rax/4" },
	{ EM_X86_64, "8@%rzx", "u8 other" },
	{ EM_X86_64, "8@%", "u8 other" },
	{ EM_X86_64, "8@rax", "u8 other" },
	{ EM_X86_64, "8@%raxx", "u8 other" },
	{ EM_X86_64, "8@%ra", "u8 other" },
	{ EM_X86_64, "8f@%st(0)", "f8 other" },

	/* x86-64: constants. */
	{ EM_X86_64, "-4@$-1", "s4 constant -1" },
	{ EM_X86_64, "2@$-536", "u2 constant -536" },
	{ EM_X86_64, "8@$9223372036854775807",
	  "u8 constant 9223372036854775807" },
	{ EM_X86_64, "-8@$-9223372036854775808",
	  "s8 constant -9223372036854775808" },
	{ EM_X86_64, "8@$18446744073709551615", "u8 constant -1" },
	{ EM_X86_64, "8@$18446744073709551616", "u8 other" },
	{ EM_X86_64, "8@$-9223372036854775809", "u8 other" },
	{ EM_X86_64, "8@$99999999999999999999999", "u8 other" },
	{ EM_X86_64, "4@$0x10", "u4 constant 16" },
	{ EM_X86_64, "4@$0x", "u4 other" },
	{ EM_X86_64, "4@$010", "u4 constant 10" },
	{ EM_X86_64, "4@$name", "u4 other" },
	{ EM_X86_64, "4@$name+8", "u4 other" },
	{ EM_X86_64, "4@$8+name", "u4 other" },
	{ EM_X86_64, "4@$5x", "u4 other" },
	{ EM_X86_64, "4@$--5", "u4 other" },

	/* x86-64: memory. */
	{ EM_X86_64, "8@(%rsp)", "u8 memory rsp" },
	{ EM_X86_64, "-8@8(%r12)", "s8 memory r12+8" },
	{ EM_X86_64, "4@+8(%r12)", "u4 memory r12+8" },
	{ EM_X86_64, "-4@-8+4+12(%r12)", "s4 memory r12+8" },
	{ EM_X86_64, "8@0x8(%r12)", "u8 memory r12+8" },
	{ EM_X86_64, "8@(%rax,%rbx,8)", "u8 memory rax rbx*8" },
	{ EM_X86_64, "-4@16(%rax,%rbx,4)", "s4 memory rax rbx*4+16" },
	{ EM_X86_64, "1@-4(%rax,%rbx)", "u1 memory rax rbx*1-4" },
	{ EM_X86_64, "8@8(,%rbx,8)", "u8 memory rbx*8+8" },
	{ EM_X86_64, "8@8(%rip)", "u8 memory rip+8" },
	{ EM_X86_64, "8@4096", "u8 memory +4096" },
	{ EM_X86_64, "8@(%rax,%rbx,3)", "u8 other" },
	{ EM_X86_64, "8@(%rax,%rbx,256)", "u8 other" },
	{ EM_X86_64, "8@(%rax,%rbx,)", "u8 other" },
	{ EM_X86_64, "8@(%rax,)", "u8 other" },
	{ EM_X86_64, "8@(%rax", "u8 other" },
	{ EM_X86_64, "8@()", "u8 other" },
	{ EM_X86_64, "8@8(%rax)8", "u8 other" },

	/* x86-64: what takes more than the text. */
	{ EM_X86_64, "-8@mem(%rip)", "s8 other" },
	{ EM_X86_64, "8@mem+8(%rip)", "u8 other" },
	{ EM_X86_64, "8@8+mem(%rip)", "u8 other" },
	{ EM_X86_64, "8f@.LC0(%rip)", "f8 other" },
	{ EM_X86_64, "8@mem@GOTPCREL(%rip)", "u8 other" },
	{ EM_X86_64, "8@mem(,%rax,8)", "u8 other" },
	{ EM_X86_64, "8@%fs:0", "u8 other" },
	{ EM_X86_64, "8@%fs:tlsv@tpoff", "u8 other" },

	/* i386 has registers of its own. */
	{ EM_386, "-4@16(%esp)", "s4 memory esp+16" },
	{ EM_386, "-2@%ebx", "s2 register ebx" },
	{ EM_386, "1@%ch", "u1 register ecx/1>>8" },
	{ EM_386, "4@%rax", "u4 other" },
	{ EM_386, "4@%sil", "u4 other" },
	{ EM_386, "4@sl@GOTOFF(%eax)", "u4 other" },

	/* aarch64. */
	{ EM_AARCH64, "8@x0", "u8 register x0" },
	{ EM_AARCH64, "-4@w30", "s4 register x30/4" },
	{ EM_AARCH64, "8@sp", "u8 register sp" },
	{ EM_AARCH64, "8@xzr", "u8 register xzr" },
	{ EM_AARCH64, "8@x31", "u8 other" },
	{ EM_AARCH64, "-4@5", "s4 constant 5" },
	{ EM_AARCH64, "-4@-5", "s4 constant -5" },
	{ EM_AARCH64, "-4@#5", "s4 constant 5" },
	{ EM_AARCH64, "-4@#", "s4 other" },
	{ EM_AARCH64, "8@[x0]", "u8 memory x0" },
	{ EM_AARCH64, "8@[sp, -8]", "u8 memory sp-8" },
	{ EM_AARCH64, "8@[sp,24]", "u8 memory sp+24" },
	{ EM_AARCH64, "8@[x0, #16]", "u8 memory x0+16" },
	{ EM_AARCH64, "8@[x0, x1]", "u8 memory x0 x1*1" },
	{ EM_AARCH64, "8@[x0, x1, lsl 3]", "u8 memory x0 x1*8" },
	{ EM_AARCH64, "8@[x0, x1, lsl #3]", "u8 memory x0 x1*8" },
	{ EM_AARCH64, "8@[x0, x1, lsl 5]", "u8 other" },
	{ EM_AARCH64, "8@[x0, x1, lsl -1]", "u8 other" },
	{ EM_AARCH64, "1@[x2, w3, sxtw]", "u1 other" },
	{ EM_AARCH64, "4@[x0, #:lo12:name]", "u4 other" },
	{ EM_AARCH64, "4@[x0, #x1]", "u4 other" },
	{ EM_AARCH64, "8@[x0, 8]!", "u8 other" },
	{ EM_AARCH64, "8@[x0", "u8 other" },
	{ EM_AARCH64, "8@[]", "u8 other" },

	/* arm. */
	{ EM_ARM, "4@r3", "u4 register r3" },
	{ EM_ARM, "-4@ip", "s4 register r12/4" },
	{ EM_ARM, "4@lr", "u4 register lr" },
	{ EM_ARM, "-4@#-5", "s4 constant -5" },
	{ EM_ARM, "4@[fp, #-16]", "u4 memory fp-16" },
	{ EM_ARM, "8@[sp]", "u8 memory sp" },
	{ EM_ARM, "-8@[r7, #88]", "s8 memory r7+88" },
	{ EM_ARM, "4@[r3, r0, lsl #2]", "u4 memory r3 r0*4" },
	{ EM_ARM, "4@[ip, r3]", "u4 memory ip r3*1" },
	{ EM_ARM, "4@[r3, -r0]", "u4 other" },
	{ EM_ARM, "4@#gi", "u4 other" },
	{ EM_ARM, "4@.L.str", "u4 other" },
	{ EM_ARM, "8f@#1.5e+0", "f8 other" },
	{ EM_ARM, "4@r16", "u4 other" },

	/* ppc64: a plain number is a register. */
	{ EM_PPC64, "8@9", "u8 register 9" },
	{ EM_PPC64, "-8@31", "s8 register 31" },
	{ EM_PPC64, "8@32", "u8 other" },
	{ EM_PPC64, "-4@i5", "s4 constant 5" },
	{ EM_PPC64, "-4@i-77777", "s4 constant -77777" },
	{ EM_PPC64, "8@24(1)", "u8 memory 1+24" },
	{ EM_PPC64, "8@-16(31)", "u8 memory 31-16" },
	{ EM_PPC64, "8@16(0)", "u8 memory +16" },
	{ EM_PPC64, "4@10,9", "u4 memory 10 9*1" },
	{ EM_PPC64, "4@0,9", "u4 memory 9*1" },
	{ EM_PPC64, "4@10,", "u4 other" },
	{ EM_PPC64, "4@10,32", "u4 other" },
	{ EM_PPC64, "4@i5,9", "u4 other" },
	{ EM_PPC64, "8@24(32)", "u8 other" },
	{ EM_PPC64, "8@24(1", "u8 other" },
	{ EM_PPC64, "8@-5", "u8 other" },
	{ EM_PPC64, "8@name@toc@l(9)", "u8 other" },

	/* s390x: the index stands before the base. */
	{ EM_S390, "8@%r2", "u8 register r2" },
	{ EM_S390, "-4@-5", "s4 constant -5" },
	{ EM_S390, "8@160(%r15)", "u8 memory r15+160" },
	{ EM_S390, "-4@0(%r4,%r2)", "s4 memory r2 r4*1" },
	{ EM_S390, "8@8(%r0)", "u8 memory +8" },
	{ EM_S390, "8@8(%r0,%r2)", "u8 memory r2+8" },
	{ EM_S390, "8@r2", "u8 other" },
	{ EM_S390, "8@%r16", "u8 other" },
	{ EM_S390, "8@8(%r4,)", "u8 other" },
	{ EM_S390, "8@8()", "u8 other" },
	{ EM_S390, "8@%r1,%r2", "u8 other" },
	{ EM_S390, "8f@%f0", "f8 other" },

	/* riscv. */
	{ EM_RISCV, "8@a5", "u8 register a5" },
	{ EM_RISCV, "-8@s11", "s8 register s11" },
	{ EM_RISCV, "8@x15", "u8 register a5/8" },
	{ EM_RISCV, "-4@-5", "s4 constant -5" },
	{ EM_RISCV, "8@-24(s0)", "u8 memory s0-24" },
	{ EM_RISCV, "8@0(sp)", "u8 memory sp" },
	{ EM_RISCV, "8@8(zero)", "u8 memory +8" },
	{ EM_RISCV, "8@%lo(gl)(a5)", "u8 other" },
	{ EM_RISCV, "8@8(a8)", "u8 other" },
	{ EM_RISCV, "8@(a5)", "u8 other" },
	{ EM_RISCV, "8@a5,a4", "u8 other" },

	/* Other machines: what all have in common. */
	{ EM_NOBODYS, "8@%r2 -4@160(%r15)", "u8 unknown; s4 unknown" },
	{ EM_NOBODYS, "4@[r3, r0, lsl #2] 2@#5", "u4 unknown; u2 unknown" },
};

static int put_register(char *to, size_t size,
			const struct sdtkit_register *reg)
{
	int n = snprintf(to, size, "%s", reg->full);

	if (strcmp(reg->name, reg->full) != 0)
		n += snprintf(to + n, size - (size_t)n, "/%u", reg->size);
	if (reg->shift != 0)
		n += snprintf(to + n, size - (size_t)n, ">>%u", reg->shift);
	return n;
}

static void put_memory(char *to, size_t size,
		       const struct sdtkit_operand *operand)
{
	int n = 0;

	if (operand->base != NULL)
		n += snprintf(to, size, "%s", operand->base->name);
	if (operand->index != NULL)
		n += snprintf(to + n, size - (size_t)n, "%s%s*%u",
			      n > 0 ? " " : "", operand->index->name,
			      operand->scale);
	if (operand->displacement != 0)
		snprintf(to + n, size - (size_t)n, "%+" PRId64,
			 operand->displacement);
}

static void put_operand(char *to, size_t size,
			const struct sdtkit_operand *operand)
{
	static const char *const kinds[] = {
		[SDTKIT_OPERAND_UNKNOWN] = "unknown",
		[SDTKIT_OPERAND_REGISTER] = "register ",
		[SDTKIT_OPERAND_MEMORY] = "memory ",
		[SDTKIT_OPERAND_CONSTANT] = "constant ",
		[SDTKIT_OPERAND_OTHER] = "other",
	};
	char type = operand->is_signed ? 's' : 'u';
	int n;

	n = snprintf(to, size, "%c%u %s", operand->is_float ? 'f' : type,
		     operand->size, kinds[operand->kind]);
	to += n;
	size -= (size_t)n;
	if (operand->kind == SDTKIT_OPERAND_REGISTER)
		put_register(to, size, operand->reg);
	else if (operand->kind == SDTKIT_OPERAND_MEMORY)
		put_memory(to, size, operand);
	else if (operand->kind == SDTKIT_OPERAND_CONSTANT)
		snprintf(to, size, "%" PRId64, operand->constant);
}

static void test_operand__means(void **state)
{
	struct sdtkit_operand operands[8];
	const struct sdtkit_arch *arch;
	char expected[256], meaning[256];
	size_t i;
	int count, j;

	(void)state;
	for (i = 0; i < ROWS(cases); i++) {
		arch = sdtkit_arch_find(cases[i].machine);
		count = sdtkit_operands_parse(arch, cases[i].text, operands,
					      8);
		/* The text leads, so that a failure tells which row it is. */
		snprintf(expected, sizeof(expected), "%s: %s", cases[i].text,
			 cases[i].meaning);
		snprintf(meaning, sizeof(meaning), "%s: ", cases[i].text);
		for (j = 0; j < count; j++) {
			if (j > 0)
				strcat(meaning, "; ");
			put_operand(meaning + strlen(meaning),
				    sizeof(meaning) - strlen(meaning),
				    &operands[j]);
		}
		assert_string_equal(meaning, expected);
	}
}

static void test_operand__keeps_its_text(void **state)
{
	static const char text[] = " 8@%rdi  -4@8(%rax) name";
	static const char *const parts[] = { "8@%rdi", "-4@8(%rax)", "name" };
	struct sdtkit_operand operands[3];
	size_t i;

	(void)state;
	assert_int_equal(sdtkit_operands_parse(sdtkit_arch_find(EM_X86_64),
					       text, operands, 3), 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(operands[i].length, strlen(parts[i]));
		assert_memory_equal(operands[i].text, parts[i],
				    operands[i].length);
	}
}

static void test_operand__other_forgets_what_was_parsed(void **state)
{
	struct sdtkit_operand operand;

	(void)state;
	sdtkit_operands_parse(sdtkit_arch_find(EM_X86_64),
			      "8@8(%rax,%rbx,4)x", &operand, 1);
	assert_int_equal(operand.kind, SDTKIT_OPERAND_OTHER);
	assert_null(operand.base);
	assert_null(operand.index);
	assert_int_equal(operand.scale, 0);
	assert_int_equal(operand.displacement, 0);
}

static void test_operand__too_many(void **state)
{
	struct sdtkit_operand operands[2];

	(void)state;
	assert_int_equal(sdtkit_operands_parse(NULL, "1@a 1@b", operands, 2),
			 2);
	assert_int_equal(sdtkit_operands_parse(NULL, "1@a 1@b 1@c", operands,
					       2), -E2BIG);
	assert_string_equal(sdtkit_notes_error(),
			    "a note has more than 2 arguments");
}

/* Any two bytes at each place; from the heap, so that overreading shows. */
static void test_operand__any_bytes(void **state)
{
	static const uint16_t machines[] = {
		EM_X86_64, EM_386, EM_AARCH64, EM_ARM, EM_PPC64, EM_S390,
		EM_RISCV, EM_NOBODYS,
	};
	static const char text[] =
		"-8f@16(%rax,%rbx,8) [x0, lsl 3] 8(%r4,%r2) 10,9 -24(s0)";
	struct sdtkit_operand operands[8];
	size_t at, i;
	int a, b;

	(void)state;
	for (at = 0; at + 2 < sizeof(text); at++) {
		for (a = 1; a < 256; a += 7) {
			for (b = 0; b < 256; b += 3) {
				char *mutated = strdup(text);

				mutated[at] = (char)a;
				mutated[at + 1] = (char)b;
				for (i = 0; i < ROWS(machines); i++)
					sdtkit_operands_parse(
						sdtkit_arch_find(machines[i]),
						mutated, operands, 8);
				free(mutated);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operand__means),
		cmocka_unit_test(test_operand__keeps_its_text),
		cmocka_unit_test(test_operand__other_forgets_what_was_parsed),
		cmocka_unit_test(test_operand__too_many),
		cmocka_unit_test(test_operand__any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
