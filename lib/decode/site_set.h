/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A set of sites: those that were read already. A linker that folds identical
 * code (--icf=all) makes one function of two that were equal, and leaves the
 * notes of both. If both are notes of one probe, they tell of one site.
 */
#ifndef SDTKIT_DECODE_SITE_SET_PRIV_H
#define SDTKIT_DECODE_SITE_SET_PRIV_H

#include <stdint.h>

struct sdtkit_site_note;

/* A set of notes, empty if it is all zero. */
struct sdtkit_site_set {
	void *root;
};

/*
 * Adds a note, whose strings must remain valid until the set is cleared.
 * Returns 1; 0 if there is a note of the same probe for the same site, with the
 * same semaphore; or -ENOMEM.
 */
int sdtkit_site_set_add(struct sdtkit_site_set *set,
			const struct sdtkit_site_note *note);

void sdtkit_site_set_clear(struct sdtkit_site_set *set);

#endif /* SDTKIT_DECODE_SITE_SET_PRIV_H */
