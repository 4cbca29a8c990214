/* SPDX-License-Identifier: BSD-2-Clause */
/* See site_set.h. The set is the C library's tree. */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "note.h"
#include "site_set.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare(const void *first, const void *second)
{
	const struct sdtkit_site_note *a = first, *b = second;
	int ret = compare_numbers(a->location, b->location);

	if (ret == 0)
		ret = compare_numbers(a->base, b->base);
	if (ret == 0)
		ret = compare_numbers(a->semaphore, b->semaphore);
	if (ret == 0)
		ret = strcmp(a->probe, b->probe);
	return ret != 0 ? ret : strcmp(a->provider, b->provider);
}

int sdtkit_site_set_add(struct sdtkit_site_set *set,
			const struct sdtkit_site_note *note)
{
	struct sdtkit_site_note *own = malloc(sizeof(*own));
	struct sdtkit_site_note **found;

	if (own == NULL)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	*own = *note;
	found = tsearch(own, &set->root, compare);
	if (found != NULL && *found == own)
		return 1;
	free(own);
	return found != NULL ? 0 :
		sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
}

void sdtkit_site_set_clear(struct sdtkit_site_set *set)
{
	tdestroy(set->root, free);
	set->root = NULL;
}
