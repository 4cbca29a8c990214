/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of a note section, record by record: knows nothing of ELF. */
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

/* Any note: the places of its parts in the section. */
struct sdtkit_raw_note {
	size_t start;
	uint32_t type;
	/* The description is [at, end). */
	size_t at;
	size_t end;
};

/* The note of a site as it stands in the file; strings point into the data. */
struct sdtkit_site_note {
	uint64_t location;
	uint64_t base;
	uint64_t semaphore;
	const char *provider;
	const char *probe;
	const char *arguments;
};

/*
 * Goes to the next note of this owner, skipping others.  Returns 1, 0 at the
 * end, or -EBADMSG; the position has always advanced, to the end where the
 * damage hides the beginning of the next note.
 */
int sdtkit_raw_note_next(struct sdtkit_note_reader *reader, const char *owner,
			 struct sdtkit_raw_note *raw);

/* The same, reading the record of a probe's site. */
int sdtkit_site_note_next(struct sdtkit_note_reader *reader,
			  struct sdtkit_site_note *note);

/* The number of size bytes (at most 8) at this place, which is in the data. */
uint64_t sdtkit_note_number(const struct sdtkit_note_reader *reader, size_t at,
			    unsigned int size);

/*
 * Takes one NUL-terminated string off [record->at, record->end); NULL if none
 * ends there.
 */
const char *sdtkit_note_string(const struct sdtkit_note_reader *reader,
			       struct sdtkit_raw_note *raw);

#endif /* SDTKIT_DECODE_NOTE_PRIV_H */
