/* SPDX-License-Identifier: BSD-2-Clause */
/* The register tables: what must hold for each, whatever the machine. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "cmocka_all.h"

static const struct {
	uint16_t machine;
	const char *name;
	size_t registers;
} machines[] = {
	/* 16 in four widths, 4 high bytes, rip, 16 vectors. */
	{ EM_X86_64, "x86-64", 16 * 4 + 4 + 1 + 16 },
	/* 8 in two widths, 4 low and 4 high bytes, 8 vectors. */
	{ EM_386, "i386", 8 * 2 + 4 + 4 + 8 },
	/* 31, sp and zr in two widths, fp and lr. */
	{ EM_AARCH64, "aarch64", 33 * 2 + 2 },
	/* 16, and fp, ip, lr, pc, sb, sl, sp. */
	{ EM_ARM, "arm", 16 + 7 },
	{ EM_PPC64, "ppc64", 32 },
	{ EM_S390, "s390x", 16 },
	/* 32 by either name, and fp. */
	{ EM_RISCV, "riscv", 32 * 2 + 1 },
};

/* Numbers that a psABI gives: of each machine what breaks its order. */
static const struct {
	uint16_t machine;
	const char *name;
	unsigned int number;
} numbers[] = {
	{ EM_X86_64, "rax", 0 }, { EM_X86_64, "rdx", 1 },
	{ EM_X86_64, "rcx", 2 }, { EM_X86_64, "rbx", 3 },
	{ EM_X86_64, "rsi", 4 }, { EM_X86_64, "rdi", 5 },
	{ EM_X86_64, "rbp", 6 }, { EM_X86_64, "rsp", 7 },
	{ EM_X86_64, "r8b", 8 }, { EM_X86_64, "r15", 15 },
	{ EM_X86_64, "rip", 16 }, { EM_X86_64, "xmm0", 17 },
	{ EM_X86_64, "xmm15", 32 }, { EM_X86_64, "dh", 1 },
	{ EM_386, "eax", 0 }, { EM_386, "ecx", 1 }, { EM_386, "edx", 2 },
	{ EM_386, "ebx", 3 }, { EM_386, "esp", 4 }, { EM_386, "ebp", 5 },
	{ EM_386, "esi", 6 }, { EM_386, "edi", 7 }, { EM_386, "xmm0", 21 },
	{ EM_AARCH64, "x0", 0 }, { EM_AARCH64, "w29", 29 },
	{ EM_AARCH64, "fp", 29 }, { EM_AARCH64, "lr", 30 },
	{ EM_AARCH64, "wsp", 31 }, { EM_AARCH64, "xzr", SDTKIT_NO_NUMBER },
	{ EM_ARM, "fp", 11 }, { EM_ARM, "ip", 12 }, { EM_ARM, "sp", 13 },
	{ EM_ARM, "lr", 14 }, { EM_ARM, "pc", 15 }, { EM_ARM, "sl", 10 },
	{ EM_PPC64, "0", 0 }, { EM_PPC64, "31", 31 },
	{ EM_S390, "r0", 0 }, { EM_S390, "r15", 15 },
	{ EM_RISCV, "zero", 0 }, { EM_RISCV, "ra", 1 }, { EM_RISCV, "sp", 2 },
	{ EM_RISCV, "gp", 3 }, { EM_RISCV, "tp", 4 }, { EM_RISCV, "t2", 7 },
	{ EM_RISCV, "fp", 8 }, { EM_RISCV, "s1", 9 }, { EM_RISCV, "a0", 10 },
	{ EM_RISCV, "a7", 17 }, { EM_RISCV, "s2", 18 }, { EM_RISCV, "s11", 27 },
	{ EM_RISCV, "t3", 28 }, { EM_RISCV, "t6", 31 }, { EM_RISCV, "x31", 31 },
};

/* What the library finds for a name; it has to be all of the text. */
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
		assert_int_equal(arch->register_count, machines[i].registers);
	}
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

static void test_arch__registers_are_sound(void **state)
{
	size_t i, n;

	(void)state;
	for (i = 0; i < ROWS(machines); i++) {
		const struct sdtkit_arch *arch =
			sdtkit_arch_find(machines[i].machine);

		for (n = 0; n < arch->register_count; n++)
			check_register(arch, &arch->registers[n]);
	}
}

static void test_arch__registers_are_sorted(void **state)
{
	size_t i, n;

	(void)state;
	for (i = 0; i < ROWS(machines); i++) {
		const struct sdtkit_arch *arch =
			sdtkit_arch_find(machines[i].machine);

		for (n = 1; n < arch->register_count; n++)
			assert_true(strcmp(arch->registers[n - 1].name,
					   arch->registers[n].name) < 0);
	}
}

static void test_arch__other_words_are_no_registers(void **state)
{
	static const char *const words[] = {
		"", "r", "x", "ra", "raxx", "rzx", "r16", "r99", "x32", "-1",
		"zzz", "A0", "RAX", "32", "s12", "xmm16", "w31", "e", "08",
	};
	size_t i, n;

	(void)state;
	for (i = 0; i < ROWS(machines); i++) {
		for (n = 0; n < ROWS(words); n++) {
			if (machines[i].machine == EM_RISCV &&
			    strcmp(words[n], "ra") == 0)
				continue;
			assert_null(find(sdtkit_arch_find(machines[i].machine),
					 words[n]));
		}
	}
}

static void test_arch__registers_have_their_numbers(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ROWS(numbers); i++) {
		const struct sdtkit_register *reg =
			find(sdtkit_arch_find(numbers[i].machine),
			     numbers[i].name);

		assert_non_null(reg);
		assert_int_equal(reg->number, numbers[i].number);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arch__is_found_by_machine),
		cmocka_unit_test(test_arch__registers_are_sound),
		cmocka_unit_test(test_arch__registers_are_sorted),
		cmocka_unit_test(test_arch__other_words_are_no_registers),
		cmocka_unit_test(test_arch__registers_have_their_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
