/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Spans: bytes of notes of type 5 in .note.sdtkit against what is handed out.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmocka_all.h"
#include "describe.h"
#include "image_open.h"
#include "sdtkit/notes.h"

#define BYTES(literal) (literal), sizeof(literal) - 1
#define AT_0 "! note at 0 of .note.sdtkit: "
#define NO_END AT_0 "it is empty, or its last string is not terminated\n"

static const struct {
	const char *label;
	const char *strings;
	size_t length;
	const char *expected;
} cases[] = {
	{ "all", BYTES("p\0s\0A span\0start\0a,b\0end\0c\0key\0x/c.y\0"),
	  "p:s (A span) start=a,b end=c key=x/c.y\n" },
	{ "no properties", BYTES("p\0s\0\0"), "p:s ()\n" },
	{ "a property that nobody knows", BYTES("p\0s\0\0colour\0red\0"),
	  "p:s () colour=red\n" },
	{ "no value", BYTES("p\0s\0\0key\0\0"), "p:s () key=\n" },
	{ "UTF-8", BYTES("p\0s\0na\xc3\xafve\0"), "p:s (na\xc3\xafve)\n" },
	{ "not UTF-8", BYTES("p\0s\0na\xef\0"), "" },

	/* Damage. */
	{ "nothing", BYTES(""), NO_END },
	{ "provider without an end", BYTES("p"), NO_END },
	{ "span without an end", BYTES("p\0s"), NO_END },
	{ "span without a name", BYTES("p\0\0\0"), AT_0 "span has no name\n" },
	{ "no summary", BYTES("p\0s\0"),
	  AT_0 "it has 2 strings, which are less than 3\n" },
	{ "property without an end", BYTES("p\0s\0\0key"), NO_END },
	{ "property without a value", BYTES("p\0s\0\0key\0"),
	  AT_0 "its properties are not complete\n" },
	{ "value without an end", BYTES("p\0s\0\0key\0x"), NO_END },
	{ "property without a name", BYTES("p\0s\0\0\0x\0"),
	  AT_0 "property has no name\n" },
};

/* Puts what a file with these notes has into to; frees the image. */
static void read_image(struct image *image, char *to, size_t room)
{
	const struct sdtkit_span *span;
	struct sdtkit_notes *notes;
	int n = 0, ret;
	size_t i;

	image_end(image);
	notes = image_open(image);
	image_free(image);
	to[0] = '\0';
	while ((ret = sdtkit_notes_next_span(notes, &span)) != 0) {
		if (ret < 0) {
			n += snprintf(to + n, room - (size_t)n, "! %s\n",
				      sdtkit_notes_error());
			continue;
		}
		n += snprintf(to + n, room - (size_t)n, "%s:%s (%s)",
			      span->provider, span->name, span->summary);
		for (i = 0; i < span->property_count; i++)
			n += snprintf(to + n, room - (size_t)n, " %s=%s",
				      span->properties[i].name,
				      span->properties[i].value);
		n += snprintf(to + n, room - (size_t)n, "\n");
	}
	sdtkit_notes_close(notes);
}

static void begin(struct image *image)
{
	*image = (struct image) {
		.bits = 64, .machine = EM_X86_64, .type = ET_DYN,
	};
	image_begin(image);
	image_descriptions(image);
}

static void add(struct image *image, const char *strings, size_t length)
{
	static const char zeros[4] = "";

	image_add_number(image, sizeof("sdtkit"), 4);
	image_add_number(image, length, 4);
	image_add_number(image, 5, 4);
	image_add_bytes(image, "sdtkit\0", 8);
	image_add_bytes(image, strings, length);
	image_add_bytes(image, zeros, -length % 4);
}

TEST(test_spans__reads)
{
	char expected[256], actual[256];
	struct image image;
	size_t i;

	for (i = 0; i < ROWS(cases); i++) {
		int n = snprintf(actual, sizeof(actual), "%s: ",
				 cases[i].label);

		begin(&image);
		add(&image, cases[i].strings, cases[i].length);
		snprintf(expected, sizeof(expected), "%s: %s", cases[i].label,
			 cases[i].expected);
		read_image(&image, actual + n, sizeof(actual) - (size_t)n);
		assert_string_equal(actual, expected);
	}
}

/* Sorted by name; the same twice is one, and two that differ are none. */
TEST(test_spans__merges)
{
	static const char later[] = "q\0a\0\0end\0x";
	static const char one[] = "p\0s\0\0end\0x";
	static const char other[] = "p\0s\0\0end\0y";
	static const char first[] = "p\0r\0\0end\0x";
	struct image image;
	char text[256];

	begin(&image);
	add(&image, later, sizeof(later));
	add(&image, one, sizeof(one));
	add(&image, first, sizeof(first));
	add(&image, one, sizeof(one));
	read_image(&image, text, sizeof(text));
	assert_string_equal(text, "p:r () end=x\np:s () end=x\nq:a () end=x\n");

	begin(&image);
	add(&image, one, sizeof(one));
	add(&image, later, sizeof(later));
	add(&image, other, sizeof(other));
	read_image(&image, text, sizeof(text));
	assert_string_equal(text, "q:a () end=x\n");
}

TEST(test_spans__limit)
{
	static char strings[6 + 33 * 4] = "p\0s\0";
	struct image image;
	char text[512];
	size_t count, i;

	for (count = 32; count <= 33; count++) {
		for (i = 0; i < count; i++)
			memcpy(strings + 5 + i * 4, "n\0v\0", 4);
		begin(&image);
		add(&image, strings, 5 + count * 4);
		read_image(&image, text, sizeof(text));
		if (count == 32)
			assert_int_equal(strlen(text), 7 + 32 * 4);
		else
			assert_string_equal(text, AT_0 "it has more "
					    "than 32 properties\n");
	}
}

/* Wherever a note is cut off, nothing behind it is read. */
TEST(test_spans__truncated)
{
	static const char whole[] = "p\0s\0S\0end\0x\0key\0y";
	struct image image;
	char text[256];
	size_t length;

	for (length = 0; length <= sizeof(whole); length++) {
		begin(&image);
		add(&image, whole, length);
		read_image(&image, text, sizeof(text));
		/* At 6 there are no properties, at 12 there is one. */
		if (length < sizeof(whole) && length != 6 && length != 12)
			assert_int_equal(text[0], '!');
	}
	assert_string_equal(text, "p:s (S) end=x key=y\n");
}
