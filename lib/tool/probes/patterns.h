/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which probes are wanted: 'smb2:request_*', as a shell would match it.  A
 * word of the command line is a pattern if it has a colon and no slash, so
 * that "./a:b" can name a file.
 */
#ifndef SDTKIT_TOOL_PATTERNS_H
#define SDTKIT_TOOL_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/text/similar.h"

struct patterns {
	char **pattern;
	size_t count;
	/* For each of them, what was found. */
	struct pattern_result {
		bool has_matched;
		/* If not: the names that are most like it. */
		struct sdtkit_similar similar;
	} *result;
	/* Sites that were held against them. */
	size_t sites;
};

/*
 * Moves the patterns of the words to the end, keeping the order of both, and
 * points patterns to them.  Returns the number of words that are none.
 */
size_t patterns_take(struct patterns *patterns, char **words, size_t count);
void patterns_free(struct patterns *patterns);

/* True if one of them fits, or there are none; notes it in the results. */
bool patterns_fit(struct patterns *patterns, const char *provider,
		  const char *probe);

/* On stderr, for each that has matched nothing: what may have been meant. */
void patterns_complain(const struct patterns *patterns);

#endif /* SDTKIT_TOOL_PATTERNS_H */
