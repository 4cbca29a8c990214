/* SPDX-License-Identifier: BSD-2-Clause */
/* An index of notes of one type, by provider and another name. */
#ifndef SDTKIT_DECODE_INDEX_PRIV_H
#define SDTKIT_DECODE_INDEX_PRIV_H

#include <stddef.h>

/* A note, whose strings have not been split yet. */
struct sdtkit_indexed {
	const char *provider;
	/* That of a probe or of a span. */
	const char *name;
	/* The bytes behind these two strings, to the end of the note. */
	const char *rest;
	const char *end;
	/* How many strings these bytes are. */
	size_t strings;
	/* Its position in the order in which notes were added. */
	size_t order;
};

struct sdtkit_index {
	struct sdtkit_indexed *indexed;
	size_t count;
	size_t capacity;
};

/* Adds a copy of the entry.  Error: -ENOMEM. */
int sdtkit_index_append(struct sdtkit_index *index,
			const struct sdtkit_indexed *entry);

/* Sorts by name; those of one name stay in the order of the file. */
void sdtkit_index_sort(struct sdtkit_index *index);

/*
 * Leaves one note per name, once the index is sorted.  A name whose notes
 * differ, or whose note is not text, has none.
 */
void sdtkit_index_settle(struct sdtkit_index *index);

/* As strcmp() does, for the names of the entry and these two. */
int sdtkit_indexed_compare(const struct sdtkit_indexed *entry,
			   const char *provider, const char *name);

/* The first of this name, once the index is sorted; NULL if there is none. */
const struct sdtkit_indexed *sdtkit_index_find(const struct sdtkit_index *index,
					       const char *provider,
					       const char *name);

/* Returns the string at *at, and moves *at behind its NUL. */
const char *sdtkit_indexed_take(const char **at);

/* Forgets all of them, and frees. */
void sdtkit_index_clear(struct sdtkit_index *index);

#endif /* SDTKIT_DECODE_INDEX_PRIV_H */
