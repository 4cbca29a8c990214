/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records: which members the arguments of a probe get from the bytes of notes
 * of type 2 in .note.sdtkit.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "section.h"

#define BYTES(literal) (literal), sizeof(literal) - 1
#define AT_0 "! note at 0 of .note.sdtkit: "
#define NO_END \
	AT_0 "it is empty, or its last string is not terminated\nnone"
#define INCOMPLETE AT_0 "its members are not complete\nnone"
/* The note of a record for arguments of type "t *" of provider p. */
#define T(rest) BYTES("p\0t *\0" rest)

/* A record as text: the errors, then its size and members. */
static const struct section_case cases[] = {
	{ "no members", T("8\0"), "8 {}" },
	{ "one of each", T("72\0" "0\0u8\0uint64_t\0mid\0M\0"
			   "8\0u2\0uint16_t\0op\0\0" "12\0s4\0int\0left\0\0"
			   "16\0z\0string\0user\0\0" "24\0p\0void *\0next\0\0"
			   "32\0a16\0char[16]\0share\0\0"
			   "48\0u1*4\0uint8_t[4]\0id\0\0"
			   "52\0s2*2*3\0short[2][3]\0grid\0\0"),
	  "72 {0+8 mid (M), 8+2 op, 12+4 left, 16+8 user, 24+8 next, 32+16 share, "
	  "48+4[4] id, 52+12[2][3] grid}" },
	{ "names with dots", T("8\0" "0\0u4\0int\0a.b.c\0\0" "4\0u4\0int\0a.d\0\0"),
	  "8 {0+4 a.b.c, 4+4 a.d}" },
	{ "largest", T("4096\0" "4088\0u8\0x\0y\0\0"), "4096 {4088+8 y}" },
	{ "no type, no C type", BYTES("p\0t *\0" "1\0" "0\0u1\0\0x\0\0"),
	  "1 {0+1 x}" },

	/*
	 * Wire types of a later version: the sizes of such members are not
	 * known.
	 */
	{ "unknown wire types", T("8\0" "0\0\0x\0n0\0\0" "0\0q\0x\0n1\0\0"
				  "0\0u3\0x\0n2\0\0" "0\0u0\0x\0n3\0\0"
				  "0\0u16\0x\0n4\0\0" "0\0u4*\0x\0n5\0\0"
				  "0\0u4*0\0x\0n6\0\0" "0\0u4*1*1*1\0x\0n7\0\0"
				  "0\0u1*5000\0x\0n8\0\0" "0\0z9\0x\0n9\0\0"
				  "0\0a\0x\0n10\0\0" "0\0u8*4096*4096\0x\0n11\0\0"
				  "0\0u4x\0x\0n12\0\0" "0\0u\0x\0n13\0\0"
				  "0\0u08\0x\0n14\0\0" "0\0s04\0x\0n15\0\0"
				  "0\0u1*02\0x\0n16\0\0" "0\0a08\0x\0n17\0\0"),
	  "8 {0+0 n0, 0+0 n1, 0+0 n2, 0+0 n3, 0+0 n4, 0+0 n5, 0+0 n6, 0+0 n7, "
	  "0+0 n8, 0+0 n9, 0+0 n10, 0+0 n11, 0+0 n12, 0+0 n13, "
	  "0+0 n14, 0+0 n15, 0+0 n16, 0+0 n17}" },

	/* Records of other providers or types. */
	{ "another provider", BYTES("q\0t *\0" "8\0"), "none" },
	{ "another type", BYTES("p\0t\0" "8\0"), "none" },

	/* Damaged notes. */
#define SIZE AT_0 "size of a record is not a number up to 4096\nnone"
#define OFFSET AT_0 "offset of a member is not a number up to 4096\nnone"
#define NO_NAME AT_0 "member has no name\nnone"
#define OUTSIDE AT_0 "member lies outside the record\nnone"
#define OVERLAP AT_0 "member overlaps the one before it\nnone"
	{ "nothing", BYTES(""), NO_END },
	{ "provider", BYTES("p"), NO_END },
	{ "type", BYTES("p\0t *"), NO_END },
	{ "no size", BYTES("p\0t *\0"),
	  AT_0 "it has 2 strings, which are less than 3\nnone" },
	{ "size without an end", T("8"), NO_END },
	{ "size is not a number", T("8x\0"), SIZE },
	{ "size is too large", T("4097\0"), SIZE },
	{ "size overflows", T("18446744073709551624\0"), SIZE },
	{ "size with a zero before it", T("08\0"), SIZE },
	{ "offset with a zero before it", T("8\0" "00\0u1\0x\0n\0\0"), OFFSET },
	{ "offset is too large", T("8\0" "4097\0u1\0x\0n\0\0"), OFFSET },
	{ "size is negative", T("-1\0"), SIZE },
	{ "member is not terminated", T("8\0" "0"), NO_END },
	{ "offset only", T("8\0" "0\0"), INCOMPLETE },
	{ "without type", T("8\0" "0\0u1\0"), INCOMPLETE },
	{ "without a comment", T("8\0" "0\0u1\0x\0n\0"), INCOMPLETE },
	{ "comment is not terminated", T("8\0" "0\0u1\0x\0n\0c"), NO_END },
	{ "name without an end", T("8\0" "0\0u1\0x\0n"), NO_END },
	{ "offset is not a number", T("8\0" "x\0u1\0x\0n\0\0"), OFFSET },
	{ "no name", T("8\0" "0\0u1\0x\0\0\0"), NO_NAME },
	{ "empty part of a name", T("8\0" "0\0u1\0x\0a..b\0\0"), NO_NAME },
	{ "dot at the end", T("8\0" "0\0u1\0x\0a.\0\0"), NO_NAME },
	{ "dot at the beginning", T("8\0" "0\0u1\0x\0.a\0\0"), NO_NAME },
	{ "outside", T("8\0" "4\0u8\0x\0n\0\0"), OUTSIDE },
	{ "offset outside, of no size", T("8\0" "9\0q\0x\0n\0\0"), OUTSIDE },
	{ "text outside", T("8\0" "0\0a9\0x\0n\0\0"), OUTSIDE },
	{ "array outside", T("8\0" "0\0u2*5\0x\0n\0\0"), OUTSIDE },
	{ "overlap", T("8\0" "0\0u4\0x\0n\0\0" "2\0u4\0x\0m\0\0"), OVERLAP },
	{ "not sorted", T("8\0" "4\0u4\0x\0n\0\0" "0\0u4\0x\0m\0\0"), OVERLAP },
};

/* Adds the description of the probe whose argument may be the record. */
static void add_probe(struct section *section)
{
	static const char strings[] = "p\0n\0\0p\0t *\0r";

	add(section, 1, strings, sizeof(strings));
}

static int put_record(char *to, size_t size, const struct sdtkit_layout *record)
{
	int n;
	size_t i, j;

	if (record == NULL)
		return snprintf(to, size, "none");
	n = snprintf(to, size, "%zu {", record->size);
	for (i = 0; i < record->member_count; i++) {
		const struct sdtkit_layout_member *m = &record->members[i];

		n += snprintf(to + n, size - (size_t)n, "%s%u+%u",
			      i > 0 ? ", " : "", m->offset, m->size);
		for (j = 0; j < 2 && m->counts[j] > 0; j++)
			n += snprintf(to + n, size - (size_t)n, "[%u]",
				      m->counts[j]);
		n += snprintf(to + n, size - (size_t)n, " %s", m->name);
		if (m->doc[0] != '\0')
			n += snprintf(to + n, size - (size_t)n, " (%s)",
				      m->doc);
	}
	return n + snprintf(to + n, size - (size_t)n, "}");
}

/* The record of the first argument. */
static void put_description(char *to, size_t size,
			    const struct sdtkit_description *description)
{
	put_record(to, size, description->arguments[0].record);
}

TEST(test_layout__reads)
{
	size_t i;

	for (i = 0; i < ROWS(cases); i++)
		check_case(2, &cases[i]);
}

/*
 * Two files of a program may describe a record alike or differently. If they
 * differ, neither is used.
 */
TEST(test_layout__never_guesses)
{
	static const char one[] = "p\0t *\0" "8\0" "0\0u4\0int\0a\0";
	static const char other[] = "p\0t *\0" "8\0" "0\0u4\0int\0b\0";
	static struct section section;
	char text[128];

	section.size = 0;
	add(&section, 2, one, sizeof(one));
	add_probe(&section);
	add(&section, 2, one, sizeof(one));
	read_section(&section, text, sizeof(text));
	assert_string_equal(text, "8 {0+4 a}");
	add(&section, 2, other, sizeof(other));
	read_section(&section, text, sizeof(text));
	assert_string_equal(text, "none");
}

/* Records with as many members as they have bytes. */
TEST(test_layout__thousands_of_members)
{
	static char strings[1 << 17] = "p\0t *\0" "4096";
	static char text[1 << 17];
	size_t length = 11, i;

	for (i = 0; i < 4096; i++)
		length += 1 + (size_t)sprintf(strings + length,
					      "%zu%cu1%cc%cm%zu%c", i, 0, 0,
					      0, i, 0);
	read_note(2, strings, length, text, sizeof(text));
	assert_non_null(strstr(text, "4095+1 m4095}"));
}

/*
 * Notes of the same name have one entry, because every argument that is an
 * address searches the entries.
 */
TEST(test_layout__one_entry_per_name)
{
	static const char strings[] = "p\0t *\0" "0";
	static struct section section;
	struct sdtkit_descriptions all = { .parts = 0 };
	const struct sdtkit_index *records = &all.of[SDTKIT_OF_RECORD];
	struct sdtkit_note_reader reader = { .section = ".note.sdtkit" };
	int i;

	section.size = 0;
	for (i = 0; i < 50000; i++)
		add(&section, 2, strings, sizeof(strings));
	add(&section, 2, "p\0u *\0" "1", sizeof(strings));
	add(&section, 2, "p\0u *\0" "2", sizeof(strings));
	add(&section, 2, "p\0u *\0" "1", sizeof(strings));
	reader.data = section.data;
	reader.size = section.size;
	assert_int_equal(sdtkit_descriptions_add(&all, &reader), 0);
	sdtkit_descriptions_sort(&all);
	assert_int_equal(records->count, 2);
	assert_non_null(sdtkit_layout_find(records, "p", "t *"));
	assert_null(sdtkit_layout_find(records, "p", "u *"));
	assert_null(sdtkit_layout_find(records, "p", "v *"));
	sdtkit_descriptions_clear(&all);
}

TEST(test_layout__too_many)
{
	static const char strings[] = "p\0t\0" "0";
	static struct section section;
	static char text[256];
	int i;

	section.size = 0;
	for (i = 0; i < SDTKIT_INDEX_MAX; i++)
		add(&section, 2, strings, sizeof(strings));
	add_probe(&section);
	read_section(&section, text, sizeof(text));
	assert_string_equal(text, "none");
	add(&section, 2, strings, sizeof(strings));
	read_section(&section, text, sizeof(text));
	assert_string_equal(text, "! note at 0x700024 of .note.sdtkit: more "
			    "than 262144 of one type\nnone");
}

/* Wherever a note is cut off, nothing beyond its end is read. */
TEST(test_layout__truncated)
{
	static const char whole[] = "p\0t *\0" "8\0" "0\0u4*2\0int[2]\0a\0";
	char text[256];
	size_t length;

	for (length = 0; length <= sizeof(whole); length++) {
		read_note(2, whole, length, text, sizeof(text));
		if (length < sizeof(whole) && length != 8)
			assert_non_null(strstr(text, "\nnone"));
	}
	assert_string_equal(text, "8 {0+8[2] a}");
}
