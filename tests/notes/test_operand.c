/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands as compilers write them, and what they mean. Those of one machine
 * are in its file of tests/machines; here are those that are common to all. To
 * add a case, add a row. The meaning is written as
 *
 *	TYPE KIND WHERE		s4 memory rbp-20
 *
 * for each operand of the list, separated by "; ".
 */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "cases.h"
#include "../cmocka_all.h"
#include "operand.h"

/* tests/machines */

enum {
	EM_NOBODYS = 0xfeed,
};

static const struct {
	uint16_t machine;
	const char *text;
	const char *meaning;
} cases[] = {
	/* Lists of operands. */
	{ EM_X86_64, "", "" },
	{ EM_X86_64, "   ", "" },
	{ EM_X86_64, "8@%rdi -4@%esi", "u8 register rdi; s4 register rsi/4" },
	{ EM_X86_64, " 4@$7  4@$8 ", "u4 constant 7; u4 constant 8" },
	{ EM_AARCH64, "8@[sp, 24] -4@5", "u8 memory sp+24; s4 constant 5" },
	{ EM_X86_64, "8@(%rax 8@%rdi", "u8 other" },
	{ EM_X86_64, "8@) 8@%rdi", "u8 other; u8 register rdi" },

	/* Types of operands. */
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

	/*
	 * Machines that the library does not know: the types are read
	 * nevertheless.
	 */
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

static void check_meaning(const struct sdtkit_arch *arch, const char *text,
			  const char *expected)
{
	struct sdtkit_operand operands[8];
	char meaning[256] = "";
	int count, j;

	count = sdtkit_operands_parse(arch, text, operands, 8);
	for (j = 0; j < count; j++) {
		if (j > 0)
			strcat(meaning, "; ");
		put_operand(meaning + strlen(meaning),
			    sizeof(meaning) - strlen(meaning), &operands[j]);
	}
	if (strcmp(meaning, expected) != 0)
		fail_msg("%s, %s: %s instead of %s",
			 arch != NULL ? arch->name : "no machine", text,
			 meaning, expected);
}

TEST(test_operand__means)
{
	size_t i;

	for (i = 0; i < ROWS(cases); i++)
		check_meaning(sdtkit_arch_find(cases[i].machine),
			      cases[i].text, cases[i].meaning);
}

static void check_operands(const struct machine_cases *machine)
{
	size_t i;

	assert_true(machine->count > 0);
	for (i = 0; i < machine->count; i++)
		check_meaning(sdtkit_arch_find(machine->elf),
			      machine->rows[i].key, machine->rows[i].value);
}

TEST(test_operand__means_on_its_machine)
{
	assert_true(cases_read(test_argument, "operands", check_operands) > 0);
}

TEST(test_operand__keeps_its_text)
{
	static const char text[] = " 8@%rdi  -4@8(%rax) name";
	static const char *const parts[] = { "8@%rdi", "-4@8(%rax)", "name" };
	struct sdtkit_operand operands[3];
	size_t i;

	assert_int_equal(sdtkit_operands_parse(sdtkit_arch_find(EM_X86_64),
					       text, operands, 3), 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(operands[i].length, strlen(parts[i]));
		assert_memory_equal(operands[i].text, parts[i],
				    operands[i].length);
	}
}

TEST(test_operand__other_forgets_what_was_parsed)
{
	struct sdtkit_operand operand;

	sdtkit_operands_parse(sdtkit_arch_find(EM_X86_64),
			      "8@8(%rax,%rbx,4)x", &operand, 1);
	assert_int_equal(operand.kind, SDTKIT_OPERAND_OTHER);
	assert_null(operand.base);
	assert_null(operand.index);
	assert_int_equal(operand.scale, 0);
	assert_int_equal(operand.displacement, 0);
}

TEST(test_operand__too_many)
{
	struct sdtkit_operand operands[2];

	assert_int_equal(sdtkit_operands_parse(NULL, "1@a 1@b", operands, 2),
			 2);
	assert_int_equal(sdtkit_operands_parse(NULL, "1@a 1@b 1@c", operands,
					       2), -E2BIG);
	assert_string_equal(sdtkit_notes_error(),
			    "a note has more than 2 arguments");
}

/*
 * Puts any two bytes at each offset of the text, which is on the heap so that
 * reading beyond the end is noticed.
 */
static void mutate(const struct sdtkit_arch *arch)
{
	static const char text[] = "-8f@16(%rax,%rbx,8) [x0, lsl 3] "
				   "8(%r4,%r2) 10,9 -24(s0) $r3, 8";
	struct sdtkit_operand operands[8];
	size_t at;
	int a, b;

	for (at = 0; at + 2 < sizeof(text); at++) {
		for (a = 1; a < 256; a += 7) {
			for (b = 0; b < 256; b += 3) {
				char *mutated = strdup(text);

				mutated[at] = (char)a;
				mutated[at + 1] = (char)b;
				sdtkit_operands_parse(arch, mutated, operands,
						      8);
				free(mutated);
			}
		}
	}
}

static void mutate_for(const struct machine_cases *machine)
{
	mutate(sdtkit_arch_find(machine->elf));
}

TEST(test_operand__any_bytes)
{
	assert_true(cases_read(test_argument, "", mutate_for) > 0);
	mutate(NULL);
}
