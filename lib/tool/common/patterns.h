/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which probes a command is asked for: the patterns of its command line, which
 * together are one list in the grammar of lib/text/pattern.h, and what has come
 * of each.
 */
#ifndef SDTKIT_TOOL_PATTERNS_H
#define SDTKIT_TOOL_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

struct patterns {
	/* All of them with commas between; NULL: none was given. */
	char *list;
	struct pattern_result *result;
	size_t count;
	size_t capacity;
	/* Whether there was any probe to match. */
	bool used;
	/* Whether they selected one. */
	bool selected;
};

/*
 * Adds patterns, one or more in a text.  Returns false after a complaint if one
 * of them has no colon, or is nothing but "!".
 */
bool patterns_add(struct patterns *patterns, const char *text);

/* Whether a word of a command line is a pattern: see below. */
bool patterns_is_one(const char *word);

/* Whether it is one with a filter: "smb2:read/size>1/", but not "/run/a:b". */
bool patterns_has_filter(const char *word);

/*
 * Takes the patterns out of words of the command line that may also name
 * files: a word with a colon and without a slash is a pattern, so "./a:b" can
 * name a file.  The words that are left move to the front, in their order, and
 * *count becomes their number.  Returns false after a complaint.
 */
bool patterns_take(struct patterns *patterns, char **words, size_t *count);

void patterns_free(struct patterns *patterns);

/*
 * Whether the probe is asked for, which it is if there are no patterns; notes
 * in the results which patterns match it.  NULL: there are no patterns.
 */
bool patterns_fit(struct patterns *patterns, const char *provider,
		  const char *probe);

/*
 * Names each pattern that has matched nothing, and similar probes, if there was
 * any probe at all; says so if all were excluded.  Returns true if there was
 * nothing to complain of.
 */
bool patterns_complain(const struct patterns *patterns);

#endif /* SDTKIT_TOOL_PATTERNS_H */
