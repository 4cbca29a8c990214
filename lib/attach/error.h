/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the functions of lib/attach and lib/tap fail: in one line, where it is
 * known why.
 */
#ifndef SDTKIT_TAP_ERROR_PRIV_H
#define SDTKIT_TAP_ERROR_PRIV_H

#include <stddef.h>

/* Keeps the text for sdtkit_tap_error() and returns -error. */
__attribute__((format(printf, 2, 3)))
int sdtkit_tap_fail(int error, const char *format, ...);

/* Says that there is no memory, and returns -ENOMEM. */
int sdtkit_tap_no_memory(void);

/* Puts "WHERE: " before the text that ret, which it returns, came with. */
int sdtkit_tap_fail_in(int ret, const char *where);

/* Appends to the text. */
__attribute__((format(printf, 1, 2)))
void sdtkit_tap_add(const char *format, ...);

#endif /* SDTKIT_TAP_ERROR_PRIV_H */
