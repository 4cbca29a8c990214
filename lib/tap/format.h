/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes values as text; see sdtkit_tap_format(). */
#ifndef SDTKIT_TAP_FORMAT_PRIV_H
#define SDTKIT_TAP_FORMAT_PRIV_H

#include "sdtkit/tap.h"

/* Writes one value: 7, "a.txt", 0x7ffe0. */
size_t sdtkit_tap_format_value(const struct sdtkit_tap_value *value, char *to,
			       size_t size);

/* Writes what a test expects a value to be: 7, like "*.txt", any value. */
size_t sdtkit_tap_format_want(const struct sdtkit_tap_want *want, char *to,
			      size_t size);

#endif /* SDTKIT_TAP_FORMAT_PRIV_H */
