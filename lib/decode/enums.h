/* SPDX-License-Identifier: BSD-2-Clause */
/* An index of the enums in .note.sdtkit, by provider, type and name. */
#ifndef SDTKIT_DECODE_ENUMS_PRIV_H
#define SDTKIT_DECODE_ENUMS_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "note.h"
#include "sdtkit/notes.h"

enum {
	/* In one enum: tools look for a name by going through all of them. */
	SDTKIT_ENUM_SIZE_MAX = 1024,
	/* In one file; real ones have some hundreds. */
	SDTKIT_ENUM_USERS_MAX = 1 << 18,
	SDTKIT_ENUMERATORS_MAX = 1 << 20,
};

/* Which arguments and members show an enum: one such row of a note. */
struct sdtkit_enum_user {
	const char *provider;
	/* The C type of the argument. */
	const char *type;
	/* Its name; "" stands for all arguments of the type. */
	const char *name;
	/* The enumerators as the note has them, to compare them. */
	const char *rest;
	size_t length;
	/* Its place among those that were added. */
	size_t order;
	/* Another note says something else of the same arguments. */
	bool differs;
	/* The first of its enumerators. */
	size_t first;
	/* Its enumerators are set when all were sorted. */
	struct sdtkit_enum shown;
};

struct sdtkit_enums {
	struct sdtkit_enum_user *users;
	size_t count;
	size_t capacity;
	struct sdtkit_enumerator *enumerators;
	size_t enumerator_count;
	size_t enumerator_capacity;
};

/*
 * Adds what a note of type 4 says, whose data must stay; sort after the last.
 * Errors: -EBADMSG (damaged), -E2BIG (too many of them), -ENOMEM.
 */
int sdtkit_enums_add(struct sdtkit_enums *enums,
		     const struct sdtkit_note_reader *reader,
		     struct sdtkit_raw_note raw);
void sdtkit_enums_sort(struct sdtkit_enums *enums);

/*
 * The enum whose names an argument of this type and name shows, or a member: of
 * "peer.kind" the last part counts.  NULL if there is none, or if there are
 * several that differ.  Valid until more is added.
 */
const struct sdtkit_enum *sdtkit_enums_find(const struct sdtkit_enums *enums,
					    const char *provider,
					    const char *type,
					    const char *name);

/* Forgets all of them, and frees. */
void sdtkit_enums_clear(struct sdtkit_enums *enums);

#endif /* SDTKIT_DECODE_ENUMS_PRIV_H */
