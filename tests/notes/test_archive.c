/* SPDX-License-Identifier: BSD-2-Clause */
/* Static libraries: all members are read, and damaged archives are refused. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include "image.h"
#include "sdtkit/notes.h"

enum {
	ARCHIVE_MAX = 1 << 16,
	HEADER = 60,
};

struct archive {
	char data[ARCHIVE_MAX];
	size_t size;
};

static void add_bytes(struct archive *archive, const void *data, size_t size)
{
	assert_true(archive->size + size <= ARCHIVE_MAX);
	memcpy(archive->data + archive->size, data, size);
	archive->size += size;
}

/* Adds a member; its name is written as in a header: "smb2.o/", "/17". */
static void add_member(struct archive *archive, const char *name,
		       const void *data, size_t size)
{
	char header[HEADER + 1];

	snprintf(header, sizeof(header), "%-16s%-12d%-6d%-6d%-8o%-10zu`\n",
		 name, 0, 0, 0, 0644U, size);
	add_bytes(archive, header, HEADER);
	add_bytes(archive, data, size);
	if (size % 2 != 0)
		add_bytes(archive, "\n", 1);
}

/* Adds an object file with one site and, if described, a description of it. */
static void add_object(struct archive *archive, const char *name,
		       const char *probe, bool described, struct image image)
{
	char strings[64];
	struct image_note note = { .strings = strings };

	image.type = ET_REL;
	image_begin(&image);
	note.length = (size_t)sprintf(strings, "smb2%c%s%c", 0, probe, 0) + 1;
	image_add_note(&image, &note);
	image_descriptions(&image);
	if (described)
		image_add_description(&image, strings, note.length);
	image_end(&image);
	add_member(archive, name, image.data, image.size);
	image_free(&image);
}

static const struct image x86_64 = { .bits = 64, .machine = EM_X86_64 };
static const struct image s390 = {
	.bits = 64, .machine = EM_S390, .big_endian = true,
};

static struct archive *new_archive(void)
{
	struct archive *archive = calloc(1, sizeof(*archive));

	add_bytes(archive, "!<arch>\n", 8);
	return archive;
}

/*
 * Lists "member: probe" or "! message" lines, from a file or from memory,
 * because libelf has different code for each.
 */
static void list(const struct archive *archive, bool in_memory, char *to,
		 size_t size)
{
	const struct sdtkit_description *described = NULL;
	const struct sdtkit_segment *segments;
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	char path[64];
	int n = 0, ret;

	image_write(archive->data, archive->size, path);
	ret = in_memory ?
	      sdtkit_notes_open_memory(archive->data, archive->size, &notes) :
	      sdtkit_notes_open(path, &notes);
	unlink(path);
	to[0] = '\0';
	if (ret < 0) {
		snprintf(to, size, "! %s\n", sdtkit_notes_error());
		return;
	}
	assert_true(sdtkit_notes_info(notes)->archive);
	assert_true(sdtkit_notes_info(notes)->relocatable);
	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		assert_int_equal(sdtkit_notes_segments(notes, &segments), 0);
		if (ret < 0)
			n += snprintf(to + n, size - (size_t)n, "! %s\n",
				      sdtkit_notes_error());
		else
			n += snprintf(to + n, size - (size_t)n,
				      "%s: %s%s %s\n", site->member,
				      site->probe,
				      site->description != NULL ? "*" : "",
				      sdtkit_notes_info(notes)->machine_name);
		if (ret > 0 && described == NULL)
			described = site->description;
	}
	/* It stays when the members behind it were read. */
	if (described != NULL)
		assert_string_equal(described->provider, "smb2");
	assert_int_equal(sdtkit_notes_next(notes, &site), 0);
	sdtkit_notes_close(notes);
}

static void expect(struct archive *archive, const char *expected)
{
	char actual[1024];

	list(archive, false, actual, sizeof(actual));
	assert_string_equal(actual, expected);
	list(archive, true, actual, sizeof(actual));
	assert_string_equal(actual, expected);
	free(archive);
}

TEST(test_archive__empty)
{
	expect(new_archive(), "");
}

TEST(test_archive__members)
{
	struct archive *archive = new_archive();
	char text[128];

	add_member(archive, "/", "\0\0\0\0", 4);
	add_member(archive, "//", "a_name_of_more_than_15_letters.o/\n", 34);
	add_object(archive, "one.o/", "start", true, x86_64);
	add_member(archive, "README/", "odd", 3);
	memset(text, 1, sizeof(text));
	memset(text + offsetof(Elf32_Ehdr, e_shnum), 0, 2);
	memset(text + offsetof(Elf32_Ehdr, e_shoff) + 1, 0, 3);
	add_member(archive, "no-header/", text, sizeof(text));
	add_member(archive, "empty/", "", 0);
	/* The description in another member is not used for this one. */
	add_object(archive, "two.o/", "start", false, x86_64);
	add_object(archive, "/0", "end", false, x86_64);
	expect(archive, "one.o: start* x86-64\ntwo.o: start x86-64\n"
	       "a_name_of_more_than_15_letters.o: end x86-64\n");
}

/*
 * Members for different machines: no linker accepts that, but ar(1) makes it.
 */
TEST(test_archive__machines_differ)
{
	const struct sdtkit_site *site;
	struct archive *archive = new_archive();
	struct sdtkit_notes *notes;

	add_object(archive, "one.o/", "a", false, x86_64);
	add_object(archive, "two.o/", "b", false, s390);
	assert_int_equal(sdtkit_notes_open_memory(archive->data, archive->size,
						  &notes), 0);
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	assert_int_equal(sdtkit_notes_info(notes)->machine, EM_X86_64);
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	assert_int_equal(sdtkit_notes_info(notes)->machine, EM_S390);
	assert_true(sdtkit_notes_info(notes)->big_endian);
	assert_string_equal(site->probe, "b");
	sdtkit_notes_close(notes);
	free(archive);
}

/* The strings of members that were read before stay valid. */
TEST(test_archive__strings_stay)
{
	const char *probe, *member;
	const struct sdtkit_site *site;
	struct archive *archive = new_archive();
	struct sdtkit_notes *notes;
	char path[64];

	add_object(archive, "one.o/", "start", false, x86_64);
	add_object(archive, "two.o/", "end", false, x86_64);
	image_write(archive->data, archive->size, path);
	assert_int_equal(sdtkit_notes_open(path, &notes), 0);
	unlink(path);
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	probe = site->probe;
	member = site->member;
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	assert_int_equal(sdtkit_notes_next(notes, &site), 0);
	assert_string_equal(probe, "start");
	assert_string_equal(member, "one.o");
	sdtkit_notes_close(notes);
	free(archive);
}

/* The message names the member, and the others are read. */
TEST(test_archive__damaged_member)
{
	static const char elf[] = "\x7f" "ELF\x02\x01\x01";
	struct archive *archive = new_archive();
	struct image image = { .bits = 64, .type = ET_REL };

	add_object(archive, "one.o/", "start", false, x86_64);
	image_begin(&image);
	image_add_note(&image, &(struct image_note) {
			       .strings = "smb2", .length = 4 });
	image_end(&image);
	add_member(archive, "bad.o/", image.data, image.size);
	image_put(&image, image_header_field(&image, e_shoff), 1 << 20, 8);
	add_member(archive, "worse.o/", image.data, image.size);
	image_free(&image);
	add_object(archive, "two.o/", "end", false, x86_64);
	add_member(archive, "worst.o/", elf, sizeof(elf));
	expect(archive, "one.o: start x86-64\n"
	       "! bad.o: note at 0 of .note.stapsdt: provider name is not "
	       "terminated\n"
	       "! worse.o: damaged or truncated: section headers are "
	       "missing\n"
	       "two.o: end x86-64\n");
}

/* Damage to the second header: the offset in it and the bytes written there. */
TEST(test_archive__damaged_headers)
{
	static const struct {
		size_t at;
		const char *bytes;
	} cases[] = {
		{ 58, "x" },			/* the mark at its end */
		{ 48, "-1        " },
		{ 48, "+9        " },
		{ 48, "          " },
		{ 48, "12x       " },
		{ 48, "4294967295" },
		{ 48, "9999999999" },
	};
	size_t i, second;

	for (i = 0; i < ROWS(cases); i++) {
		struct archive *archive = new_archive();
		char message[128];

		add_object(archive, "one.o/", "start", false, x86_64);
		second = archive->size;
		add_object(archive, "two.o/", "end", false, x86_64);
		memcpy(archive->data + second + cases[i].at, cases[i].bytes,
		       strlen(cases[i].bytes));
		snprintf(message, sizeof(message), "! damaged or truncated: no "
			 "member of the archive begins at %#zx\n", second);
		expect(archive, message);
	}
}

/*
 * A name refers to a table of long names that does not exist or is too short.
 */
TEST(test_archive__names_that_are_not_there)
{
	static const char *const tables[] = { NULL, "", "short.o/\n" };
	size_t i;

	for (i = 0; i < ROWS(tables); i++) {
		struct archive *archive = new_archive();
		char message[128];

		if (tables[i] != NULL)
			add_member(archive, "//", tables[i], strlen(tables[i]));
		snprintf(message, sizeof(message), "! damaged or truncated: no "
			 "member of the archive begins at %#zx\n",
			 archive->size);
		add_object(archive, "/1234", "start", false, x86_64);
		expect(archive, message);
	}
}

/*
 * An archive that is cut off anywhere is an error, unless the rest is whole
 * members.
 */
TEST(test_archive__cut_anywhere)
{
	struct archive *archive = new_archive();
	char actual[1024];
	size_t first, whole;

	add_object(archive, "one.o/", "start", false, x86_64);
	first = archive->size;
	add_object(archive, "two.o/", "end", false, x86_64);
	whole = archive->size;
	for (; archive->size > 8; archive->size--) {
		bool good = archive->size == whole || archive->size == first;

		list(archive, archive->size % 2, actual, sizeof(actual));
		assert_int_equal(actual[0] == '!', !good);
	}
	free(archive);
}
