/* SPDX-License-Identifier: BSD-2-Clause */
/* Which probes are wanted, see patterns.h. */
#define _POSIX_C_SOURCE 200809L
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "probes/patterns.h"

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
	patterns->result = calloc(patterns->count + 1,
				  sizeof(patterns->result[0]));
	if (patterns->result == NULL)
		tool_no_memory();
	return kept;
}

void patterns_free(struct patterns *patterns)
{
	free(patterns->result);
}

bool patterns_fit(struct patterns *patterns, const char *provider,
		  const char *probe)
{
	bool fits = false;
	/* Longer names are no tracer's; nothing but "*" will fit them. */
	char name[512];
	size_t i;

	if (patterns == NULL || patterns->count == 0)
		return true;
	snprintf(name, sizeof(name), "%s:%s", provider, probe);
	patterns->sites++;
	for (i = 0; i < patterns->count; i++) {
		struct pattern_result *result = &patterns->result[i];

		if (fnmatch(patterns->pattern[i], name, 0) == 0)
			fits = result->has_matched = true;
		else if (!result->has_matched)
			sdtkit_similar_saw(&result->similar,
					   patterns->pattern[i], provider,
					   probe);
	}
	return fits;
}

static void complain(const char *pattern, const struct pattern_result *result,
		     size_t sites)
{
	char names[SIMILAR_TEXT];

	if (sdtkit_similar_text(&result->similar, names)[0] != '\0')
		tool_complain("no probe matches '%s'; similar ones: %s",
			      pattern, names);
	else
		tool_complain("no probe matches '%s', of %zu site%s: without a "
			      "pattern, all are listed", pattern, sites,
			      tool_plural(sites));
}

void patterns_complain(const struct patterns *patterns)
{
	size_t i;

	for (i = 0; i < patterns->count && patterns->sites > 0; i++) {
		if (!patterns->result[i].has_matched)
			complain(patterns->pattern[i], &patterns->result[i],
				 patterns->sites);
	}
}
