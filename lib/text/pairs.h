/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers by two strings, as a provider and a probe. A hostile file may have a
 * hundred thousand of them, which no list can be searched for.
 */
#ifndef SDTKIT_PAIRS_H
#define SDTKIT_PAIRS_H

#include <stddef.h>

/* Begins with zeros. */
struct sdtkit_pairs {
	void *root;
};

/*
 * Adds a number; the strings have to remain. If the two are there already, they
 * keep their number. Returns 0 or -ENOMEM.
 */
int sdtkit_pairs_add(struct sdtkit_pairs *pairs, const char *a, const char *b,
		     size_t number);

/* Returns the number of two strings, or NULL. */
const size_t *sdtkit_pairs_find(const struct sdtkit_pairs *pairs,
				const char *a, const char *b);

void sdtkit_pairs_free(struct sdtkit_pairs *pairs);

#endif /* SDTKIT_PAIRS_H */
