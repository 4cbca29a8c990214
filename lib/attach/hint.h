/* SPDX-License-Identifier: BSD-2-Clause */
/* Why no probe matched: what a scan has seen instead. */
#ifndef SDTKIT_TAP_HINT_PRIV_H
#define SDTKIT_TAP_HINT_PRIV_H

#include <stddef.h>

#include "similar.h"

struct sdtkit_tap_hint {
	/* The names most like the pattern. */
	struct sdtkit_similar similar;
	/* How many files were looked into, and how many notes are in them. */
	size_t objects;
	size_t notes;
	/* How many of the notes match the pattern, but for its "!". */
	size_t excluded;
	/* The first file that could not be looked into, and why; or "". */
	char unread[256];
};

void sdtkit_tap_hint_saw(struct sdtkit_tap_hint *hint, const char *pattern,
			 const char *provider, const char *probe);

/* Leaves the whole text, and returns -ENOENT. */
int sdtkit_tap_hint_fail(const struct sdtkit_tap_hint *hint,
			 const char *pattern);

#endif /* SDTKIT_TAP_HINT_PRIV_H */
