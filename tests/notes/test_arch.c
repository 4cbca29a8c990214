/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of registers: what must hold for every machine, and what the files
 * of tests/machines say of one.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "cases.h"
#include "../cmocka_all.h"

/* tests/machines */

/* Looks up a name, which must match as a whole. */
static const struct sdtkit_register *find(const struct sdtkit_arch *arch,
					  const char *name)
{
	const struct sdtkit_register *reg;
	char buffer[32];
	struct sdtkit_cursor text = { .at = buffer };

	text.end = buffer + snprintf(buffer, sizeof(buffer), "%s%s",
				     arch->register_prefix, name);
	reg = sdtkit_arch_register(arch, &text);
	assert_ptr_equal(text.at, reg != NULL ? text.end : buffer);
	return reg;
}

static const struct sdtkit_arch *find_arch(const struct machine_cases *cases)
{
	const struct sdtkit_arch *arch = sdtkit_arch_find(cases->elf);

	assert_non_null(arch);
	return arch;
}

static void check_found(const struct machine_cases *cases)
{
	const struct sdtkit_arch *arch = find_arch(cases);

	assert_int_equal(arch->machine, cases->elf);
	assert_string_equal(arch->name, cases->name);
	assert_int_equal(arch->register_count, cases->registers);
}

/* There is a file for each machine of machines.h, and a line for each file. */
TEST(test_arch__is_found_by_machine)
{
	static const char *const names[] = {
#define MACHINE(name) #name,
#include "machines.h"
#undef MACHINE
	};

	assert_int_equal(cases_read(test_argument, "", check_found), ROWS(names));
	assert_null(sdtkit_arch_find(EM_NONE));
	assert_null(sdtkit_arch_find(0xffff));
}

static void check_register(const struct sdtkit_arch *arch,
			   const struct sdtkit_register *reg)
{
	const struct sdtkit_register *full = find(arch, reg->full);

	assert_ptr_equal(find(arch, reg->name), reg);
	assert_non_null(full);
	assert_string_equal(full->full, reg->full);
	assert_int_equal(full->number, reg->number);
	assert_in_range(reg->size, 1, full->size);
	assert_in_range(reg->size * 8 + reg->shift, 8, full->size * 8);
	assert_int_equal(full->shift, 0);
}

static void check_registers(const struct machine_cases *cases)
{
	const struct sdtkit_arch *arch = find_arch(cases);
	size_t n;

	for (n = 0; n < arch->register_count; n++)
		check_register(arch, &arch->registers[n]);
	for (n = 1; n < arch->register_count; n++)
		assert_true(strcmp(arch->registers[n - 1].name,
				   arch->registers[n].name) < 0);
}

TEST(test_arch__registers_are_sound_and_sorted)
{
	assert_true(cases_read(test_argument, "", check_registers) > 0);
}

static void check_others(const struct machine_cases *cases)
{
	static const char *const words[] = {
		"", "r", "x", "raxx", "rzx", "r99", "x32", "-1", "zzz", "A0",
		"RAX", "32", "s12", "xmm16", "w31", "e", "08",
	};
	size_t n;

	for (n = 0; n < ROWS(words); n++)
		assert_null(find(find_arch(cases), words[n]));
}

TEST(test_arch__other_words_are_not_registers)
{
	assert_true(cases_read(test_argument, "", check_others) > 0);
}

static void check_numbers(const struct machine_cases *cases)
{
	const struct sdtkit_register *reg;
	unsigned long number;
	size_t i;

	for (i = 0; i < cases->count; i++) {
		const struct case_row *row = &cases->rows[i];

		reg = find(find_arch(cases), row->key);
		number = strcmp(row->value, "none") == 0 ? SDTKIT_NO_NUMBER :
			 strtoul(row->value, NULL, 10);
		if (reg == NULL || reg->number != number)
			fail_msg("%s: %s is not register %s", cases->name,
				 row->key, row->value);
	}
	assert_true(i > 0);
}

TEST(test_arch__registers_have_their_numbers)
{
	assert_true(cases_read(test_argument, "numbers", check_numbers) > 0);
}
