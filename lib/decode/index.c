/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notes of one type, by provider and other names.
 *
 * The sites of a file refer to descriptions by name, and notes are in no order:
 * so all notes are added, sorted once, and then looked for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/grow.h"
#include "fail.h"
#include "index.h"

int sdtkit_index_append(struct sdtkit_index *index,
			const struct sdtkit_indexed *entry)
{
	if (index->count == SDTKIT_INDEX_MAX)
		return sdtkit_fail(E2BIG, "more than %d of one type",
				   SDTKIT_INDEX_MAX);
	if (sdtkit_grow(&index->indexed, index->count, &index->capacity,
			sizeof(*entry)) < 0)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	index->indexed[index->count] = *entry;
	index->indexed[index->count].order = index->count;
	index->count++;
	return 0;
}

static int compare_names(const struct sdtkit_indexed *a,
			 const struct sdtkit_indexed *b)
{
	int ret = strcmp(a->provider, b->provider);

	if (ret == 0)
		ret = strcmp(a->name, b->name);
	return ret != 0 ? ret : strcmp(a->argument, b->argument);
}

static int compare(const void *first, const void *second)
{
	const struct sdtkit_indexed *a = first, *b = second;
	int ret = compare_names(a, b);

	return ret != 0 ? ret : (a->order > b->order) - (a->order < b->order);
}

void sdtkit_index_sort(struct sdtkit_index *index)
{
	if (index->count > 0)
		qsort(index->indexed, index->count, sizeof(index->indexed[0]),
		      compare);
}

static bool says_the_same(const struct sdtkit_indexed *a,
			  const struct sdtkit_indexed *b)
{
	size_t length = (size_t)(a->end - a->rest);

	return strcmp(a->title, b->title) == 0 &&
	       (size_t)(b->end - b->rest) == length &&
	       memcmp(a->rest, b->rest, length) == 0;
}

void sdtkit_index_settle(struct sdtkit_index *index)
{
	struct sdtkit_indexed *kept = index->indexed;
	size_t i;

	for (i = 1; i < index->count; i++) {
		struct sdtkit_indexed *next = &index->indexed[i];

		if (compare_names(next, kept) != 0)
			*++kept = *next;
		else if (!says_the_same(kept, next))
			kept->differs = true;
	}
	if (index->count > 0)
		index->count = (size_t)(kept - index->indexed) + 1;
}

const struct sdtkit_indexed *sdtkit_index_find(const struct sdtkit_index *index,
					       const char *provider,
					       const char *name,
					       const char *argument)
{
	const struct sdtkit_indexed key = {
		.provider = provider, .name = name, .argument = argument,
	};
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_names(&index->indexed[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == index->count ||
	    compare_names(&index->indexed[low], &key) != 0)
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
