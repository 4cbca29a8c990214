/* SPDX-License-Identifier: BSD-2-Clause */
/* Which probes a command is asked for, see patterns.h. */
#include <stdlib.h>
#include <string.h>

#include "common/patterns.h"
#include "common/tool.h"
#include "lib/text/pattern.h"
#include "lib/text/similar.h"

/* A pattern, and what it has matched so far. */
struct pattern_result {
	struct sdtkit_pattern pattern;
	bool has_matched;
	/* If not: the names that are most like it. */
	struct sdtkit_similar similar;
};

static void add_result(struct patterns *patterns,
		       const struct sdtkit_pattern *pattern)
{
	TOOL_GROW(patterns->result, patterns->count, patterns->capacity);
	patterns->result[patterns->count++] = (struct pattern_result) {
		.pattern = *pattern,
	};
}

static bool has_colon(const struct sdtkit_pattern *pattern)
{
	const char *glob = pattern->glob;
	const char *sign = pattern->excludes ? "!" : "";

	if (strchr(glob, ':') != NULL)
		return true;
	if (glob[0] == '\0') {
		tool_complain("'!' excludes nothing: write a pattern behind it, "
			      "without a blank");
		return false;
	}
	if (strcmp(glob, "*") == 0) {
		tool_complain("'%s*' is not a pattern: write '%s*:*' for all "
			      "probes", sign, sign);
		return false;
	}
	tool_complain("'%s%s' is not a pattern: write '%s*:%s' for a probe of "
		      "any provider, '%s%s:*' for all probes of a provider",
		      sign, glob, sign, glob, sign, glob);
	return false;
}

bool patterns_add(struct patterns *patterns, const char *text)
{
	char *before = patterns->list;
	struct sdtkit_pattern pattern;
	const char *at = text;

	while (sdtkit_pattern_next(&at, &pattern)) {
		if (!has_colon(&pattern))
			return false;
		add_result(patterns, &pattern);
	}
	patterns->list = tool_format("%s%s%s", before != NULL ? before : "",
				     before != NULL ? "," : "", text);
	free(before);
	return true;
}

bool patterns_is_one(const char *word)
{
	return strchr(word, ':') != NULL && strchr(word, '/') == NULL;
}

bool patterns_has_filter(const char *word)
{
	const char *colon = strchr(word, ':');

	return colon != NULL && strchr(word, '/') > colon;
}

bool patterns_take(struct patterns *patterns, char **words, size_t *count)
{
	size_t kept = 0, i;

	for (i = 0; i < *count; i++) {
		if (!patterns_is_one(words[i]))
			words[kept++] = words[i];
		else if (!patterns_add(patterns, words[i]))
			return false;
	}
	*count = kept;
	return true;
}

void patterns_free(struct patterns *patterns)
{
	free(patterns->list);
	free(patterns->result);
}

bool patterns_fit(struct patterns *patterns, const char *provider,
		  const char *probe)
{
	size_t i;

	if (patterns == NULL || patterns->count == 0)
		return true;
	patterns->used = true;
	for (i = 0; i < patterns->count; i++) {
		struct pattern_result *result = &patterns->result[i];

		if (sdtkit_pattern_fits(&result->pattern, provider, probe))
			result->has_matched = true;
		else if (!result->has_matched)
			sdtkit_similar_saw(&result->similar,
					   result->pattern.glob, provider,
					   probe);
	}
	if (!sdtkit_pattern_matches(patterns->list, provider, probe))
		return false;
	patterns->selected = true;
	return true;
}

static void complain(const struct pattern_result *result)
{
	const struct sdtkit_pattern *pattern = &result->pattern;
	const char *sign = pattern->excludes ? "!" : "";
	char names[SIMILAR_TEXT];

	if (sdtkit_similar_text(&result->similar, names)[0] != '\0')
		tool_complain("no probe matches '%s%s'; similar ones: %s",
			      sign, pattern->glob, names);
	else
		tool_complain("no probe matches '%s%s', and none has a similar "
			      "name; 'sdtkit list' without a pattern shows all",
			      sign, pattern->glob);
}

bool patterns_complain(const struct patterns *patterns)
{
	bool good = true;
	size_t i;

	for (i = 0; i < patterns->count && patterns->used; i++) {
		if (patterns->result[i].has_matched)
			continue;
		complain(&patterns->result[i]);
		good = false;
	}
	if (good && patterns->used && !patterns->selected) {
		tool_complain("the patterns exclude all probes");
		good = false;
	}
	return good;
}
