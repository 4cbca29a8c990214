/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See hint.h.
 *
 *	no probe matches "smb2:reqest_*"; similar ones: smb2:request_start,
 *	smb2:request_done
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../tool/similar.h"
#include "error.h"
#include "hint.h"

enum {
	NEAR = sizeof(((struct sdtkit_tap_hint *)0)->near) /
	       sizeof(((struct sdtkit_tap_hint *)0)->near[0]),
	/* In percent: a name of another provider is less like it. */
	ENOUGH = 50,
};

/* Of a pattern "smb2:reqest_*", as much of the name as is before the star. */
static unsigned int likeness_to(const char *pattern, const char *name)
{
	size_t fixed = strcspn(pattern, "*?[, ");
	char shown[128], wanted[128];

	snprintf(wanted, sizeof(wanted), "%.*s", (int)fixed, pattern);
	if (strchr(", ", pattern[fixed]) != NULL || fixed == 0)
		snprintf(shown, sizeof(shown), "%s", name);
	else
		snprintf(shown, sizeof(shown), "%.*s", (int)fixed + 1, name);
	return sdtkit_similar_names(wanted, shown);
}

/* To the one that it is most like; those that take out are no wishes. */
static unsigned int likeness(const char *patterns, const char *name)
{
	unsigned int most = 0;

	while (*patterns != '\0') {
		unsigned int percent = *patterns == '!' ? 0 :
				       likeness_to(patterns, name);

		most = percent > most ? percent : most;
		patterns += strcspn(patterns, ", ");
		patterns += strspn(patterns, ", ");
	}
	return most;
}

void sdtkit_tap_hint_saw(struct sdtkit_tap_hint *hint, const char *pattern,
			 const char *provider, const char *probe)
{
	unsigned int percent;
	char name[128];
	size_t i;

	hint->notes++;
	snprintf(name, sizeof(name), "%s:%s", provider, probe);
	percent = likeness(pattern, name);
	for (i = 0; i < NEAR; i++) {
		if (strcmp(hint->near[i].name, name) == 0)
			return;
	}
	for (i = 0; i < NEAR; i++) {
		if (percent < ENOUGH || percent <= hint->near[i].percent)
			continue;
		memmove(&hint->near[i + 1], &hint->near[i],
			(NEAR - 1 - i) * sizeof(hint->near[0]));
		memcpy(hint->near[i].name, name, sizeof(name));
		hint->near[i].percent = percent;
		return;
	}
}

int sdtkit_tap_hint_fail(const struct sdtkit_tap_hint *hint,
			 const char *pattern)
{
	size_t i;

	sdtkit_tap_fail(ENOENT, "no probe matches \"%s\"", pattern);
	for (i = 0; i < NEAR && hint->near[i].percent > 0; i++)
		sdtkit_tap_add("%s%s", i == 0 ? "; " SDTKIT_TAP_SIMILAR : ", ",
			       hint->near[i].name);
	if (hint->notes == 0)
		sdtkit_tap_add("; there is no probe at all in the program and "
			       "its %zu libraries: were they compiled with "
			       "SDTKIT_DISABLE, or their notes stripped? "
			       "`sdtkit list FILE` shows what a file has",
			       hint->objects > 0 ? hint->objects - 1 : 0);
	else if (i == 0)
		sdtkit_tap_add("; there are %zu sites of others: `sdtkit list "
			       "FILE` shows them. Is the library loaded?",
			       hint->notes);
	if (hint->unread[0] != '\0')
		sdtkit_tap_add("; not looked into: %s", hint->unread);
	return -ENOENT;
}
