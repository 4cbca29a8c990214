/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is read from the bytes of a note section. Sections are copied to the
 * heap at their exact size, so that a sanitizer sees the first byte that is
 * read beyond their end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmocka_all.h"
#include "note.h"
#include "sdtkit/notes.h"

#define BYTES(literal) (literal), sizeof(literal) - 1
#define OWNER "stapsdt\0"
#define LE32(byte) byte "\0\0\0"
#define BE32(byte) "\0\0\0" byte
#define LE64(byte) byte "\0\0\0\0\0\0\0"
#define BE64(byte) "\0\0\0\0\0\0\0" byte
#define HEADER(owner, descriptor) \
	LE32(owner) LE32(descriptor) LE32("\x03")
#define WHERE LE64("\x11") LE64("\x22") LE64("\x33")
#define STRINGS "smb2\0end\0" "8@%rdi\0"		/* 16 bytes */
#define NOTE HEADER("\x08", "\x28") OWNER WHERE STRINGS	/* 60 bytes */
#define GNU HEADER("\x04", "\x05") "GNU\0" "12345\0\0\0"
#define READ "0x11 0x22 0x33 smb2:end(8@%rdi)"
#define AT_0 "note at 0 of .note.stapsdt: "

/* The section as text: a line for each note, and how it ends. */
static const struct {
	const char *label;
	unsigned int address_size;
	bool big_endian;
	const char *data;
	size_t size;
	const char *expected;
} cases[] = {
	{ "empty", 8, false, BYTES(""), "" },
	{ "one", 8, false, BYTES(NOTE), READ "\n" },
	{ "two", 8, false, BYTES(NOTE NOTE), READ "\n" READ "\n" },
	{ "32-bit", 4, false,
	  BYTES(HEADER("\x08", "\x1c") OWNER
		LE32("\x11") LE32("\x22") LE32("\x33") STRINGS), READ "\n" },
	{ "big endian", 8, true,
	  BYTES(BE32("\x08") BE32("\x28") BE32("\x03") OWNER
		BE64("\x11") BE64("\x22") BE64("\x33") STRINGS), READ "\n" },
	{ "32-bit big endian", 4, true,
	  BYTES(BE32("\x08") BE32("\x1c") BE32("\x03") OWNER
		BE32("\x11") BE32("\x22") BE32("\x33") STRINGS), READ "\n" },
	{ "no arguments", 8, false,
	  BYTES(HEADER("\x08", "\x1d") OWNER WHERE "a\0b\0\0" "\0\0\0" NOTE),
	  "0x11 0x22 0x33 a:b()\n" READ "\n" },
	{ "padding of the last is missing", 8, false,
	  BYTES(HEADER("\x08", "\x1d") OWNER WHERE "a\0b\0\0"),
	  "0x11 0x22 0x33 a:b()\n" },
	{ "something follows the strings", 8, false,
	  BYTES(HEADER("\x08", "\x20") OWNER WHERE "a\0b\0\0xyz"),
	  "0x11 0x22 0x33 a:b()\n" },
	{ "empty names", 8, false,
	  BYTES(HEADER("\x08", "\x1b") OWNER WHERE "\0\0\0" "\0"),
	  "0x11 0x22 0x33 :()\n" },

	/* Notes of other owners or types, which are skipped. */
	{ "other owner", 8, false, BYTES(GNU NOTE), READ "\n" },
	{ "other owner only", 8, false, BYTES(GNU GNU), "" },
	{ "other owner of our length", 8, false,
	  BYTES(HEADER("\x08", "\0") "stapsdx\0" NOTE), READ "\n" },
	{ "owner without its NUL", 8, false,
	  BYTES(HEADER("\x07", "\0") "stapsdt\0" NOTE), READ "\n" },
	{ "newer type", 8, false,
	  BYTES(LE32("\x08") LE32("\0") LE32("\x04") OWNER NOTE), READ "\n" },
	{ "older type", 8, false,
	  BYTES(LE32("\x08") LE32("\0") LE32("\x02") OWNER NOTE), READ "\n" },
	{ "all sizes are 0", 8, false,
	  BYTES(LE32("\0") LE32("\0") LE32("\0") NOTE), READ "\n" },

	/* Damage after which the next note is still found. */
	{ "no descriptor", 8, false, BYTES(HEADER("\x08", "\0") OWNER NOTE),
	  "! " AT_0 "it is too short for three addresses\n" READ "\n" },
	{ "addresses cut off", 8, false,
	  BYTES(HEADER("\x08", "\x14") OWNER LE64("\x11") LE64("\x22")
		LE32("\x33") NOTE),
	  "! " AT_0 "it is too short for three addresses\n" READ "\n" },
	{ "no strings", 8, false,
	  BYTES(HEADER("\x08", "\x18") OWNER WHERE NOTE),
	  "! " AT_0 "provider name is not terminated\n" READ "\n" },
	{ "provider without an end", 8, false,
	  BYTES(HEADER("\x08", "\x1c") OWNER WHERE "smb2" NOTE),
	  "! " AT_0 "provider name is not terminated\n" READ "\n" },
	{ "probe without an end", 8, false,
	  BYTES(HEADER("\x08", "\x1c") OWNER WHERE "sm\0x" NOTE),
	  "! " AT_0 "probe name is not terminated\n" READ "\n" },
	{ "no arguments, not even a NUL", 8, false,
	  BYTES(HEADER("\x08", "\x1c") OWNER WHERE "s\0x\0" NOTE),
	  "! " AT_0 "argument list is not terminated\n" READ "\n" },
	{ "arguments without an end", 8, false,
	  BYTES(HEADER("\x08", "\x1c") OWNER WHERE "s\0x\0" "8@%rdi\0\0"),
	  "! " AT_0 "argument list is not terminated\n"
	  "! note at 0x30 of .note.stapsdt: its header is truncated\n" },

	/* Damage after which no further note can be found. */
	{ "header cut off", 8, false, BYTES(NOTE "\x08\0\0\0\x28\0\0"),
	  READ "\n! note at 0x3c of .note.stapsdt: its header is truncated\n" },
	{ "owner overruns", 8, false,
	  BYTES(LE32("\x45") LE32("\0") LE32("\x03") OWNER NOTE),
	  "! " AT_0 "its sizes reach beyond the section\n" },
	{ "description overruns", 8, false,
	  BYTES(HEADER("\x08", "\x29") OWNER WHERE STRINGS),
	  "! " AT_0 "its sizes reach beyond the section\n" },
	{ "owner of 4 GB", 8, false,
	  BYTES("\xff\xff\xff\xff" LE32("\x28") LE32("\x03") OWNER WHERE),
	  "! " AT_0 "its sizes reach beyond the section\n" },
	{ "sizes of 8 GB together", 8, false,
	  BYTES("\xff\xff\xff\xff\xff\xff\xff\xff" LE32("\x03") OWNER WHERE),
	  "! " AT_0 "its sizes reach beyond the section\n" },
	{ "sizes that wrap to 0 in 32 bits", 8, false,
	  BYTES("\xfc\xff\xff\xff\xf8\xff\xff\xff" LE32("\x03") OWNER WHERE),
	  "! " AT_0 "its sizes reach beyond the section\n" },
};

/*
 * Writes a line for each note, "0x11 0x22 0x33 smb2:end(8@%rdi)", or for an
 * error, "! message".
 */
static void describe(struct sdtkit_note_reader *reader, char *to, size_t size)
{
	struct sdtkit_site_note note;
	int n, ret;

	to[0] = '\0';
	while ((ret = sdtkit_site_note_next(reader, &note)) != 0) {
		if (ret < 0) {
			assert_int_equal(ret, -EBADMSG);
			n = snprintf(to, size, "! %s\n", sdtkit_notes_error());
		} else {
			n = snprintf(to, size, "%#llx %#llx %#llx %s:%s(%s)\n",
				     (unsigned long long)note.location,
				     (unsigned long long)note.base,
				     (unsigned long long)note.semaphore,
				     note.provider, note.probe,
				     note.arguments);
		}
		to += n;
		size -= (size_t)n;
	}
}

TEST(test_note__reads)
{
	char expected[512], actual[512];
	size_t i;

	for (i = 0; i < ROWS(cases); i++) {
		unsigned char *data = malloc(cases[i].size + 1);
		struct sdtkit_note_reader reader = {
			.data = data + 1,
			.section = ".note.stapsdt",
			.size = cases[i].size,
			.address_size = cases[i].address_size,
			.big_endian = cases[i].big_endian,
		};
		int n;

		memcpy(data + 1, cases[i].data, cases[i].size);
		snprintf(expected, sizeof(expected), "%s:\n%s", cases[i].label,
			 cases[i].expected);
		n = snprintf(actual, sizeof(actual), "%s:\n", cases[i].label);
		describe(&reader, actual + n, sizeof(actual) - (size_t)n);
		assert_string_equal(actual, expected);
		free(data);
	}
}

/* Wherever a section is cut off, the whole notes are read and nothing else. */
TEST(test_note__cut_anywhere)
{
	static const char section[] = NOTE GNU NOTE;
	size_t size;

	for (size = 0; size < sizeof(section); size++) {
		unsigned char *data = malloc(size + 1);
		struct sdtkit_note_reader reader = {
			.section = ".note.stapsdt",
			.data = data + 1,
			.size = size,
			.address_size = 8,
		};
		struct sdtkit_site_note note;
		size_t notes = 0;
		int ret;

		memcpy(data + 1, section, size);
		while ((ret = sdtkit_site_note_next(&reader, &note)) > 0)
			notes++;
		assert_int_equal(notes, (size >= 60) + (size >= 144));
		assert_int_equal(sdtkit_site_note_next(&reader, &note), 0);
		free(data);
	}
}

/* On an error, the caller's note is not changed. */
TEST(test_note__sets_nothing_on_error)
{
	static const char section[] = HEADER("\x08", "\x1c") OWNER WHERE
				      "sm\0x";
	struct sdtkit_note_reader reader = {
		.section = ".note.stapsdt",
		.data = (const unsigned char *)section,
		.size = sizeof(section) - 1,
		.address_size = 8,
	};
	struct sdtkit_site_note note = { .location = 99 };

	assert_int_equal(sdtkit_site_note_next(&reader, &note), -EBADMSG);
	assert_int_equal(note.location, 99);
	assert_null(note.provider);
}
