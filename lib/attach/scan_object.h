/* SPDX-License-Identifier: BSD-2-Clause */
/* Attaches a tap to the sites of one object of this process. */
#ifndef SDTKIT_TAP_SCAN_OBJECT_PRIV_H
#define SDTKIT_TAP_SCAN_OBJECT_PRIV_H

#include "describe.h"
#include "hint.h"
#include "image.h"
#include "site_set.h"
#include "state.h"

struct sdtkit_tap_scan {
	struct sdtkit_tap *tap;
	struct sdtkit_tap_hint hint;
	/* The last error, which sdtkit_tap_error() has the text of. */
	int ret;
	size_t added;
	/* Why the first was left out; "": none was. */
	char problem[1024];
	/* How many libraries the process has unloaded so far. */
	unsigned long long unloads;
	/* Hooks that were removed, to be freed when all handlers have left. */
	struct sdtkit_tap_hook *garbage;
};

/* The part of a scan that is about one object. */
struct sdtkit_tap_object_scan {
	struct sdtkit_tap_scan *scan;
	struct sdtkit_tap_image image;
	struct sdtkit_descriptions descriptions;
	/* The notes that were read already. */
	struct sdtkit_site_set sites_seen;
	struct sdtkit_tap_loaded *loaded;
	/* Hooks that have no trap yet. */
	struct sdtkit_tap_hook *pending;
	size_t pending_count;
};

/*
 * Attaches the tap to all sites that match in the object, whose file is open.
 * Errors: those of sdtkit_tap_open().  Hooks that were attached before the
 * error stay, and are in the list of object->loaded, which is NULL if there are
 * none.
 */
int sdtkit_tap_scan_object(struct sdtkit_tap_object_scan *object);

/* Counts what is left out, with the last failure as the reason. */
void sdtkit_tap_leave_out(struct sdtkit_tap_scan *scan);

/* Frees a hook that no handler can have seen, or sees any more. */
void sdtkit_tap_hook_free(struct sdtkit_tap_hook *hook);

/* Has the hook freed at the end of the scan. */
void sdtkit_tap_throw_away(struct sdtkit_tap_scan *scan,
			   struct sdtkit_tap_hook *hook);

#endif /* SDTKIT_TAP_SCAN_OBJECT_PRIV_H */
