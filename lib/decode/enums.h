/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes of enums in .note.sdtkit. */
#ifndef SDTKIT_DECODE_ENUMS_PRIV_H
#define SDTKIT_DECODE_ENUMS_PRIV_H

#include "index.h"
#include "sdtkit/notes.h"

enum {
	/* In one enum: tools look for a name by going through all of them. */
	SDTKIT_ENUM_SIZE_MAX = 1024,
};

/* An enum, with its enumerators. */
struct sdtkit_made_enum {
	struct sdtkit_enum names;
	struct sdtkit_enumerator enumerators[];
};

/*
 * Reads a note of type 4 into entry->made, which has room for as many
 * enumerators as there are pairs of strings, and adds an entry for each of its
 * rows.  Errors: -EBADMSG (damaged), -E2BIG (too many enumerators), and those of
 * sdtkit_index_append().
 */
int sdtkit_enum_add(struct sdtkit_index *enums, struct sdtkit_indexed *entry,
		    size_t pairs);

/*
 * The enum whose names an argument of this type and name shows, or a member: of
 * "peer.kind" the last part counts.  NULL if there is none, or if there are
 * several that differ.
 */
const struct sdtkit_enum *sdtkit_enum_find(const struct sdtkit_index *enums,
					   const char *provider,
					   const char *type, const char *name);

#endif /* SDTKIT_DECODE_ENUMS_PRIV_H */
