/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of this process -> hooks of a tap. */
#ifndef SDTKIT_TAP_SCAN_PRIV_H
#define SDTKIT_TAP_SCAN_PRIV_H

#include "state.h"

/*
 * Attaches to all sites that match and are not attached to yet.  Returns how
 * many sites these were, or an error; objects without an error are attached to
 * all the same, others not at all.  Only the first scan returns -ENOENT.
 */
int sdtkit_tap_attach(struct sdtkit_tap *tap, bool first);

/*
 * Detaches from all sites.  False: a hit has not returned, and maybe never
 * does; it may still use the tap.
 */
bool sdtkit_tap_detach(struct sdtkit_tap *tap);

#endif /* SDTKIT_TAP_SCAN_PRIV_H */
