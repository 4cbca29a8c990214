/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes of a note section -> notes, and those of .note.stapsdt -> struct
 * sdtkit_site_note.
 *
 * A note of x86-64 (docs/format.md goes through it):
 *
 *	00: 08 00 00 00			size of the owner, with its NUL
 *	04: 2f 00 00 00			size of the descriptor
 *	08: 03 00 00 00			type
 *	0c: 73 74 61 70 73 64 74 00	"stapsdt", padded to 4
 *	14: 6f 10 00 00 00 00 00 00	location	descriptor: addresses
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
 * 3. strings that are handed out end inside of their descriptor.
 */
#include <errno.h>
#include <string.h>

#include "fail.h"
#include "note.h"

enum {
	NOTE_HEADER = 12,
	NOTE_TYPE = 3,
};

uint64_t sdtkit_note_number(const struct sdtkit_note_reader *reader, size_t at,
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

const char *sdtkit_note_string(const struct sdtkit_note_reader *reader,
			       struct sdtkit_raw_note *raw)
{
	const char *string = (const char *)reader->data + raw->at;
	const char *nul = memchr(string, '\0', raw->end - raw->at);

	if (nul == NULL)
		return NULL;
	raw->at += (size_t)(nul - string) + 1;
	return string;
}

static uint64_t pad4(uint64_t size)
{
	return (size + 3) & ~UINT64_C(3);
}

static int damaged(const struct sdtkit_note_reader *reader, size_t start,
		   const char *what)
{
	return sdtkit_fail(EBADMSG, "note at %#zx of %s: %s", start,
			   reader->section, what);
}

int sdtkit_raw_note_next(struct sdtkit_note_reader *reader, const char *owner,
			 struct sdtkit_raw_note *raw)
{
	size_t owner_length = strlen(owner) + 1;

	while (reader->position < reader->size) {
		size_t start = reader->position;
		size_t left = reader->size - start;
		uint64_t owner_size, descriptor_size, descriptor, next;

		reader->position = reader->size;
		if (left < NOTE_HEADER)
			return damaged(reader, start,
				       "its header is truncated");
		owner_size = sdtkit_note_number(reader, start, 4);
		descriptor_size = sdtkit_note_number(reader, start + 4, 4);
		descriptor = NOTE_HEADER + pad4(owner_size);
		if (descriptor + descriptor_size > left)
			return damaged(reader, start,
				       "its sizes reach beyond the section");
		/* The last note of a section may lack its padding. */
		next = descriptor + pad4(descriptor_size);
		if (next < left)
			reader->position = start + next;
		if (owner_size != owner_length ||
		    memcmp(reader->data + start + NOTE_HEADER, owner,
			   owner_length) != 0)
			continue;
		raw->start = start;
		raw->type = (uint32_t)sdtkit_note_number(reader, start + 8,
							 4);
		raw->at = start + descriptor;
		raw->end = raw->at + descriptor_size;
		return 1;
	}
	return 0;
}

static int read_site(const struct sdtkit_note_reader *reader,
		     struct sdtkit_raw_note *raw, struct sdtkit_site_note *note)
{
	unsigned int address = reader->address_size;
	struct sdtkit_site_note n;

	if (raw->end - raw->at < 3 * address)
		return damaged(reader, raw->start,
			       "it is too short for three addresses");
	n.location = sdtkit_note_number(reader, raw->at, address);
	n.base = sdtkit_note_number(reader, raw->at + address, address);
	n.semaphore = sdtkit_note_number(reader, raw->at + 2 * address,
					 address);
	raw->at += 3 * address;
	n.provider = sdtkit_note_string(reader, raw);
	if (n.provider == NULL)
		return damaged(reader, raw->start,
			       "provider name is not terminated");
	n.probe = sdtkit_note_string(reader, raw);
	if (n.probe == NULL)
		return damaged(reader, raw->start,
			       "probe name is not terminated");
	n.arguments = sdtkit_note_string(reader, raw);
	if (n.arguments == NULL)
		return damaged(reader, raw->start,
			       "argument list is not terminated");
	*note = n;
	return 1;
}

int sdtkit_site_note_next(struct sdtkit_note_reader *reader,
			  struct sdtkit_site_note *note)
{
	struct sdtkit_raw_note raw;
	int ret;

	while ((ret = sdtkit_raw_note_next(reader, "stapsdt", &raw)) > 0) {
		if (raw.type == NOTE_TYPE)
			return read_site(reader, &raw, note);
	}
	return ret;
}
