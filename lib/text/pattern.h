/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns of probes.  All commands and libsdtkit-tap read them with these
 * functions; for users, sdtkit(1) describes them under PATTERNS.
 *
 *	patterns = [pattern] { ("," | " ") [pattern] }
 *	pattern  = ["!"] glob
 *
 *	smb2:request_*,vfs:*,!vfs:fsync_*
 *
 * A glob is matched against "PROVIDER:PROBE", as fnmatch(3) does it without
 * flags.  The last pattern that matches a probe decides: the probe is selected,
 * or with "!" it is excluded.  Patterns that only exclude select all other
 * probes, and so does an empty list.  Names of probes have no comma and no
 * blank, so neither has a pattern.
 */
#ifndef SDTKIT_TEXT_PATTERN_H
#define SDTKIT_TEXT_PATTERN_H

#include <stdbool.h>

struct sdtkit_pattern {
	/*
	 * Without the "!", behind which there may be nothing.  Longer than any
	 * name; a longer glob is cut.
	 */
	char glob[512];
	bool excludes;
};

/*
 * Reads the next pattern of the list and moves *patterns behind it.  Returns
 * false at the end.
 */
bool sdtkit_pattern_next(const char **patterns,
			 struct sdtkit_pattern *pattern);

/* Whether the glob matches, whatever that means for the probe. */
bool sdtkit_pattern_fits(const struct sdtkit_pattern *pattern,
			 const char *provider, const char *probe);

enum sdtkit_pattern_verdict {
	/* No pattern selects the probe. */
	SDTKIT_PATTERN_NONE,
	SDTKIT_PATTERN_SELECTED,
	/* It would be selected but for a pattern with "!". */
	SDTKIT_PATTERN_EXCLUDED,
};

/* What a list says of a probe; NULL is an empty list. */
enum sdtkit_pattern_verdict sdtkit_pattern_judge(const char *patterns,
						 const char *provider,
						 const char *probe);

/* Whether the list selects the probe. */
bool sdtkit_pattern_matches(const char *patterns, const char *provider,
			    const char *probe);

#endif /* SDTKIT_TEXT_PATTERN_H */
