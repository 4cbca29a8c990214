/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guessing what something was renamed to: by edit distance (Levenshtein), as
 * compilers do for misspelt names.
 *
 *	request_end  request_done	3 steps for 12 letters: 75 %
 */
#include <stddef.h>
#include <string.h>

#include "similar.h"

enum {
	/* Names of tracers are no longer. */
	LENGTH_MAX = 128,
};

static unsigned int least(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* One row of the table after the other; the last cell is the distance. */
static unsigned int distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned int row[LENGTH_MAX + 1], diagonal, above;
	size_t i, j;

	for (j = 0; j <= m; j++)
		row[j] = (unsigned int)j;
	for (i = 1; i <= n; i++) {
		diagonal = row[0];
		row[0] = (unsigned int)i;
		for (j = 1; j <= m; j++) {
			above = row[j];
			row[j] = least(above + 1, row[j - 1] + 1,
				       diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[m];
}

unsigned int sdtkit_similar_names(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), longer = n > m ? n : m;

	if (longer == 0)
		return 100;
	if (longer > LENGTH_MAX)
		return strcmp(a, b) == 0 ? 100 : 0;
	return (unsigned int)(100 - 100 * distance(a, n, b, m) / longer);
}
