/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes of <sys/sdt.h>, which have no description, and a note in assembly. */
#define _SDT_HAS_SEMAPHORES 1
#include <stdint.h>
#include <stdio.h>

unsigned short old_guarded_semaphore __attribute__((section(".probes")));
unsigned short old_plain_semaphore __attribute__((section(".probes")));
unsigned short old_twelve_semaphore __attribute__((section(".probes")));

#include <sys/sdt.h>

#ifdef __clang__	/* of <sys/sdt.h> */
#pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments"
#endif

#include "tap_all.h"

static char text[] = "from sdt.h";
static volatile int64_t zero;

static void fire_plain(int8_t a, uint16_t b, const char *c, double d)
{
	DTRACE_PROBE4(old, plain, a, b, c, d);
}

TEST(test_plain)
{
	struct sdtkit_tap *tap = open_tap("old:plain");
	const struct sdtkit_tap_probe *probe = sdtkit_tap_probe_at(tap, 0);

	assert_false(probe->described);
	assert_string_equal(probe->fields[0].name, "");
	fire_plain((int8_t)(zero - 3), (uint16_t)(zero + 65000), text, 0.5);
	good(sdtkit_tap_expect(tap, "old:plain", sdtkit_tap_int(NULL, -3),
			       sdtkit_tap_int(NULL, 65000),
			       sdtkit_tap_str(NULL, "from sdt.h")));
	fire_plain(1, 2, text, 0.5);
	bad(EILSEQ, "argument 1: expected 3, is 2",
	    sdtkit_tap_expect(tap, "old:plain", sdtkit_tap_any("0"),
			      sdtkit_tap_int(NULL, 3)));
	good(sdtkit_tap_expect(tap, "old:plain",
			       sdtkit_tap_pointer("2", text)));
	sdtkit_tap_close(tap);
}

/*
 * A word is printed as a string only if it is the address of text: the address
 * of a struct that begins with a small number is not.
 */
TEST(test_numbers_are_numbers)
{
	static const struct { int fd; int more; } object = { '!', 0 };
	struct sdtkit_tap *tap = open_tap("old:plain");
	char line[128], number[64];
	const struct sdtkit_tap_event *event;

	fire_plain(1, 2, (const char *)&object, 0.5);
	fire_plain(1, 2, text, 0.5);
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	sdtkit_tap_format(event, line, sizeof(line));
	snprintf(number, sizeof(number), "(1, 2, %llu, ",
		 (unsigned long long)(uintptr_t)&object);
	assert_non_null(strstr(line, number));
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	sdtkit_tap_format(event, line, sizeof(line));
	snprintf(number, sizeof(number), "(1, 2, %#llx \"from sdt.h\", ",
		 (unsigned long long)(uintptr_t)text);
	assert_non_null(strstr(line, number));
	sdtkit_tap_close(tap);
}

TEST(test_guarded)
{
	struct sdtkit_tap *tap = open_tap("old:*");

	assert_int_equal(old_guarded_semaphore, 1);
	if (old_guarded_semaphore)
		DTRACE_PROBE1(old, guarded, zero + 7);
	good(sdtkit_tap_expect(tap, "old:guarded", sdtkit_tap_int("0", 7)));
	sdtkit_tap_close(tap);
	assert_int_equal(old_guarded_semaphore, 0);
}

TEST(test_twelve)
{
	struct sdtkit_tap *tap = open_tap("old:twelve");
	const struct sdtkit_tap_event *event;
	size_t i;

	DTRACE_PROBE12(old, twelve, zero + 1, zero + 2, zero + 3, zero + 4,
		       zero + 5, zero + 6, zero + 7, zero + 8, zero + 9, 10,
		       11, 12);
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	assert_int_equal(event->value_count, 12);
	for (i = 0; i < 12; i++)
		assert_int_equal(event->values[i].bits, i + 1);
	sdtkit_tap_close(tap);
}

#ifdef __x86_64__

/* A note of a site with these operands. 3 is NT_STAPSDT. */
#define NOTE(probe, operands)						\
	"990:	nop\n"							\
	".pushsection .note.stapsdt,\"\",\"note\"\n"			\
	"	.balign 4\n"						\
	"	.4byte 992f-991f, 994f-993f, 3\n"			\
	"991:	.asciz \"stapsdt\"\n"					\
	"992:	.balign 4\n"						\
	"993:	.8byte 990b, _.stapsdt.base, 0\n"			\
	"	.asciz \"hand\"\n"					\
	"	.asciz \"" probe "\"\n"					\
	"	.asciz \"" operands "\"\n"				\
	"994:	.balign 4\n"						\
	".popsection\n"

static void fire_vector(double a, float b)
{
	__asm__ __volatile__(NOTE("vector", "8f@%0 4f@%1 8f@unknown(%%rip)")
			     : : "x" (a), "x" (b));
}

TEST(test_vector)
{
	struct sdtkit_tap *tap = open_tap("hand:vector");

	fire_vector(0.1 + (double)zero, 2.5f + (float)zero);
	bad(EILSEQ, "argument 2: expected any value, is ? (the note has an "
	    "operand that this library does not understand)",
	    sdtkit_tap_expect(tap, "hand:vector", sdtkit_tap_any("2")));
	good(sdtkit_tap_expect(tap, "hand:vector", sdtkit_tap_float("0", 0.1),
			       sdtkit_tap_float("1", 2.5)));
	sdtkit_tap_close(tap);
}

TEST(test_too_many)
{
	struct sdtkit_tap *tap = NULL;

	__asm__ __volatile__(NOTE("thirteen", "8@$1 8@$2 8@$3 8@$4 8@$5 8@$6 "
				  "8@$7 8@$8 8@$9 8@$10 8@$11 8@$12 8@$13"));
	bad(E2BIG, "hand:thirteen in ", sdtkit_tap_open("hand:thirteen", &tap));
	assert_non_null(strstr(sdtkit_tap_error(), "more than 12 arguments"));
	assert_null(tap);
}

#endif
