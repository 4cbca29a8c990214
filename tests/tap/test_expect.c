/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Expectations: which events they accept, which they refuse, and the messages.
 */
#include <math.h>
#include <stdio.h>

#include "tap_all.h"

static char text[] = "a \"quoted\"\n\001 text";

static void fire_kinds(void)
{
	TAPS_KINDS(-3, 65535, INT64_MIN, SIZE_MAX, true, 0.1f, -0.1, text,
		   text);
}

TEST(test_values)
{
	struct sdtkit_tap *tap = open_tap("taps:*");

	fire_kinds();
	good(sdtkit_tap_expect(tap, "taps:kinds",
			       sdtkit_tap_int("s1", -3),
			       sdtkit_tap_uint("u2", 65535),
			       sdtkit_tap_int("s8", INT64_MIN),
			       sdtkit_tap_uint("word", SIZE_MAX),
			       sdtkit_tap_uint("yes", 1),
			       sdtkit_tap_float("f4", 0.1),
			       sdtkit_tap_float("f8", -0.1),
			       sdtkit_tap_pointer("address", text),
			       sdtkit_tap_str("text", text)));
	fire_kinds();
	good(sdtkit_tap_expect(tap, "taps:kinds", sdtkit_tap_int("0", -3),
			       sdtkit_tap_any(NULL), sdtkit_tap_any(NULL),
			       sdtkit_tap_uint(NULL, SIZE_MAX),
			       sdtkit_tap_like("text", "a *text"),
			       sdtkit_tap_pointer("8", text)));
	TAPS_PAIR(5, NULL);
	good(sdtkit_tap_expect(tap, "taps:pair", sdtkit_tap_int(NULL, 5),
			       sdtkit_tap_str(NULL, NULL)));
	sdtkit_tap_close(tap);
}

/*
 * Expectations that the event of fire_kinds() does not meet, each with the
 * message that says so.
 */
static const struct {
	const char *message;
	struct {
		int what;
		const char *key;
		long long number;
		double real;
		const char *text;
	} want;
} wrong[] = {
	{ "s1: expected -4, is -3", { SDTKIT_TAP_WANT_INT, "s1", -4, 0, 0 } },
	{ "s1: expected 18446744073709551613, is -3",
	  { SDTKIT_TAP_WANT_UINT, "s1", -3, 0, 0 } },
	{ "word: expected -1, is ", { SDTKIT_TAP_WANT_INT, "word", -1, 0, 0 } },
	{ "u2: expected -1, is 65535",
	  { SDTKIT_TAP_WANT_INT, "u2", -1, 0, 0 } },
	{ "u2: expected 65535, is 65535",
	  { SDTKIT_TAP_WANT_FLOAT, "u2", 0, 65535, 0 } },
	{ "f8: expected 0.1, is -0.1",
	  { SDTKIT_TAP_WANT_FLOAT, "f8", 0, 0.1, 0 } },
	{ "f4: expected 0.5, is 0.1",
	  { SDTKIT_TAP_WANT_FLOAT, "f4", 0, 0.5, 0 } },
	{ "f4: expected 0, is 0.1", { SDTKIT_TAP_WANT_UINT, "f4", 0, 0, 0 } },
	{ "address: expected NULL, is 0x",
	  { SDTKIT_TAP_WANT_POINTER, "address", 0, 0, 0 } },
	{ "address: expected \"b\", is 0x",
	  { SDTKIT_TAP_WANT_STRING, "address", 0, 0, "b" } },
	{ "text: expected \"b\", is \"a \\\"quoted\\\"\\n\\x01 text\"",
	  { SDTKIT_TAP_WANT_STRING, "text", 0, 0, "b" } },
	{ "text: expected NULL, is \"",
	  { SDTKIT_TAP_WANT_STRING, "text", 0, 0, NULL } },
	{ "text: expected like \"b*\", is \"",
	  { SDTKIT_TAP_WANT_LIKE, "text", 0, 0, "b*" } },
	{ "yes: expected 0, is 1", { SDTKIT_TAP_WANT_INT, "yes", 0, 0, 0 } },
};

TEST(test_wrong_values)
{
	struct sdtkit_tap *tap = open_tap("taps:*");
	size_t i;

	fire_kinds();
	for (i = 0; i < ROWS(wrong); i++)
		bad(EILSEQ, wrong[i].message,
		    sdtkit_tap_expect(tap, "taps:kinds",
				      sdtkit_tap_want_of(
						wrong[i].want.what,
						wrong[i].want.key,
						(uint64_t)wrong[i].want.number,
						wrong[i].want.real,
						wrong[i].want.text)));
	/* A failed expectation has not taken the event. */
	good(sdtkit_tap_expect(tap, "taps:kinds"));
	bad(ENOMSG, "did not fire", sdtkit_tap_expect(tap, "taps:kinds"));
	sdtkit_tap_close(tap);
}

TEST(test_no_number)
{
	struct sdtkit_tap *tap = open_tap("taps:kinds");

	TAPS_KINDS(0, 0, 0, 0, false, NAN, -INFINITY, NULL, NULL);
	good(sdtkit_tap_expect(tap, "taps:kinds", sdtkit_tap_float("f4", NAN),
			       sdtkit_tap_float("f8", -INFINITY)));
	sdtkit_tap_close(tap);
}

TEST(test_order)
{
	struct sdtkit_tap *tap = open_tap("taps:*,!taps:kinds");

	TAPS_NUMBER(1);
	TAPS_PAIR(3, NULL);
	fire_kinds();
	bad(EILSEQ, "taps:pair was expected next; what fired is\n"
	    "\ttaps:number(n=1)\n\ttaps:pair(number=3, text=NULL)\n"
	    "expected were number=3, like \"x*\"",
	    sdtkit_tap_expect_next(tap, "taps:pair",
				   sdtkit_tap_int("number", 3),
				   sdtkit_tap_like(NULL, "x*")));
	bad(EILSEQ, "n: expected 2, is 1",
	    sdtkit_tap_expect_next(tap, "taps:number",
				   sdtkit_tap_int("n", 2)));
	good(sdtkit_tap_expect_next(tap, "taps:number"));
	good(sdtkit_tap_expect_next(tap, "taps:pair"));
	good(sdtkit_tap_expect_none(tap, NULL));
	sdtkit_tap_close(tap);
}

TEST(test_order_of_some)
{
	struct sdtkit_tap *tap = open_tap("taps:*,!taps:kinds");

	TAPS_NUMBER(1);
	TAPS_NOTHING();
	TAPS_NUMBER(2);
	TAPS_PAIR(3, NULL);
	/* The order matters within one probe only. */
	good(sdtkit_tap_expect(tap, "taps:pair"));
	good(sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_int("n", 1)));
	good(sdtkit_tap_expect_next(tap, "taps:nothing"));
	bad(EILSEQ, "taps:number(n=2)", sdtkit_tap_expect_none(tap, NULL));
	good(sdtkit_tap_expect_none(tap, "taps:pair,taps:nothing"));
	good(sdtkit_tap_expect_next(tap, "taps:number",
				    sdtkit_tap_int("n", 2)));
	good(sdtkit_tap_expect_none(tap, NULL));
	assert_int_equal(sdtkit_tap_count(tap, NULL), 4);
	assert_int_equal(sdtkit_tap_count(tap, "taps:number"), 2);
	sdtkit_tap_close(tap);
}

TEST(test_misuse)
{
	struct sdtkit_tap *tap = open_tap("taps:number");

	bad(EINVAL, "taps:pair is not a probe that this tap is on: it was "
	    "opened with \"taps:number\"", sdtkit_tap_expect(tap, "taps:pair"));
	bad(EINVAL, "taps:number has no argument m; it has 1: n",
	    sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_any("m")));
	bad(EINVAL, "has no argument behind the last one; it has 1: n",
	    sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_any("n"),
			      sdtkit_tap_any(NULL)));
	bad(EINVAL, "has no argument 1;",
	    sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_any("1")));
	sdtkit_tap_close(tap);
}

static const char *told_file;
static int told_line;

static void on_failure(const char *file, int line, const char *message)
{
	told_file = file;
	told_line = line;
	assert_non_null(strstr(message, "did not fire"));
}

TEST(test_failure_is_told)
{
	struct sdtkit_tap *tap = open_tap("taps:number");
	char message[512];
	int line;

	sdtkit_tap_on_failure(on_failure);
	line = __LINE__ + 1;
	sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_int("n", 7));
	sdtkit_tap_on_failure(NULL);
	assert_string_equal(told_file, __FILE__);
	assert_int_equal(told_line, line);
	snprintf(message, sizeof(message), "%s:%d: taps:number did not fire\n"
		 "expected were n=7\nevents that were not taken: none",
		 __FILE__, line);
	assert_string_equal(sdtkit_tap_error(), message);
	sdtkit_tap_close(tap);
}

TEST(test_many_events_are_summed_up)
{
	struct sdtkit_tap *tap = open_tap("taps:*");
	int i;

	for (i = 0; i < 100; i++)
		TAPS_NUMBER(i);
	bad(ENOMSG, "taps:number(n=7)\n\tand 92 more",
	    sdtkit_tap_expect(tap, "taps:pair"));
	sdtkit_tap_close(tap);
}

/*
 * Names in notes and strings in memory may have escape sequences of terminals:
 * messages must not pass them on.
 */
TEST(test_nothing_drives_a_terminal)
{
	const struct sdtkit_tap_field fields[] = {
		{ .wire = "z", .type = "char *", .name = "\033[2J" },
		{ .wire = "u1", .type = "uint8_t", .name = "a\\b\233" },
	};
	const struct sdtkit_tap_probe probe = {
		.provider = "\033]0;title\a", .probe = "gr\303\274n one",
		.field_count = 2, .fields = fields,
	};
	struct sdtkit_tap_event event = { .probe = &probe, .value_count = 2 };
	struct sdtkit_tap *tap;
	char line[256];

	event.values[0] = (struct sdtkit_tap_value) {
		.kind = SDTKIT_TAP_STRING, .bits = 1,
		.text = "gr\303\274n\302\233[2J\377\177\t\n\"\\"
			"\342\200\256\342\200\250",
	};
	event.values[1] = (struct sdtkit_tap_value) {
		.kind = SDTKIT_TAP_UNREADABLE, .why = "\033c",
	};
	sdtkit_tap_format(&event, line, sizeof(line));
	assert_string_equal(line, "\\x1b]0;title\\x07:gr\\xc3\\xbcn\\x20one("
			    "\\x1b[2J=\"gr\303\274n\\xc2\\x9b[2J\\xff\\x7f\\x09"
			    "\\n\\\"\\\\\\xe2\\x80\\xae\\xe2\\x80\\xa8\", "
			    "a\\x5cb\\x9b=? (\\x1bc))");
	bad(ENOENT, "\"a:?[2J\"", sdtkit_tap_open("a:\033[2J", &tap));
}
