/* SPDX-License-Identifier: BSD-2-Clause */
/* Values as text; see sdtkit_tap_format(). */
#ifndef SDTKIT_TAP_FORMAT_PRIV_H
#define SDTKIT_TAP_FORMAT_PRIV_H

#include "sdtkit/tap.h"

/* One value: 7, "a.txt", 0x7ffe0. */
size_t sdtkit_tap_format_value(const struct sdtkit_tap_value *value, char *to,
			       size_t size);

/* What is expected of one: 7, like "*.txt", any value. */
size_t sdtkit_tap_format_want(const struct sdtkit_tap_want *want, char *to,
			      size_t size);

#endif /* SDTKIT_TAP_FORMAT_PRIV_H */
