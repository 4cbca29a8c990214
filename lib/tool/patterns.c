/* SPDX-License-Identifier: BSD-2-Clause */
/* Which probes are wanted, see patterns.h. */
#define _POSIX_C_SOURCE 200809L
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "patterns.h"

static bool is_pattern(const char *word)
{
	return strchr(word, ':') != NULL && strchr(word, '/') == NULL;
}

size_t patterns_take(struct patterns *patterns, char **words, size_t count)
{
	size_t kept = 0, i;

	/* A pattern changes places with all the words behind it. */
	for (i = 0; i < count; i++) {
		char *word = words[kept];

		if (!is_pattern(word)) {
			kept++;
			continue;
		}
		memmove(&words[kept], &words[kept + 1],
			(count - kept - 1) * sizeof(words[0]));
		words[count - 1] = word;
	}
	patterns->pattern = words + kept;
	patterns->count = count - kept;
	return kept;
}

bool patterns_fit(const struct patterns *patterns, const char *provider,
		  const char *probe)
{
	/* Longer names are no tracer's; nothing but "*" will fit them. */
	char name[512];
	size_t i;

	if (patterns == NULL || patterns->count == 0)
		return true;
	snprintf(name, sizeof(name), "%s:%s", provider, probe);
	for (i = 0; i < patterns->count; i++) {
		if (fnmatch(patterns->pattern[i], name, 0) == 0)
			return true;
	}
	return false;
}
