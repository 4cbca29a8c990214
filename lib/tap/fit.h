/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a value is what was expected. */
#ifndef SDTKIT_TAP_FIT_PRIV_H
#define SDTKIT_TAP_FIT_PRIV_H

#include "sdtkit/tap.h"

bool sdtkit_tap_fits(const struct sdtkit_tap_value *value,
		     const struct sdtkit_tap_want *want);

#endif /* SDTKIT_TAP_FIT_PRIV_H */
