/* SPDX-License-Identifier: BSD-2-Clause */
/* Why no probe matched: what a scan has seen instead. */
#ifndef SDTKIT_TAP_HINT_PRIV_H
#define SDTKIT_TAP_HINT_PRIV_H

#include <stddef.h>

/* Of the text, where names begin; it is not there if there are none. */
#define SDTKIT_TAP_SIMILAR	"similar ones: "

struct sdtkit_tap_hint {
	/* The names most like the pattern, the best first. */
	struct {
		char name[128];
		unsigned int percent;
	} near[4];
	/* Files looked into, notes seen in them. */
	size_t objects;
	size_t notes;
	/* The first file that could not be looked into, and why; or "". */
	char unread[256];
};

void sdtkit_tap_hint_saw(struct sdtkit_tap_hint *hint, const char *pattern,
			 const char *provider, const char *probe);

/* Leaves the whole text, and returns -ENOENT. */
int sdtkit_tap_hint_fail(const struct sdtkit_tap_hint *hint,
			 const char *pattern);

#endif /* SDTKIT_TAP_HINT_PRIV_H */
