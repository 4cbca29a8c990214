/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of values: bytes of notes of type 4 in .note.sdtkit against the names
 * that arguments of a probe and members of a record have from them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enums.h"
#include "section.h"

#define BYTES(literal) (literal), sizeof(literal) - 1
#define AT_0 "! note at 0 of .note.sdtkit: "
/* The strings of an enum of provider p, which "enum e" shows. */
#define E(rest) BYTES("p\0e\0" "1\0enum e\0\0" rest)
#define NONE "a -; b -; c -; m -; x.b -"
#define NO_END \
	AT_0 "it is empty, or its last string is not terminated\n" NONE
#define INCOMPLETE AT_0 "its types and enumerators are not complete\n" NONE

/*
 * An enum, and what the arguments of p:n have of it: "enum e" a, "u" b, the
 * pointer c, and the members m and x.b of c's record.
 */
static const struct section_case cases[] = {
	{ "by type", E("0\0A\0" "5\0B\0"),
	  "a e{A=0 B=5}; b -; c -; m e{A=0 B=5}; x.b -" },
	{ "by type and name", BYTES("p\0e\0" "1\0u\0b\0" "0\0A\0"),
	  "a -; b e{A=0}; c -; m -; x.b e{A=0}" },
	{ "by both", BYTES("p\0e\0" "2\0enum e\0\0u\0b\0" "0\0A\0"),
	  "a e{A=0}; b e{A=0}; c -; m e{A=0}; x.b e{A=0}" },
	{ "another name", BYTES("p\0e\0" "1\0u\0d\0" "0\0A\0"), NONE },
	{ "an address has no names", BYTES("p\0e\0" "1\0t *\0\0" "0\0A\0"),
	  NONE },
	{ "another provider", BYTES("q\0e\0" "1\0enum e\0\0" "0\0A\0"), NONE },
	{ "no enumerators", E(""), "a e{}; b -; c -; m e{}; x.b -" },
	{ "one value twice", E("1\0A\0" "1\0B\0"),
	  "a e{A=1 B=1}; b -; c -; m e{A=1 B=1}; x.b -" },
	{ "limits", E("-9223372036854775808\0A\0" "9223372036854775807\0B\0"
		      "-1\0C\0"),
	  "a e{A=-9223372036854775808 B=9223372036854775807 C=-1}; b -; c -; "
	  "m e{A=-9223372036854775808 B=9223372036854775807 C=-1}; x.b -" },

	/* Damage. */
	{ "nothing", BYTES(""), NO_END },
	{ "enum without an end", BYTES("p\0e"), NO_END },
	{ "enum without a name", BYTES("p\0\0" "1\0t\0\0"),
	  AT_0 "enum has no name\n" NONE },
	{ "no count", BYTES("p\0e\0"),
	  AT_0 "it has 2 strings, which are less than 3\n" NONE },
#define COUNT AT_0 "number of types is not between 1 and that of the pairs " \
	"of strings behind it\n" NONE
	{ "count of 0", BYTES("p\0e\0" "0\0"), COUNT },
	{ "negative count", BYTES("p\0e\0" "-1\0enum e\0\0"), COUNT },
	{ "count is no number", BYTES("p\0e\0" "x\0enum e\0\0"), COUNT },
	{ "count without an end", BYTES("p\0e\0" "1"), NO_END },
	{ "fewer types than said", BYTES("p\0e\0" "2\0enum e\0\0"), COUNT },
	{ "type without a name", BYTES("p\0e\0" "1\0enum e\0"), INCOMPLETE },
	{ "type without an end", BYTES("p\0e\0" "1\0enum e"), NO_END },
	{ "value alone", E("0\0"), INCOMPLETE },
	{ "value without an end", E("0"), NO_END },
	{ "name without an end", E("0\0A"), NO_END },
	{ "no name", E("0\0\0"), AT_0 "enumerator has no name\n" NONE },
#define VALUE AT_0 "value of an enumerator is not a number of 64 bits\n" NONE
	{ "no value", E("\0A\0"), VALUE },
	{ "value is no number", E("x\0A\0"), VALUE },
	{ "value ends in a letter", E("1x\0A\0"), VALUE },
	{ "value with a zero before it", E("05\0A\0"), VALUE },
	{ "minus 0", E("-0\0A\0"), VALUE },
	{ "a sign alone", E("-\0A\0"), VALUE },
	{ "a plus", E("+1\0A\0"), VALUE },
	{ "too large", E("9223372036854775808\0A\0"), VALUE },
	{ "too small", E("-9223372036854775809\0A\0"), VALUE },
	{ "much too large", E("99999999999999999999\0A\0"), VALUE },
};

/* The probe whose arguments may have names, and the record of one of them. */
static void add_probe(struct section *section)
{
	static const char probe[] = "p\0n\0\0s4\0enum e\0a\0" "u2\0u\0b\0"
		"p\0t *\0c";
	static const char record[] = "p\0t *\0" "8\0" "0\0s4\0enum e\0m\0\0"
		"4\0u4\0u\0x.b\0";

	add(section, 1, probe, sizeof(probe));
	add(section, 2, record, sizeof(record));
}

static int put(char *to, size_t room, const char *name,
	       const struct sdtkit_enum *names)
{
	int n;
	size_t i;

	if (names == NULL)
		return snprintf(to, room, "%s -", name);
	n = snprintf(to, room, "%s %s{", name, names->name);
	for (i = 0; i < names->enumerator_count; i++)
		n += snprintf(to + n, room - (size_t)n, "%s%s=%lld",
			      i > 0 ? " " : "", names->enumerators[i].name,
			      (long long)names->enumerators[i].value);
	return n + snprintf(to + n, room - (size_t)n, "}");
}

/* The names of all arguments and members. */
static void put_description(char *to, size_t room,
			    const struct sdtkit_description *description)
{
	const struct sdtkit_layout *record = description->arguments[2].record;
	int n = 0;
	size_t i;

	for (i = 0; i < 3; i++) {
		n += put(to + n, room - (size_t)n,
			 description->arguments[i].name,
			 description->arguments[i].names);
		n += snprintf(to + n, room - (size_t)n, "; ");
	}
	assert_non_null(record);
	n += put(to + n, room - (size_t)n, record->members[0].name,
		 record->members[0].names);
	n += snprintf(to + n, room - (size_t)n, "; ");
	put(to + n, room - (size_t)n, record->members[1].name,
	    record->members[1].names);
}

TEST(test_enums__reads)
{
	size_t i;

	for (i = 0; i < ROWS(cases); i++)
		check_case(4, &cases[i]);
}

/* The name of an argument says more about it than its type. */
TEST(test_enums__name_before_type)
{
	static const char by_type[] = "p\0e\0" "1\0u\0\0" "0\0A";
	static const char by_name[] = "p\0f\0" "1\0u\0b\0" "0\0B";
	static struct section section;
	char text[128];

	section.size = 0;
	add(&section, 4, by_type, sizeof(by_type));
	add(&section, 4, by_name, sizeof(by_name));
	add_probe(&section);
	read_section(&section, text, sizeof(text));
	assert_string_equal(text, "a -; b f{B=0}; c -; m -; x.b f{B=0}");
}

/* Two files of a program that say the same, or that do not. */
TEST(test_enums__never_guesses)
{
	static const char one[] = "p\0e\0" "1\0enum e\0\0" "0\0A";
	static const char more_types[] = "p\0e\0" "2\0u\0b\0enum e\0\0" "0\0A";
	static const char other[] = "p\0e\0" "1\0enum e\0\0" "1\0A";
	static const char renamed[] = "p\0f\0" "1\0u\0b\0" "0\0A";
	static struct section section;
	char text[128];

	section.size = 0;
	add(&section, 4, one, sizeof(one));
	add_probe(&section);
	add(&section, 4, more_types, sizeof(more_types));
	read_section(&section, text, sizeof(text));
	assert_string_equal(text, "a e{A=0}; b e{A=0}; c -; m e{A=0}; "
			    "x.b e{A=0}");
	add(&section, 4, other, sizeof(other));
	read_section(&section, text, sizeof(text));
	assert_string_equal(text, "a -; b e{A=0}; c -; m -; x.b e{A=0}");
	add(&section, 4, renamed, sizeof(renamed));
	read_section(&section, text, sizeof(text));
	assert_string_equal(text, NONE);
}

static size_t make_large(char *strings, size_t count)
{
	size_t length, i;

	memcpy(strings, "p\0e\0" "1\0enum e\0", 14);
	length = 14;
	for (i = 0; i < count; i++)
		length += 1 + (size_t)sprintf(strings + length, "%zu%cA%zu", i,
					      0, i);
	return length;
}

TEST(test_enums__limit_of_one)
{
	static char strings[1 << 15], text[1 << 16];
	size_t count;

	for (count = SDTKIT_ENUM_SIZE_MAX; count <= SDTKIT_ENUM_SIZE_MAX + 1;
	     count++) {
		memset(strings, 0, sizeof(strings));
		read_note(4, strings, make_large(strings, count), text,
			  sizeof(text));
		if (count == SDTKIT_ENUM_SIZE_MAX)
			assert_non_null(strstr(text, "A1023=1023}; b -"));
		else
			assert_string_equal(text, AT_0 "more than 1024 "
					    "enumerators in an enum\n" NONE);
	}
}

/* All of a file: the memory that a small hostile file takes is bounded. */
TEST(test_enums__limit_of_all)
{
	static struct section section;
	static char strings[1 << 15];
	struct sdtkit_descriptions all = { .parts = 0 };
	struct sdtkit_note_reader reader = {
		.section = ".note.sdtkit", .data = section.data,
	};
	size_t i;

	section.size = 0;
	add(&section, 4, strings, make_large(strings, 1023));
	reader.size = section.size;
	for (i = 0; i < SDTKIT_PARTS_MAX / 1024; i++) {
		reader.position = 0;
		assert_int_equal(sdtkit_descriptions_add(&all, &reader), 0);
	}
	reader.position = 0;
	assert_int_equal(sdtkit_descriptions_add(&all, &reader), -E2BIG);
	assert_int_equal(all.of[SDTKIT_OF_ENUM].count, SDTKIT_PARTS_MAX / 1024);
	sdtkit_descriptions_sort(&all);
	assert_int_equal(all.of[SDTKIT_OF_ENUM].count, 1);
	sdtkit_descriptions_clear(&all);
}

/* Wherever a note is cut off, nothing behind it is read. */
TEST(test_enums__truncated)
{
	static const char whole[] = "p\0e\0" "1\0enum e\0\0" "-5\0A";
	char text[256];
	size_t length;

	for (length = 0; length <= sizeof(whole); length++) {
		read_note(4, whole, length, text, sizeof(text));
		/* 14: there are no enumerators. */
		if (length < sizeof(whole) && length != 14)
			assert_non_null(strstr(text, "\na -; b -"));
	}
	assert_string_equal(text, "a e{A=-5}; b -; c -; m e{A=-5}; x.b -");
}
