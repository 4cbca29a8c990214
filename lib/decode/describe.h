/* SPDX-License-Identifier: BSD-2-Clause */
/* What the notes of .note.sdtkit describe, by provider and name. */
#ifndef SDTKIT_DECODE_DESCRIBE_PRIV_H
#define SDTKIT_DECODE_DESCRIBE_PRIV_H

#include <stddef.h>

#include "index.h"
#include "note.h"
#include "sdtkit/notes.h"

enum {
	/* Probes have 12 at most, records in a .d are not longer either. */
	SDTKIT_DESCRIBED_MAX = 64,
	/*
	 * Arguments, members, enumerators, properties: a small hostile file
	 * must not take much memory.
	 */
	SDTKIT_PARTS_MAX = 1 << 22,
};

/* The types of notes. */
enum sdtkit_described {
	SDTKIT_OF_PROBE = 1,
	SDTKIT_OF_RECORD = 2,
	SDTKIT_OF_ARGUMENTS = 3,
	SDTKIT_OF_ENUM = 4,
	SDTKIT_OF_SPAN = 5,
	SDTKIT_OF_TYPES,
};

struct sdtkit_descriptions {
	struct sdtkit_index of[SDTKIT_OF_TYPES];
	/* What was made of all notes, and how many parts that has. */
	struct sdtkit_block *blocks;
	size_t parts;
};

/* Adds what is in a section, whose data must stay; sort after the last. */
int sdtkit_descriptions_add(struct sdtkit_descriptions *descriptions,
			    struct sdtkit_note_reader *reader);
void sdtkit_descriptions_sort(struct sdtkit_descriptions *descriptions);

/* The first of this name; NULL if there is none. */
const struct sdtkit_description *
sdtkit_descriptions_find(const struct sdtkit_descriptions *descriptions,
			 const char *provider, const char *probe);

/*
 * The next one, a description or a span, at *position, which is 0 at first and
 * moves on; NULL at the end.
 */
const void *sdtkit_descriptions_next(const struct sdtkit_descriptions *all,
				     enum sdtkit_described type,
				     size_t *position);

/* Begins another file.  What was handed out of this one stays. */
void sdtkit_descriptions_restart(struct sdtkit_descriptions *descriptions);

/* Forgets all of them, and frees. */
void sdtkit_descriptions_clear(struct sdtkit_descriptions *descriptions);

#endif /* SDTKIT_DECODE_DESCRIBE_PRIV_H */
