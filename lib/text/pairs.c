/* SPDX-License-Identifier: BSD-2-Clause */
/* pairs.c - the tree of tsearch(3), see pairs.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "pairs.h"

struct pair {
	const char *a;
	const char *b;
	size_t number;
};

static int compare(const void *left, const void *right)
{
	const struct pair *x = left;
	const struct pair *y = right;
	int order = strcmp(x->b, y->b);

	return order != 0 ? order : strcmp(x->a, y->a);
}

int sdtkit_pairs_add(struct sdtkit_pairs *pairs, const char *a, const char *b,
		     size_t number)
{
	struct pair *pair = malloc(sizeof(*pair));
	struct pair **found;

	if (pair == NULL)
		return -ENOMEM;
	*pair = (struct pair){ a, b, number };
	found = tsearch(pair, &pairs->root, compare);
	if (found == NULL || *found != pair)
		free(pair);
	return found == NULL ? -ENOMEM : 0;
}

const size_t *sdtkit_pairs_find(const struct sdtkit_pairs *pairs,
				const char *a, const char *b)
{
	struct pair key = { a, b, 0 };
	struct pair *const *found = tfind(&key, &pairs->root, compare);

	return found != NULL ? &(*found)->number : NULL;
}

void sdtkit_pairs_free(struct sdtkit_pairs *pairs)
{
	tdestroy(pairs->root, free);
	pairs->root = NULL;
}
