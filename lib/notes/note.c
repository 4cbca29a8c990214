/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes of .note.stapsdt -> struct sdtkit_note.
 *
 * A note of x86-64 (docs/format.md goes through it):
 *
 *	00: 08 00 00 00			size of the owner, with its NUL
 *	04: 2f 00 00 00			size of the description
 *	08: 03 00 00 00			type
 *	0c: 73 74 61 70 73 64 74 00	"stapsdt", padded to 4
 *	14: 6f 10 00 00 00 00 00 00	location	description: addresses
 *	1c: 04 20 00 00 00 00 00 00	base		of 4 bytes in a 32-bit
 *	24: 00 50 00 00 00 00 00 00	semaphore	file
 *	2c: 73 6d 62 32 00		"smb2"
 *	31: 65 6e 64 00			"end"
 *	35: 38 40 25 72 61 78 20 ..	"8@%rax 8@%rdi", padded to 4
 *
 * Invariants:
 * 1. no byte outside of data[0..size) is read, whatever the sizes say;
 * 2. each call consumes at least the 12 bytes of a header, so a loop over
 *    hostile data ends;
 * 3. strings that are handed out end inside of their description.
 */
#include <errno.h>
#include <string.h>

#include "fail.h"
#include "note.h"

enum {
	NOTE_HEADER = 12,
	NOTE_TYPE = 3,
};

static const char note_owner[] = "stapsdt";

static uint64_t get(const struct sdtkit_note_reader *reader, size_t at,
		    unsigned int size)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < size; i++) {
		unsigned int byte = reader->big_endian ? i : size - 1 - i;

		value = value << 8 | reader->data[at + byte];
	}
	return value;
}

static uint64_t pad4(uint64_t size)
{
	return (size + 3) & ~UINT64_C(3);
}

/* Takes one NUL-terminated string off [*at, end). */
static const char *take_string(const struct sdtkit_note_reader *reader,
			       size_t *at, size_t end)
{
	const char *string = (const char *)reader->data + *at;
	const char *nul = memchr(string, '\0', end - *at);

	if (nul != NULL)
		*at += (size_t)(nul - string) + 1;
	return nul != NULL ? string : NULL;
}

/* [at, end) is the description of the note that begins at start. */
static int read_description(const struct sdtkit_note_reader *reader,
			    size_t start, size_t at, size_t end,
			    struct sdtkit_note *note)
{
	struct sdtkit_note n = { 0 };
	const struct {
		const char **string;
		const char *what;
	} strings[] = {
		{ &n.provider, "provider name" },
		{ &n.probe, "probe name" },
		{ &n.arguments, "argument list" },
	};
	unsigned int address = reader->address_size;
	size_t i;

	if (end - at < 3 * address)
		return sdtkit_fail(EBADMSG, "note at %#zx of .note.stapsdt: "
				   "too short for three addresses", start);
	n.location = get(reader, at, address);
	n.base = get(reader, at + address, address);
	n.semaphore = get(reader, at + 2 * address, address);
	at += 3 * address;
	for (i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		*strings[i].string = take_string(reader, &at, end);
		if (*strings[i].string == NULL)
			return sdtkit_fail(EBADMSG, "note at %#zx of "
					   ".note.stapsdt: %s without an end",
					   start, strings[i].what);
	}
	*note = n;
	return 1;
}

int sdtkit_note_read(struct sdtkit_note_reader *reader,
		     struct sdtkit_note *note)
{
	while (reader->position < reader->size) {
		size_t start = reader->position;
		size_t left = reader->size - start;
		uint64_t owner_size, description_size, description, next;

		reader->position = reader->size;
		if (left < NOTE_HEADER)
			return sdtkit_fail(EBADMSG, "note at %#zx of "
					   ".note.stapsdt: cut off in its "
					   "header", start);
		owner_size = get(reader, start, 4);
		description_size = get(reader, start + 4, 4);
		description = NOTE_HEADER + pad4(owner_size);
		if (description + description_size > left)
			return sdtkit_fail(EBADMSG, "note at %#zx of "
					   ".note.stapsdt: its sizes overrun "
					   "the section", start);
		/* The last note of a section may lack its padding. */
		next = description + pad4(description_size);
		if (next < left)
			reader->position = start + next;
		if (get(reader, start + 8, 4) != NOTE_TYPE ||
		    owner_size != sizeof(note_owner) ||
		    memcmp(reader->data + start + NOTE_HEADER, note_owner,
			   sizeof(note_owner)) != 0)
			continue;
		return read_description(reader, start, start + description,
					start + description + description_size,
					note);
	}
	return 0;
}
