/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of a note section, record by record: knows nothing of ELF. */
#ifndef SDTKIT_NOTES_NOTE_PRIV_H
#define SDTKIT_NOTES_NOTE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A note section and a position in it. */
struct sdtkit_note_reader {
	const unsigned char *data;
	size_t size;
	size_t position;
	/* Bytes of an address: 4 or 8. */
	unsigned int address_size;
	bool big_endian;
};

/* One record as it stands in the file; the strings point into the data. */
struct sdtkit_note {
	uint64_t location;
	uint64_t base;
	uint64_t semaphore;
	const char *provider;
	const char *probe;
	const char *arguments;
};

/*
 * Reads the next record of a probe, skipping notes of other owners and types.
 * Returns 1, 0 at the end, or -EBADMSG; the position has always advanced, to
 * the end where the damage hides the beginning of the next note.
 */
int sdtkit_note_read(struct sdtkit_note_reader *reader,
		     struct sdtkit_note *note);

#endif /* SDTKIT_NOTES_NOTE_PRIV_H */
