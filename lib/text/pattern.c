/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns of probes, see pattern.h. */
#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "pattern.h"

static const char separators[] = ", ";

bool sdtkit_pattern_next(const char **patterns,
			 struct sdtkit_pattern *pattern)
{
	const char *at = *patterns;
	size_t length;

	at += strspn(at, separators);
	pattern->excludes = *at == '!';
	at += pattern->excludes;
	length = strcspn(at, separators);
	snprintf(pattern->glob, sizeof(pattern->glob), "%.*s", (int)length,
		 at);
	*patterns = at + length;
	return pattern->excludes || length > 0;
}

bool sdtkit_pattern_fits(const struct sdtkit_pattern *pattern,
			 const char *provider, const char *probe)
{
	char name[sizeof(pattern->glob)];

	snprintf(name, sizeof(name), "%s:%s", provider, probe);
	return fnmatch(pattern->glob, name, 0) == 0;
}

enum sdtkit_pattern_verdict sdtkit_pattern_judge(const char *patterns,
						 const char *provider,
						 const char *probe)
{
	enum sdtkit_pattern_verdict verdict = SDTKIT_PATTERN_NONE;
	bool only_excludes = true, was_excluded = false;
	struct sdtkit_pattern pattern;

	while (patterns != NULL && sdtkit_pattern_next(&patterns, &pattern)) {
		only_excludes &= pattern.excludes;
		if (!sdtkit_pattern_fits(&pattern, provider, probe))
			continue;
		was_excluded = pattern.excludes;
		if (!pattern.excludes)
			verdict = SDTKIT_PATTERN_SELECTED;
		else if (verdict == SDTKIT_PATTERN_SELECTED)
			verdict = SDTKIT_PATTERN_EXCLUDED;
	}
	if (only_excludes)
		return was_excluded ? SDTKIT_PATTERN_EXCLUDED :
				      SDTKIT_PATTERN_SELECTED;
	return verdict;
}

bool sdtkit_pattern_matches(const char *patterns, const char *provider,
			    const char *probe)
{
	return sdtkit_pattern_judge(patterns, provider, probe) ==
	       SDTKIT_PATTERN_SELECTED;
}
