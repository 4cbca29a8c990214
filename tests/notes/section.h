/* SPDX-License-Identifier: BSD-2-Clause */
/* A .note.sdtkit that describes p:n, and what is read of it, as text. */
#ifndef SDTKIT_TESTS_NOTES_SECTION_H
#define SDTKIT_TESTS_NOTES_SECTION_H

#include <stdio.h>

#include "../cmocka_all.h"
#include "describe.h"
#include "sdtkit/notes.h"

struct section {
	unsigned char data[1 << 23];
	size_t size;
};

/* Strings of a note, and what is read of the section. */
struct section_case {
	const char *label;
	const char *strings;
	size_t length;
	const char *expected;
};

static void add(struct section *section, unsigned char type,
		const char *strings, size_t length)
{
	unsigned char *at = section->data + section->size;

	memset(at, 0, 20 + length + 3);
	at[0] = 7;
	memcpy(at + 4, &(uint32_t){ (uint32_t)length }, 4);
	at[8] = type;
	memcpy(at + 12, "sdtkit", 7);
	memcpy(at + 20, strings, length);
	section->size += 20 + ((length + 3) & ~(size_t)3);
}

/* Of the file: the notes of p:n; what is shown of its description. */
static void add_probe(struct section *section);
static void put_description(char *to, size_t size,
			    const struct sdtkit_description *description);

/* Writes the errors, and then the description of p:n. */
static void read_section(const struct section *section, char *to, size_t size)
{
	struct sdtkit_descriptions *all = calloc(1, sizeof(*all));
	/*
	 * Copied to the heap at its exact size, so that a sanitizer sees reads
	 * beyond the end.
	 */
	unsigned char *data = malloc(section->size);
	struct sdtkit_note_reader reader = {
		.section = ".note.sdtkit",
		.data = memcpy(data, section->data, section->size),
		.size = section->size,
	};
	const struct sdtkit_description *description;
	int n = 0;

	while (sdtkit_descriptions_add(all, &reader) < 0)
		n += snprintf(to + n, size - (size_t)n, "! %s\n",
			      sdtkit_notes_error());
	sdtkit_descriptions_sort(all);
	description = sdtkit_descriptions_find(all, "p", "n");
	assert_non_null(description);
	put_description(to + n, size - (size_t)n, description);
	sdtkit_descriptions_clear(all);
	free(all);
	free(data);
}

/* Reads a section with one note of this type, and the probe's. */
static void read_note(unsigned char type, const char *strings, size_t length,
		      char *to, size_t size)
{
	static struct section section;

	section.size = 0;
	add(&section, type, strings, length);
	add_probe(&section);
	read_section(&section, to, size);
}

static void check_case(unsigned char type, const struct section_case *c)
{
	char expected[512], actual[512];
	int n = snprintf(actual, sizeof(actual), "%s: ", c->label);

	snprintf(expected, sizeof(expected), "%s: %s", c->label, c->expected);
	read_note(type, c->strings, c->length, actual + n,
		  sizeof(actual) - (size_t)n);
	assert_string_equal(actual, expected);
}

#endif /* SDTKIT_TESTS_NOTES_SECTION_H */
