/* SPDX-License-Identifier: BSD-2-Clause */
/* One object of this process -> hooks of a tap. */
#ifndef SDTKIT_TAP_VISIT_PRIV_H
#define SDTKIT_TAP_VISIT_PRIV_H

#include "describe.h"
#include "hint.h"
#include "image.h"
#include "state.h"

struct sdtkit_tap_scan {
	struct sdtkit_tap *tap;
	struct sdtkit_tap_hint hint;
	/* The last error, that which the text is of. */
	int ret;
	size_t added;
	/* How many libraries the process has unloaded so far. */
	unsigned long long unloads;
	/* Hooks that were taken off, to be freed when no handler is left. */
	struct sdtkit_tap_hook *garbage;
};

/* One object's share of a scan. */
struct sdtkit_tap_visit {
	struct sdtkit_tap_scan *scan;
	struct sdtkit_tap_image image;
	struct sdtkit_descriptions descriptions;
	struct sdtkit_tap_loaded *loaded;
	/* Made, but not hooked up. */
	struct sdtkit_tap_hook *pending;
	size_t pending_count;
};

/*
 * Hooks the tap to all that matches in the object, whose file is open.  The
 * errors of sdtkit_tap_open(); what was hooked up before remains, and is in
 * the list of visit->loaded, which is NULL if there is nothing.
 */
int sdtkit_tap_visit(struct sdtkit_tap_visit *visit);

/* To be freed at the end of the scan. */
void sdtkit_tap_throw_away(struct sdtkit_tap_scan *scan,
			   struct sdtkit_tap_hook *hook);

#endif /* SDTKIT_TAP_VISIT_PRIV_H */
