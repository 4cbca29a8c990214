/* SPDX-License-Identifier: BSD-2-Clause */
/* Why no probe matched: what a scan has seen instead. */
#ifndef SDTKIT_TAP_HINT_PRIV_H
#define SDTKIT_TAP_HINT_PRIV_H

#include <stddef.h>

#include "similar.h"

struct sdtkit_tap_hint {
	/* The names most like the pattern. */
	struct sdtkit_similar similar;
	/* Files looked into, notes seen in them. */
	size_t objects;
	size_t notes;
	/* Those of them that the pattern would select, but for its "!". */
	size_t excluded;
	/* The first file that could not be looked into, and why; or "". */
	char unread[256];
};

void sdtkit_tap_hint_saw(struct sdtkit_tap_hint *hint, const char *pattern,
			 const char *provider, const char *probe);

/*
 * Leaves the whole text, and for the two functions below what is in it; returns
 * -ENOENT.
 */
int sdtkit_tap_hint_fail(const struct sdtkit_tap_hint *hint,
			 const char *pattern);

/*
 * About the last pattern of this thread that selected no probe: the names that
 * are most like it, "smb2:request_start, smb2:request_done" or "", and how many
 * sites it would select, but for its "!".
 */
const char *sdtkit_tap_hint_similar(void);
size_t sdtkit_tap_hint_excluded(void);

#endif /* SDTKIT_TAP_HINT_PRIV_H */
