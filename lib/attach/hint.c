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

#include "error.h"
#include "hint.h"
#include "pattern.h"

void sdtkit_tap_hint_saw(struct sdtkit_tap_hint *hint, const char *pattern,
			 const char *provider, const char *probe)
{
	hint->notes++;
	hint->excluded += sdtkit_pattern_judge(pattern, provider, probe) ==
			  SDTKIT_PATTERN_EXCLUDED;
	sdtkit_similar_saw(&hint->similar, pattern, provider, probe);
}

int sdtkit_tap_hint_fail(const struct sdtkit_tap_hint *hint,
			 const char *pattern)
{
	char similar[SIMILAR_TEXT];

	sdtkit_similar_text(&hint->similar, similar);
	sdtkit_tap_fail(ENOENT, "no probe matches \"%s\"", pattern);
	if (similar[0] != '\0')
		sdtkit_tap_add("; similar ones: %s", similar);
	if (hint->notes == 0)
		sdtkit_tap_add("; there is no probe at all in the program and "
			       "its %zu librar%s: were they compiled with "
			       "SDTKIT_DISABLE, or their notes stripped? "
			       "`sdtkit list FILE` shows what a file has",
			       hint->objects > 0 ? hint->objects - 1 : 0,
			       hint->objects == 2 ? "y" : "ies");
	else if (similar[0] == '\0')
		sdtkit_tap_add("; there %s %zu site%s of other probes, which "
			       "`sdtkit list FILE` shows: is the library "
			       "loaded that has the probe?",
			       hint->notes == 1 ? "is" : "are", hint->notes,
			       hint->notes == 1 ? "" : "s");
	if (hint->excluded > 0)
		sdtkit_tap_add("; its \"!\" excludes %zu site%s",
			       hint->excluded, hint->excluded == 1 ? "" : "s");
	if (hint->unread[0] != '\0')
		sdtkit_tap_add("; a file could not be read: %s", hint->unread);
	return -ENOENT;
}
