/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands of x86-64: each form that compilers were seen to emit, and some that
 * they were not, is either read correctly or reported as unreadable.
 */
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch.h"
#include "decode.h"
#include "format.h"
#include "machine.h"
#include "operand.h"
#include "tap_all.h"

static uint8_t memory[64] = {
	[0] = 0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,	/* -16 */
	[8] = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
	[16] = 0, 0, 0, 0, 0, 0, 0xf8, 0x3f,			/* 1.5 */
	[24] = 0, 0, 0xc0, 0x3f,				/* 1.5f */
};

/*
 * rax is a number, rbx the address of memory[], rcx is 2, and rsp is an address
 * where nothing is mapped.
 */
static uint64_t registers[SDTKIT_TAP_REGISTERS];
static char vectors[16][SDTKIT_TAP_VECTOR_SIZE];
static struct sdtkit_tap_thread thread = {
	.registers = registers,
	.vectors = vectors,
};

/* By their numbers in DWARF. */
enum {
	RAX = 0, RCX = 2, RBX = 3, RDI = 5, RSP = 7, R15 = 15,
};

static void set_up(void)
{
	double number = -2.25;
	float narrow = 0.5f;

	registers[RAX] = 0x8182838485868788;
	registers[RBX] = (uintptr_t)memory;
	registers[RCX] = 2;
	registers[R15] = UINT64_MAX;
	registers[RSP] = 16;
	memcpy(vectors[0], &number, sizeof(number));
	memcpy(vectors[15], &narrow, sizeof(narrow));
	thread.pid = getpid();
}

#define UNREADABLE	INT64_C(0x7eadbeef)

static const struct {
	const char *operand;
	/* NULL: the type is that of the operand. */
	const char *wire;
	int64_t bits;
	enum sdtkit_tap_kind kind;
	double number;
} rows[] = {
	{ "8@%rax", NULL, (int64_t)0x8182838485868788, SDTKIT_TAP_UNSIGNED, 0 },
	{ "-8@%rax", NULL, (int64_t)0x8182838485868788, SDTKIT_TAP_SIGNED, 0 },
	{ "4@%eax", NULL, 0x85868788, SDTKIT_TAP_UNSIGNED, 0 },
	{ "-4@%eax", NULL, (int32_t)0x85868788, SDTKIT_TAP_SIGNED, 0 },
	{ "2@%ax", NULL, 0x8788, SDTKIT_TAP_UNSIGNED, 0 },
	{ "-2@%ax", NULL, (int16_t)0x8788, SDTKIT_TAP_SIGNED, 0 },
	{ "1@%al", NULL, 0x88, SDTKIT_TAP_UNSIGNED, 0 },
	{ "1@%ah", NULL, 0x87, SDTKIT_TAP_UNSIGNED, 0 },
	{ "-1@%ah", NULL, (int8_t)0x87, SDTKIT_TAP_SIGNED, 0 },
	{ "1@%rax", NULL, 0x88, SDTKIT_TAP_UNSIGNED, 0 },
	{ "-4@%r15d", NULL, -1, SDTKIT_TAP_SIGNED, 0 },
	{ "1@%r15b", NULL, 255, SDTKIT_TAP_UNSIGNED, 0 },
	{ "%rcx", NULL, 2, SDTKIT_TAP_UNSIGNED, 0 },
	/* The declared type decides, and how wide it is. */
	{ "8@%rax", "u1", 0x88, SDTKIT_TAP_UNSIGNED, 0 },
	{ "8@%rax", "s2", (int16_t)0x8788, SDTKIT_TAP_SIGNED, 0 },
	{ "-8@%r15", "u4", 0xffffffff, SDTKIT_TAP_UNSIGNED, 0 },
	{ "8@%rcx", "p", 2, SDTKIT_TAP_POINTER, 0 },
	{ "8@%rcx", "uw", 2, SDTKIT_TAP_UNSIGNED, 0 },
	{ "8@%rcx", "q3", UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "8@%rcx", "u3", UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	/* The register is narrower than the value, so half of it is missing. */
	{ "8@%eax", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "4@%al", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "-4@$5", NULL, 5, SDTKIT_TAP_SIGNED, 0 },
	{ "4@$-1", NULL, 0xffffffff, SDTKIT_TAP_UNSIGNED, 0 },
	{ "1@$-56", NULL, 200, SDTKIT_TAP_UNSIGNED, 0 },
	{ "2@$-536", NULL, 65000, SDTKIT_TAP_UNSIGNED, 0 },
	{ "-8@$-9223372036854775808", NULL, INT64_MIN, SDTKIT_TAP_SIGNED, 0 },
	{ "8@$18446744073709551615", NULL, -1, SDTKIT_TAP_UNSIGNED, 0 },
	{ "4@$0x10", NULL, 16, SDTKIT_TAP_UNSIGNED, 0 },
	{ "-8@(%rbx)", NULL, -16, SDTKIT_TAP_SIGNED, 0 },
	{ "1@(%rbx)", NULL, 0xf0, SDTKIT_TAP_UNSIGNED, 0 },
	{ "-1@(%rbx)", NULL, -16, SDTKIT_TAP_SIGNED, 0 },
	{ "4@8(%rbx)", NULL, 0x04030201, SDTKIT_TAP_UNSIGNED, 0 },
	{ "2@4+4(%rbx)", NULL, 0x0201, SDTKIT_TAP_UNSIGNED, 0 },
	{ "1@-8+16+1(%rbx)", NULL, 2, SDTKIT_TAP_UNSIGNED, 0 },
	{ "1@0x9(%rbx)", NULL, 2, SDTKIT_TAP_UNSIGNED, 0 },
	{ "1@(%rbx,%rcx,4)", NULL, 1, SDTKIT_TAP_UNSIGNED, 0 },
	{ "1@-1(%rbx,%rcx,8)", NULL, 8, SDTKIT_TAP_UNSIGNED, 0 },
	{ "1@8(%rbx,%rcx)", NULL, 3, SDTKIT_TAP_UNSIGNED, 0 },
	{ "8@(%rsp)", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "8@4096", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "8@8(%rip)", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "-4@global(%rip)", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "-4@global", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "8@$global+8", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "4@garr(,%rcx,4)", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "8@%fs:0", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "-4@%fs:tv@tpoff", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "8f@.LC5(%rip)", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "16@%rax", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "16f@(%rbx)", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "3@(%rbx)", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "8@%st(1)", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "8f@%xmm0", NULL, (int64_t)0xc002000000000000, SDTKIT_TAP_FLOAT,
	  -2.25 },
	{ "4f@%xmm15", NULL, 0x3f000000, SDTKIT_TAP_FLOAT, 0.5 },
	{ "8@%xmm0", NULL, (int64_t)0xc002000000000000, SDTKIT_TAP_UNSIGNED,
	  0 },
	{ "16@%xmm0", NULL, UNREADABLE, SDTKIT_TAP_UNREADABLE, 0 },
	{ "8f@16(%rbx)", NULL, 0x3ff8000000000000, SDTKIT_TAP_FLOAT, 1.5 },
	{ "4f@24(%rbx)", NULL, 0x3fc00000, SDTKIT_TAP_FLOAT, 1.5 },
	{ "-8f@16(%rbx)", NULL, 0x3ff8000000000000, SDTKIT_TAP_FLOAT, 1.5 },
	{ "8@24(%rbx)", "f4", 0x3fc00000, SDTKIT_TAP_FLOAT, 1.5 },
	{ "8@16(%rbx)", "f8", 0x3ff8000000000000, SDTKIT_TAP_FLOAT, 1.5 },
};

TEST(test_operands)
{
	struct sdtkit_operand operand;
	struct sdtkit_tap_value value;
	char text[256];
	size_t i;

	set_up();
	for (i = 0; i < ROWS(rows); i++) {
		struct sdtkit_tap_space space = {
			.at = text,
			.left = sizeof(text),
		};
		struct sdtkit_tap_form form;

		assert_int_equal(sdtkit_operands_parse(&sdtkit_arch_x86_64,
						       rows[i].operand,
						       &operand, 1), 1);
		form = sdtkit_tap_form(rows[i].wire, &operand);
		sdtkit_tap_decode(&operand, form, &thread, &value, &space);
		if (value.kind != rows[i].kind ||
		    value.number != rows[i].number ||
		    (value.why != NULL) != (rows[i].bits == UNREADABLE) ||
		    (value.why == NULL &&
		     (int64_t)value.bits != rows[i].bits))
			fail_msg("%s: %d %#" PRIx64 " %g %s", rows[i].operand,
				 (int)value.kind, value.bits, value.number,
				 value.why ? value.why : "");
	}
}

/* Without a declared type, a word may be a number or the address of text. */
TEST(test_guessed_strings)
{
	static char without_end[1100];
	static const struct { const char *at; bool is_text; } guesses[] = {
		{ "guess\tme\r\n", true },
		{ "gr\303\274n \342\202\254 \360\237\220\237", true },
		{ "\001\002", false },
		{ "", false },
		{ "delete\177", false },
		{ "latin-1 caf\351", false },
		{ "a continuation \274", false },
		{ "begun \342\202", false },
		{ "too long \300\257", false },
		{ "half of a pair \355\240\200", false },
		{ "beyond U+10FFFF \364\220\200\200", false },
		{ "C1 \302\233[2J", false },
		{ without_end, false },
		{ (char *)7, false },
		{ NULL, false },
	};
	struct sdtkit_operand operand;
	struct sdtkit_tap_value value;
	char text[2048];
	size_t i;

	set_up();
	memset(without_end, 'a', sizeof(without_end) - 1);
	sdtkit_operands_parse(&sdtkit_arch_x86_64, "8@%rdi", &operand, 1);
	for (i = 0; i < ROWS(guesses); i++) {
		struct sdtkit_tap_space space = {
			.at = text,
			.left = sizeof(text),
		};

		registers[RDI] = (uintptr_t)guesses[i].at;
		sdtkit_tap_decode(&operand, sdtkit_tap_form(NULL, &operand),
				  &thread, &value, &space);
		assert_int_equal(value.kind, SDTKIT_TAP_UNSIGNED);
		assert_int_equal(value.bits, (uintptr_t)guesses[i].at);
		assert_null(value.why);
		if (!guesses[i].is_text) {
			assert_null(value.text);
			assert_int_equal(space.left, sizeof(text));
		} else {
			assert_string_equal(value.text, guesses[i].at);
		}
	}
}

/*
 * Each string takes as much of the buffer as it needs; one that does not fit
 * says so.
 */
TEST(test_space_for_strings)
{
	static char long_text[2000];
	struct sdtkit_tap_value values[4];
	char text[1200];
	struct sdtkit_tap_space space = {
			.at = text,
			.left = sizeof(text),
		};
	struct sdtkit_operand operand;
	size_t i;

	memset(long_text, 'z', sizeof(long_text) - 1);
	sdtkit_operands_parse(&sdtkit_arch_x86_64, "8@%rdi", &operand, 1);
	registers[RDI] = (uintptr_t)long_text;
	for (i = 0; i < ROWS(values); i++)
		sdtkit_tap_decode(&operand, sdtkit_tap_form("z", &operand),
				  &thread, &values[i], &space);
	assert_int_equal(values[0].length, 1023);
	assert_true(values[0].cut);
	assert_int_equal(values[1].length, 1200 - 1024 - 1);
	assert_true(values[1].cut);
	assert_null(values[2].text);
	assert_string_equal(values[2].why,
			    "the strings before it took the space");
	assert_null(values[3].text);
}

/*
 * A limit on the length leaves space for later strings. To guess whether an
 * argument is a string, all of it is read nevertheless.
 */
TEST(test_limit_of_strings)
{
	static char wanted[] = "0123456789";
	static const char *const wires[] = { "z", NULL, "z" };
	struct sdtkit_tap_value value;
	char text[2048];
	struct sdtkit_tap_space space = {
		.at = text,
		.left = sizeof(text),
		.limit = 4,
	};
	struct sdtkit_operand operand;
	size_t i;

	sdtkit_operands_parse(&sdtkit_arch_x86_64, "8@%rdi", &operand, 1);
	registers[RDI] = (uintptr_t)wanted;
	for (i = 0; i < ROWS(wires); i++) {
		sdtkit_tap_decode(&operand,
				  sdtkit_tap_form(wires[i], &operand), &thread,
				  &value, &space);
		assert_string_equal(value.text, "0123");
		assert_int_equal(value.length, 4);
		assert_true(value.cut);
		assert_int_equal(space.left, sizeof(text) - (i + 1) * 5);
	}
	wanted[4] = '\0';
	sdtkit_tap_decode(&operand, sdtkit_tap_form("z", &operand), &thread,
			  &value, &space);
	assert_string_equal(value.text, "0123");
	assert_false(value.cut);
}

/* A program's locale may have a comma; the lines have a point all the same. */
TEST(test_locale)
{
	char folder[] = "/tmp/sdtkit-locale-XXXXXX", command[256];
	const struct sdtkit_tap_value value = {
		.kind = SDTKIT_TAP_FLOAT, .size = 8, .number = -1.5e-300,
	};
	char text[32];
	bool is_set;

	assert_non_null(mkdtemp(folder));
	snprintf(command, sizeof(command), "cd %s && printf "
		 "'LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\n"
		 "grouping -1\nEND LC_NUMERIC\n' > source && "
		 "localedef -c -i source ./comma > /dev/null 2>&1", folder);
	assert_int_not_equal(system(command), -1);
	setenv("LOCPATH", folder, 1);
	is_set = setlocale(LC_NUMERIC, "comma") != NULL;
	snprintf(text, sizeof(text), "%.1f", 0.5);
	if (is_set)
		assert_string_equal(text, "0,5");
	sdtkit_tap_format_value(&value, text, sizeof(text));
	setlocale(LC_NUMERIC, "C");
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
	if (!is_set)
		print_message("# not tried with a comma: no localedef\n");
	assert_string_equal(text, "-1.5e-300");
}
