/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes of records in .note.sdtkit. */
#ifndef SDTKIT_DECODE_LAYOUT_PRIV_H
#define SDTKIT_DECODE_LAYOUT_PRIV_H

#include "index.h"
#include "sdtkit/notes.h"

enum {
	/* A record lies on the stack of the program. */
	SDTKIT_LAYOUT_SIZE_MAX = 4096,
};

/* A record, with its members. */
struct sdtkit_made_layout {
	struct sdtkit_layout layout;
	struct sdtkit_layout_member members[];
};

/*
 * Reads a note of type 2 into entry->made, which has room for its members, and
 * adds it.  Error: -EBADMSG (damaged), and those of sdtkit_index_append().
 */
int sdtkit_layout_add(struct sdtkit_index *layouts,
		      struct sdtkit_indexed *entry, size_t members);

/*
 * The record that an argument of this type points to.  NULL if there is none,
 * or if there are several that differ.
 */
const struct sdtkit_layout *
sdtkit_layout_find(const struct sdtkit_index *layouts, const char *provider,
		   const char *type);

#endif /* SDTKIT_DECODE_LAYOUT_PRIV_H */
