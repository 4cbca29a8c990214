/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Description notes: what is read from the bytes of .note.sdtkit, and which
 * description a site gets.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmocka_all.h"
#include "describe.h"
#include "image_open.h"
#include "sdtkit/notes.h"

#define BYTES(literal) (literal), sizeof(literal) - 1
#define LE32(byte) byte "\0\0\0"
#define NOTE(size, type) LE32("\x07") LE32(size) LE32(type) "sdtkit\0\0"
#define AT_0 "note at 0 of .note.sdtkit: "
#define NO_END AT_0 "it is empty, or its last string is not terminated\n"
/* A description of two arguments, with all that it can say of them. */
#define TWO NOTE("\x11", "\x01") "p\0n\0S\0" "u\0t\0a\0" "u\0t\0\0" "\0\0\0"
#define COMMENTS(size, strings) NOTE(size, "\x03") "p\0n\0" strings
#define PLAIN NOTE("\x06", "\x01") "p\0n\0S\0\0\0"		/* 28 bytes */

/*
 * The descriptions in a section as text, sorted, a line for each, and the
 * errors.
 */
static const struct {
	const char *label;
	const char *data;
	size_t size;
	const char *expected;
} cases[] = {
	{ "empty", BYTES(""), "" },
	{ "no arguments", BYTES(PLAIN), "p:n() S\n" },
	{ "no summary", BYTES(NOTE("\x05", "\x01") "p\0n\0\0\0\0\0"),
	  "p:n() \n" },
	{ "arguments", BYTES(NOTE("\x2d", "\x01") "smb2\0start\0It did.\0"
			     "u8\0uint64_t\0mid\0" "z\0char *\0\0" "\0\0\0"),
	  "smb2:start(u8 uint64_t mid, z char * ) It did.\n" },
	{ "padding of the last is missing",
	  BYTES(NOTE("\x06", "\x01") "p\0n\0S\0"), "p:n() S\n" },
	{ "sorted by provider, then probe",
	  BYTES(NOTE("\x06", "\x01") "b\0a\0\x31\0\0\0"
		NOTE("\x06", "\x01") "a\0b\0\x32\0\0\0"
		NOTE("\x06", "\x01") "a\0a\0\x33\0\0\0"),
	  "a:a() 3\na:b() 2\nb:a() 1\n" },
	{ "the same name twice: in the order of the file",
	  BYTES(NOTE("\x06", "\x01") "b\0b\0\x31\0\0\0"
		NOTE("\x06", "\x01") "a\0a\0\x32\0\0\0"
		NOTE("\x06", "\x01") "b\0b\0\x33\0\0\0"),
	  "a:a() 2\nb:b() 1\nb:b() 3\n" },

	/* Comments of arguments. */
	{ "comments", BYTES(TWO COMMENTS("\x08", "A\0B\0")),
	  "p:n(u t a = A, u t  = B) S\n" },
	{ "before what they are of", BYTES(COMMENTS("\x08", "A\0B\0") TWO),
	  "p:n(u t a = A, u t  = B) S\n" },
	{ "of one of them", BYTES(TWO COMMENTS("\x09", "\0\303\251!\0\0\0\0")),
	  "p:n(u t a, u t  = \303\251!) S\n" },
	{ "of nobody", BYTES(COMMENTS("\x08", "A\0B\0")), "" },
	{ "of another probe", BYTES(TWO NOTE("\x08", "\x03") "p\0m\0A\0B\0"),
	  "p:n(u t a, u t ) S\n" },
	{ "too few", BYTES(TWO COMMENTS("\x06", "A\0\0\0")),
	  "p:n(u t a, u t ) S\n" },
	{ "none at all", BYTES(TWO COMMENTS("\x04", "")),
	  "p:n(u t a, u t ) S\n" },
	{ "too many", BYTES(TWO COMMENTS("\x0a", "A\0B\0C\0\0\0")),
	  "p:n(u t a, u t ) S\n" },
	{ "the same twice", BYTES(COMMENTS("\x08", "A\0B\0") TWO
				  COMMENTS("\x08", "A\0B\0")),
	  "p:n(u t a = A, u t  = B) S\n" },
	{ "others", BYTES(COMMENTS("\x08", "A\0B\0") TWO
			  COMMENTS("\x08", "A\0B\0")
			  COMMENTS("\x08", "A\0C\0")),
	  "p:n(u t a, u t ) S\n" },
	{ "longer ones", BYTES(COMMENTS("\x08", "A\0B\0") TWO
			       COMMENTS("\x0c", "A\0B\0C\0D\0")),
	  "p:n(u t a, u t ) S\n" },
	{ "not UTF-8", BYTES(TWO COMMENTS("\x08", "A\0\377\0")),
	  "p:n(u t a, u t ) S\n" },
	{ "cut off within a character",
	  BYTES(TWO COMMENTS("\x08", "A\0\303\0")),
	  "p:n(u t a, u t ) S\n" },
	{ "comment is not terminated", BYTES(COMMENTS("\x08", "A\0BC") TWO),
	  "! " NO_END "p:n(u t a, u t ) S\n" },
	{ "comments of a provider without an end",
	  BYTES(NOTE("\x04", "\x03") "abcd" TWO),
	  "! " NO_END "p:n(u t a, u t ) S\n" },
	{ "comments of a probe without an end",
	  BYTES(NOTE("\x04", "\x03") "a\0bc" TWO),
	  "! " NO_END "p:n(u t a, u t ) S\n" },

	/* Notes of other owners, types or versions, which are skipped. */
	{ "newer layout", BYTES(NOTE("\x04", "\x7f") "\xff\xff\xff\xff" PLAIN),
	  "p:n() S\n" },
	{ "other owner", BYTES(LE32("\x07") LE32("\0") LE32("\x01") "sdtkitX\0"
			       PLAIN), "p:n() S\n" },

	/* Damage after which the next note is still found. */
	{ "nothing in it", BYTES(NOTE("\0", "\x01") PLAIN),
	  "! " NO_END "p:n() S\n" },
	{ "provider without an end", BYTES(NOTE("\x04", "\x01") "abcd" PLAIN),
	  "! " NO_END "p:n() S\n" },
	{ "probe without an end", BYTES(NOTE("\x04", "\x01") "a\0cd" PLAIN),
	  "! " NO_END "p:n() S\n" },
	{ "summary is not terminated",
	  BYTES(NOTE("\x04", "\x01") "a\0b\0" PLAIN),
	  "! " AT_0 "it has 2 strings, which are less than 3\np:n() S\n" },
	{ "argument is not terminated",
	  BYTES(NOTE("\x08", "\x01") "a\0b\0\0u8\xff" PLAIN),
	  "! " NO_END "p:n() S\n" },
	{ "argument is not complete",
	  BYTES(NOTE("\x08", "\x01") "a\0b\0\0u8\0" PLAIN),
	  "! " AT_0 "its arguments are not complete\np:n() S\n" },
	{ "overruns", BYTES(PLAIN NOTE("\x09", "\x01") "a\0b\0\0\0\0\0"),
	  "! note at 0x1c of .note.sdtkit: its sizes reach beyond the section\n"
	  "p:n() S\n" },
};

static int put(char *to, size_t size, const struct sdtkit_description *d)
{
	int n = snprintf(to, size, "%s:%s(", d->provider, d->probe);
	size_t i;

	for (i = 0; i < d->argument_count; i++) {
		const struct sdtkit_argument *a = &d->arguments[i];

		n += snprintf(to + n, size - (size_t)n, "%s%s %s %s%s%s",
			      i > 0 ? ", " : "", a->wire, a->type, a->name,
			      a->doc[0] != '\0' ? " = " : "", a->doc);
	}
	n += snprintf(to + n, size - (size_t)n, ") %s\n", d->summary);
	return n;
}

/* The errors come first: they are found while the index is made. */
static void describe(const void *data, size_t size, char *to, size_t capacity)
{
	struct sdtkit_descriptions *all = calloc(1, sizeof(*all));
	struct sdtkit_note_reader reader = {
		.section = ".note.sdtkit",
		.data = data,
		.size = size,
	};
	const struct sdtkit_description *d;
	size_t position = 0;
	int n = 0;

	to[0] = '\0';
	while (sdtkit_descriptions_add(all, &reader) < 0)
		n += snprintf(to + n, capacity - (size_t)n, "! %s\n",
			      sdtkit_notes_error());
	sdtkit_descriptions_sort(all);
	while ((d = sdtkit_descriptions_next(all, SDTKIT_OF_PROBE,
					     &position)) != NULL)
		n += put(to + n, capacity - (size_t)n, d);
	sdtkit_descriptions_clear(all);
	free(all);
}

TEST(test_describe__reads)
{
	char expected[512], actual[512];
	size_t i;

	for (i = 0; i < ROWS(cases); i++) {
		/*
		 * Copied to the heap at its exact size, so that a sanitizer
		 * sees reads beyond the end.
		 */
		unsigned char *data = malloc(cases[i].size + 1);
		int n;

		memcpy(data + 1, cases[i].data, cases[i].size);
		snprintf(expected, sizeof(expected), "%s:\n%s", cases[i].label,
			 cases[i].expected);
		n = snprintf(actual, sizeof(actual), "%s:\n", cases[i].label);
		describe(data + 1, cases[i].size, actual + n,
			 sizeof(actual) - (size_t)n);
		assert_string_equal(actual, expected);
		free(data);
	}
}

/* Ends the image and opens it. */
static struct sdtkit_notes *end_and_open(struct image *image)
{
	struct sdtkit_notes *notes;

	image_end(image);
	notes = image_open(image);
	image_free(image);
	return notes;
}

/*
 * Begins an image of one of the four classes and byte orders. In a description
 * only the header of the note depends on them.
 */
static void begin(struct image *image, int variant)
{
	static const struct image_note sites[] = {
		{ .location = 0x1080, IMAGE_STRINGS("smb2\0start\0" "8@%rdi") },
		{ .location = 0x1082, IMAGE_STRINGS("smb2\0bare\0") },
		{ .location = 0x1084, IMAGE_STRINGS("smb2\0start\0" "8@%rsi") },
	};
	size_t i;

	*image = (struct image) {
		.bits = variant & 1 ? 32 : 64,
		.big_endian = variant & 2,
		.machine = EM_X86_64,
		.type = ET_DYN,
	};
	image_begin(image);
	for (i = 0; i < ROWS(sites); i++)
		image_add_note(image, &sites[i]);
	image_descriptions(image);
}

#define ADD(image, literal) \
	image_add_description(image, literal, sizeof(literal))

TEST(test_describe__sites)
{
	int variant;

	for (variant = 0; variant < 4; variant++) {
		const struct sdtkit_description *description;
		const struct sdtkit_site *site;
		struct sdtkit_notes *notes;
		struct image image;

		begin(&image, variant);
		ADD(&image, "smb2\0unused\0Never fires.");
		ADD(&image, "smb2\0alone\0Never fires either.");
		ADD(&image, "smb2\0start\0It did.\0u8\0uint64_t\0mid");
		notes = end_and_open(&image);

		assert_int_equal(sdtkit_notes_next(notes, &site), 1);
		description = site->description;
		assert_non_null(description);
		assert_string_equal(description->summary, "It did.");
		assert_int_equal(description->argument_count, 1);
		assert_string_equal(description->arguments[0].wire, "u8");
		assert_string_equal(description->arguments[0].type, "uint64_t");
		assert_string_equal(description->arguments[0].name, "mid");
		assert_int_equal(sdtkit_notes_next(notes, &site), 1);
		assert_null(site->description);
		assert_int_equal(sdtkit_notes_next_description(notes,
							&description), 1);
		assert_string_equal(description->probe, "alone");
		assert_int_equal(sdtkit_notes_next(notes, &site), 1);
		assert_string_equal(site->description->probe, "start");
		assert_int_equal(sdtkit_notes_next(notes, &site), 0);

		assert_int_equal(sdtkit_notes_next_description(notes,
							&description), 1);
		assert_string_equal(description->probe, "start");
		assert_int_equal(sdtkit_notes_next_description(notes,
							&description), 1);
		assert_string_equal(description->probe, "unused");
		assert_int_equal(description->argument_count, 0);
		assert_int_equal(sdtkit_notes_next_description(notes,
							&description), 0);
		sdtkit_notes_close(notes);
	}
}

/* What was handed out stays as it is until the close. */
TEST(test_describe__until_the_close)
{
	const struct sdtkit_description *first, *again, *other;
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	struct image image;

	begin(&image, 0);
	ADD(&image, "smb2\0start\0It did.\0u8\0uint64_t\0mid");
	ADD(&image, "smb2\0bare\0Too.\0z\0char *\0name");
	notes = end_and_open(&image);
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	first = site->description;
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	other = site->description;
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	assert_ptr_equal(site->description, first);
	assert_int_equal(sdtkit_notes_next_description(notes, &again), 1);
	assert_ptr_equal(again, other);
	assert_string_equal(first->probe, "start");
	assert_string_equal(first->arguments[0].name, "mid");
	assert_string_equal(other->probe, "bare");
	assert_string_equal(other->arguments[0].name, "name");
	sdtkit_notes_close(notes);
}

/*
 * The first caller gets the error of the damaged description; all sites and the
 * other descriptions follow.
 */
TEST(test_describe__damage_hides_nothing_else)
{
	int first;

	for (first = 0; first < 2; first++) {
		const struct sdtkit_description *description;
		const struct sdtkit_site *site;
		struct sdtkit_notes *notes;
		struct image image;
		int ret, sites = 0;

		begin(&image, 0);
		image_add_description(&image, "smb2", 4);
		ADD(&image, "smb2\0start\0It did.");
		notes = end_and_open(&image);
		ret = first == 0 ?
		      sdtkit_notes_next(notes, &site) :
		      sdtkit_notes_next_description(notes, &description);
		assert_int_equal(ret, -EBADMSG);
		assert_string_equal(sdtkit_notes_error(), AT_0 "it is "
				    "empty, or its last string is not "
				    "terminated");
		while (sdtkit_notes_next(notes, &site) > 0)
			sites += 1 + (site->description != NULL);
		assert_int_equal(sites, 5);
		assert_int_equal(sdtkit_notes_next_description(notes,
							&description), 1);
		assert_string_equal(description->probe, "start");
		sdtkit_notes_close(notes);
	}
}

TEST(test_describe__many_arguments)
{
	static char strings[6 + 65 * 6] = "p\0n\0S";
	size_t count, i;

	for (count = 64; count <= 65; count++) {
		const struct sdtkit_description *description;
		struct sdtkit_notes *notes;
		struct image image;
		int ret;

		for (i = 0; i < count; i++)
			memcpy(strings + 6 + i * 6, "p\0t\0n", 6);
		begin(&image, 0);
		image_add_description(&image, strings, 6 + count * 6);
		notes = end_and_open(&image);
		ret = sdtkit_notes_next_description(notes, &description);
		assert_int_equal(ret, count == 64 ? 1 : -E2BIG);
		if (ret == 1)
			assert_int_equal(description->argument_count, 64);
		sdtkit_notes_close(notes);
	}
}

/* Descriptions are found by name among many, in any order. */
TEST(test_describe__many)
{
	enum { COUNT = 1000 };
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	struct image image = {
		.bits = 64, .machine = EM_X86_64, .type = ET_DYN,
	};
	char text[64];
	int i, found = 0;

	image_begin(&image);
	for (i = 0; i < COUNT; i++) {
		struct image_note note = { .strings = text };

		note.length = (size_t)sprintf(text, "p%d%cn%d%c", i % 7, 0, i,
					      0) + 1;
		image_add_note(&image, &note);
	}
	image_descriptions(&image);
	for (i = 0; i < COUNT; i++) {
		int n = i * 337 % COUNT;

		/* Each hundredth has no description. */
		if (n % 100 == 0)
			continue;
		image_add_description(&image, text, (size_t)
				      sprintf(text, "p%d%cn%d%cS%d%c", n % 7,
					      0, n, 0, n, 0));
	}
	notes = end_and_open(&image);
	for (i = 0; sdtkit_notes_next(notes, &site) > 0; i++) {
		if (i % 100 == 0) {
			assert_null(site->description);
			continue;
		}
		assert_non_null(site->description);
		assert_int_equal(atoi(site->description->summary + 1), i);
		found++;
	}
	assert_int_equal(found, COUNT - 10);
	sdtkit_notes_close(notes);
}
