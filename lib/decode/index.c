/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notes of one type, by provider and another name.
 *
 * The sites of a file refer to descriptions by name, and notes are in no order:
 * so all notes are added, sorted once, and then looked for.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "index.h"
#include "printable.h"

int sdtkit_index_append(struct sdtkit_index *index,
			const struct sdtkit_indexed *entry)
{
	if (index->count == index->capacity) {
		size_t capacity = index->capacity == 0 ?
				  64 : index->capacity * 2;
		struct sdtkit_indexed *indexed =
			realloc(index->indexed, capacity * sizeof(*indexed));

		if (indexed == NULL)
			return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
		index->indexed = indexed;
		index->capacity = capacity;
	}
	index->indexed[index->count] = *entry;
	index->indexed[index->count].order = index->count;
	index->count++;
	return 0;
}

int sdtkit_indexed_compare(const struct sdtkit_indexed *entry,
			   const char *provider, const char *name)
{
	int ret = strcmp(entry->provider, provider);

	return ret != 0 ? ret : strcmp(entry->name, name);
}

static int compare(const void *first, const void *second)
{
	const struct sdtkit_indexed *a = first, *b = second;
	int ret = sdtkit_indexed_compare(a, b->provider, b->name);

	return ret != 0 ? ret : (a->order > b->order) - (a->order < b->order);
}

void sdtkit_index_sort(struct sdtkit_index *index)
{
	if (index->count > 0)
		qsort(index->indexed, index->count, sizeof(index->indexed[0]),
		      compare);
}

static bool is_text(const struct sdtkit_indexed *entry)
{
	const char *at = entry->rest;

	while (at < entry->end) {
		/* All of ASCII is text here, NUL included. */
		size_t size = (unsigned char)*at < 0x80 ? 1 :
			      sdtkit_printable(at);

		if (size == 0)
			return false;
		at += size;
	}
	return true;
}

void sdtkit_index_settle(struct sdtkit_index *index)
{
	size_t kept = 0, i, next;

	for (i = 0; i < index->count; i = next) {
		const struct sdtkit_indexed *first = &index->indexed[i], *other;
		size_t length = (size_t)(first->end - first->rest);
		bool known = is_text(first);

		for (next = i + 1; next < index->count; next++) {
			other = &index->indexed[next];
			if (sdtkit_indexed_compare(other, first->provider,
						   first->name) != 0)
				break;
			if ((size_t)(other->end - other->rest) != length ||
			    memcmp(other->rest, first->rest, length) != 0)
				known = false;
		}
		if (known)
			index->indexed[kept++] = *first;
	}
	index->count = kept;
}

const struct sdtkit_indexed *sdtkit_index_find(const struct sdtkit_index *index,
					       const char *provider,
					       const char *name)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sdtkit_indexed_compare(&index->indexed[middle], provider,
					   name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == index->count ||
	    sdtkit_indexed_compare(&index->indexed[low], provider, name) != 0)
		return NULL;
	return &index->indexed[low];
}

const char *sdtkit_indexed_take(const char **at)
{
	const char *string = *at;

	*at += strlen(string) + 1;
	return string;
}

void sdtkit_index_clear(struct sdtkit_index *index)
{
	free(index->indexed);
	*index = (struct sdtkit_index) { .count = 0 };
}
