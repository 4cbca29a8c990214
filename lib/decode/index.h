/* SPDX-License-Identifier: BSD-2-Clause */
/* An index of what the notes of one type describe, by provider and name. */
#ifndef SDTKIT_DECODE_INDEX_PRIV_H
#define SDTKIT_DECODE_INDEX_PRIV_H

#include <stdbool.h>
#include <stddef.h>

enum {
	/* In one file; real ones have some hundreds. */
	SDTKIT_INDEX_MAX = 1 << 18,
};

/* What a note describes, or a row of a note of an enum. */
struct sdtkit_indexed {
	const char *provider;
	/* Of a probe or a span; the type of an argument for others. */
	const char *name;
	/* Enums: the name of the argument, "" for any, and of the enum. */
	const char *argument;
	const char *title;
	/* The bytes behind the names, to the end of the note. */
	const char *rest;
	const char *end;
	/* How many strings these bytes are. */
	size_t strings;
	/* Its position in the order in which entries were added. */
	size_t order;
	/* It must not be used: it is not text, or its notes differ. */
	bool differs;
	/* The struct of sdtkit/notes.h that was made of it. */
	void *made;
};

struct sdtkit_index {
	struct sdtkit_indexed *indexed;
	size_t count;
	size_t capacity;
};

/* Adds a copy of the entry.  Errors: -E2BIG (too many of them), -ENOMEM. */
int sdtkit_index_append(struct sdtkit_index *index,
			const struct sdtkit_indexed *entry);

/* Sorts by name; those of one name stay in the order of the file. */
void sdtkit_index_sort(struct sdtkit_index *index);

/*
 * Leaves one entry per name, once the index is sorted, and marks those of which
 * notes differ.
 */
void sdtkit_index_settle(struct sdtkit_index *index);

/*
 * The first of these names, once the index is sorted; NULL if there is none.
 * argument is "" except for enums.
 */
const struct sdtkit_indexed *sdtkit_index_find(const struct sdtkit_index *index,
					       const char *provider,
					       const char *name,
					       const char *argument);

/* Returns the string at *at, and moves *at behind its NUL. */
const char *sdtkit_indexed_take(const char **at);

/* Forgets all of them, and frees; what was made of them stays. */
void sdtkit_index_clear(struct sdtkit_index *index);

#endif /* SDTKIT_DECODE_INDEX_PRIV_H */
