/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A site's note and the description of its probe -> the entry that a tap keeps
 * for that probe in that object: names, types, and the count of hits.
 */
#ifndef SDTKIT_TAP_PROBE_ENTRY_PRIV_H
#define SDTKIT_TAP_PROBE_ENTRY_PRIV_H

#include "describe.h"
#include "note.h"
#include "state.h"

/*
 * Finds the entry of a note's probe in an object, or adds it. The description
 * may be NULL. Errors: -ENOMEM.
 */
int sdtkit_tap_probe_entry_get(struct sdtkit_tap *tap,
			       const struct sdtkit_tap_loaded *loaded,
			       const struct sdtkit_site_note *note,
			       const struct sdtkit_description *description,
			       const struct sdtkit_operand *operands,
			       size_t count,
			       struct sdtkit_tap_probe_entry **entry);

/* Frees all entries of the tap. */
void sdtkit_tap_probe_entries_free(struct sdtkit_tap *tap);

#endif /* SDTKIT_TAP_PROBE_ENTRY_PRIV_H */
