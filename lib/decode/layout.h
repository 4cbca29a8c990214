/* SPDX-License-Identifier: BSD-2-Clause */
/* An index of the layouts in .note.sdtkit, by provider and type. */
#ifndef SDTKIT_DECODE_LAYOUT_PRIV_H
#define SDTKIT_DECODE_LAYOUT_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "enums.h"
#include "note.h"
#include "sdtkit/notes.h"

enum {
	/* A record lies on the stack of the program. */
	SDTKIT_LAYOUT_SIZE_MAX = 4096,
	/* In one file, where real ones have some hundreds of both. */
	SDTKIT_RECORDS_MAX = 1 << 18,
	SDTKIT_MEMBERS_MAX = 1 << 20,
};

/* A record that was checked; its members are in the index. */
struct sdtkit_indexed_layout {
	const char *provider;
	const char *type;
	/* What is behind these two, to compare it. */
	const char *rest;
	size_t length;
	/* Its index among those that were added. */
	size_t order;
	/* Another note says something else of the same name. */
	bool differs;
	size_t size;
	size_t first;
	size_t count;
};

struct sdtkit_layouts {
	struct sdtkit_indexed_layout *indexed;
	size_t count;
	size_t capacity;
	struct sdtkit_layout_member *members;
	size_t member_count;
	size_t member_capacity;
};

/*
 * Adds what a note of type 2 says, whose data must stay; sort after the last.
 * Errors: -EBADMSG (damaged), -E2BIG (too many of them), -ENOMEM.
 */
int sdtkit_layouts_add(struct sdtkit_layouts *layouts,
		       const struct sdtkit_note_reader *reader,
		       struct sdtkit_raw_note record);
void sdtkit_layouts_sort(struct sdtkit_layouts *layouts);

/* Gives the members their names of values, when both were sorted. */
void sdtkit_layouts_name(struct sdtkit_layouts *layouts,
			 const struct sdtkit_enums *enums);

/*
 * The record that an argument of this type points to.  False if there is none,
 * or if there are several that differ.  Valid until more is added.
 */
bool sdtkit_layouts_find(const struct sdtkit_layouts *layouts,
			 const char *provider, const char *type,
			 struct sdtkit_layout *layout);

/* Forgets all of them, and frees. */
void sdtkit_layouts_clear(struct sdtkit_layouts *layouts);

#endif /* SDTKIT_DECODE_LAYOUT_PRIV_H */
