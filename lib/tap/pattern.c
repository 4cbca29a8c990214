/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns of probes: "smb2:request_*,vfs:*,!vfs:fsync_*".  Names have no
 * comma and no blank, so neither has a pattern.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

enum {
	/* Longer than any name; what is longer is cut and matches nothing. */
	NAME_MAX_LENGTH = 512,
};

bool sdtkit_tap_matches(const char *patterns, const char *provider,
			const char *probe)
{
	char name[NAME_MAX_LENGTH], pattern[NAME_MAX_LENGTH];
	bool matches = false;

	if (patterns == NULL || *patterns == '\0')
		return true;
	snprintf(name, sizeof(name), "%s:%s", provider, probe);
	while (*patterns != '\0') {
		bool out = *patterns == '!';
		const char *at = patterns + out;
		size_t length = strcspn(at, ", ");

		snprintf(pattern, sizeof(pattern), "%.*s", (int)length, at);
		if (length > 0 && fnmatch(pattern, name, 0) == 0)
			matches = !out;
		patterns = at + length;
		patterns += strspn(patterns, ", ");
	}
	return matches;
}
