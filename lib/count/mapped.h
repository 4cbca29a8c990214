/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What reader.c takes out of a file, within its bounds: anybody may have
 * written the file, and may write there meanwhile. See file.h for the layout.
 */
#ifndef SDTKIT_COUNT_MAPPED_H
#define SDTKIT_COUNT_MAPPED_H

#include <string.h>

#include "../record/read_parts.h"
#include "read.h"

static inline const char *take_string(const char **at, const char *end)
{
	const char *string = *at;
	const char *nul = memchr(string, '\0', (size_t)(end - string));

	if (nul == NULL)
		return NULL;
	*at = nul + 1;
	return string;
}

static inline bool take_strings(const char **at, const char *end,
				const char **to, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		to[i] = take_string(at, end);
		if (to[i] == NULL)
			return false;
	}
	return true;
}

static inline bool read_span(const char *text, size_t size,
			     struct sdtkit_count_span *span)
{
	struct sdtkit_count_described head;
	const char *at = text + sizeof(head), *end = text + size;

	if (size < sizeof(head))
		return false;
	memcpy(&head, text, sizeof(head));
	span->flags = head.flags;
	span->name_count = head.name_count;
	span->sum_count = head.sum_count;
	return head.name_count <= SDTKIT_COUNT_NAMES &&
	       head.sum_count <= SDTKIT_COUNT_SUMS &&
	       take_strings(&at, end, &span->provider, 1) &&
	       take_strings(&at, end, &span->name, 1) &&
	       take_strings(&at, end, &span->doc, 1) &&
	       take_strings(&at, end, span->properties,
			    SDTKIT_COUNT_PROPERTIES) &&
	       take_strings(&at, end, span->names, span->name_count) &&
	       take_strings(&at, end, span->sums, span->sum_count);
}

/* A set, and how much of it is there. */
struct set {
	const struct sdtkit_count_set *set;
	uint32_t used;
};

/* The block of an element of the index, of at least so many bytes, or NULL. */
static inline const void *block_at(const struct set *from, uint16_t number,
				   size_t size)
{
	size_t at = (size_t)number * SDTKIT_COUNT_UNIT;

	return at < sizeof(*from->set) || at > from->used ||
	       size > from->used - at ? NULL : (const char *)from->set + at;
}

/* Returns false if no thread has used the set yet. */
static inline bool set_at(const struct sdtkit_record_map *map, uint32_t i,
			  struct set *set)
{
	uint32_t size = map->ring_size < SDTKIT_COUNT_SET_MAX ?
			map->ring_size : SDTKIT_COUNT_SET_MAX;

	set->set = (const void *)((const char *)map->file + map->data_at +
				  (uint64_t)i * map->ring_size);
	if (size < sizeof(*set->set))
		return false;
	set->used = atomic_load(&set->set->used);
	if (set->used > size)
		set->used = size;
	return set->used >= sizeof(*set->set);
}

/* Adds the slots, and returns how many spans they have counted. */
static inline uint64_t add_slots(const struct set *set,
				 const struct sdtkit_count_row *from,
				 struct sdtkit_count_sums *to)
{
	const struct sdtkit_count_octave *octave;
	uint64_t count = 0, slot;
	int i, j;

	for (i = 0; i < SDTKIT_COUNT_OCTAVES; i++) {
		octave = block_at(set, from->octave[i], sizeof(*octave));
		for (j = 0; octave != NULL && j < SDTKIT_COUNT_OCTAVE; j++) {
			slot = octave->slots[j];
			to->slots[i * SDTKIT_COUNT_OCTAVE + j] += slot;
			count += slot;
		}
	}
	return count;
}

static inline void add_totals(const struct set *set, size_t span_count,
			      struct sdtkit_count_total *totals)
{
	size_t i;

	for (i = 0; i < span_count; i++) {
		const struct sdtkit_count_stats *from = &set->set->stats[i];
		struct sdtkit_count_total *to = &totals[i];

		to->started += from->started;
		to->restarted += from->restarted;
		to->unmatched += from->unmatched;
		to->lost += from->lost;
		to->deep += from->deep;
		to->left += from->left;
		to->unread += from->unread;
		to->ended += from->filtered;
	}
}

#endif /* SDTKIT_COUNT_MAPPED_H */
