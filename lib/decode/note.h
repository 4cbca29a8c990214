/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the bytes of a section of notes, one note at a time, without ELF. */
#ifndef SDTKIT_DECODE_NOTE_PRIV_H
#define SDTKIT_DECODE_NOTE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A note section and a position in it. */
struct sdtkit_note_reader {
	/* Its name, for messages. */
	const char *section;
	const unsigned char *data;
	size_t size;
	size_t position;
	/* Bytes of an address: 4 or 8. */
	unsigned int address_size;
	bool big_endian;
};

/* A note of any kind: where its parts are in the section. */
struct sdtkit_raw_note {
	size_t start;
	uint32_t type;
	/* Its descriptor is [at, end). */
	size_t at;
	size_t end;
};

/* The note of a site; its strings point into the section. */
struct sdtkit_site_note {
	uint64_t location;
	uint64_t base;
	uint64_t semaphore;
	const char *provider;
	const char *probe;
	const char *arguments;
};

/*
 * Goes to the next note of this owner and skips others.  Returns 1, 0 at the
 * end, or -EBADMSG.  The position always advances; if the damage hides where
 * the next note begins, it advances to the end.
 */
int sdtkit_raw_note_next(struct sdtkit_note_reader *reader, const char *owner,
			 struct sdtkit_raw_note *raw);

/* Goes to the next note of a site, and reads it. */
int sdtkit_site_note_next(struct sdtkit_note_reader *reader,
			  struct sdtkit_site_note *note);

/* Returns the number of size bytes (at most 8) at an offset in the section. */
uint64_t sdtkit_note_number(const struct sdtkit_note_reader *reader, size_t at,
			    unsigned int size);

/*
 * Returns the string at raw->at and moves raw->at behind its NUL; NULL if it
 * does not end before raw->end.
 */
const char *sdtkit_note_string(const struct sdtkit_note_reader *reader,
			       struct sdtkit_raw_note *raw);

#endif /* SDTKIT_DECODE_NOTE_PRIV_H */
