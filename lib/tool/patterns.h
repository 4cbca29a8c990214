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

struct patterns {
	char **pattern;
	size_t count;
};

/*
 * Moves the patterns of the words to the end, keeping the order of both, and
 * points patterns to them.  Returns the number of words that are none.
 */
size_t patterns_take(struct patterns *patterns, char **words, size_t count);

/* True if one of them fits, or there are none. */
bool patterns_fit(const struct patterns *patterns, const char *provider,
		  const char *probe);

#endif /* SDTKIT_TOOL_PATTERNS_H */
