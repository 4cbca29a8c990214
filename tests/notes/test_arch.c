/* SPDX-License-Identifier: BSD-2-Clause */
/* The register tables: what must hold for each, whatever the machine. */
#include <elf.h>
#include <string.h>

#include "arch.h"
#include "cmocka_all.h"

static const struct {
	uint16_t machine;
	const char *name;
} machines[] = {
	{ EM_X86_64, "x86-64" },
	{ EM_386, "i386" },
	{ EM_AARCH64, "aarch64" },
};

static const struct sdtkit_register *find(const struct sdtkit_register *table,
					  const char *name)
{
	for (; table->name != NULL; table++) {
		if (strcmp(table->name, name) == 0)
			return table;
	}
	return NULL;
}

static void test_arch__is_found_by_machine(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ROWS(machines); i++) {
		const struct sdtkit_arch *arch =
			sdtkit_arch_find(machines[i].machine);

		assert_non_null(arch);
		assert_int_equal(arch->machine, machines[i].machine);
		assert_string_equal(arch->name, machines[i].name);
	}
	assert_null(sdtkit_arch_find(EM_NONE));
	assert_null(sdtkit_arch_find(0xffff));
}

static void check_register(const struct sdtkit_register *table,
			   const struct sdtkit_register *reg)
{
	const struct sdtkit_register *full = find(table, reg->full);

	/* The first of its name: no name is there twice. */
	assert_ptr_equal(find(table, reg->name), reg);
	assert_non_null(full);
	assert_in_range(reg->size, 1, full->size);
	assert_in_range(reg->size * 8 + reg->shift, 8, full->size * 8);
	assert_int_equal(full->shift, 0);
}

static void test_arch__registers_are_sound(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ROWS(machines); i++) {
		const struct sdtkit_register *table =
			sdtkit_arch_find(machines[i].machine)->registers;
		const struct sdtkit_register *reg;

		for (reg = table; reg->name != NULL; reg++)
			check_register(table, reg);
	}
}

static void test_arch__registers_are_all_there(void **state)
{
	static const struct {
		uint16_t machine;
		size_t count;
	} counts[] = {
		/* 16 in four widths, 4 high bytes, rip, 16 vectors. */
		{ EM_X86_64, 16 * 4 + 4 + 1 + 16 },
		/* 8 in two widths, 4 low and 4 high bytes, 8 vectors. */
		{ EM_386, 8 * 2 + 4 + 4 + 8 },
		/* 31, sp and zr in two widths, fp and lr. */
		{ EM_AARCH64, 33 * 2 + 2 },
	};
	size_t i, n;

	(void)state;
	for (i = 0; i < ROWS(counts); i++) {
		const struct sdtkit_arch *arch =
			sdtkit_arch_find(counts[i].machine);

		for (n = 0; arch->registers[n].name != NULL; n++)
			continue;
		assert_int_equal(n, counts[i].count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arch__is_found_by_machine),
		cmocka_unit_test(test_arch__registers_are_sound),
		cmocka_unit_test(test_arch__registers_are_all_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
