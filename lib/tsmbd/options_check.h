/* SPDX-License-Identifier: BSD-2-Clause */
/* Options that contradict each other. */
#ifndef TSMBD_OPTIONS_CHECK_H
#define TSMBD_OPTIONS_CHECK_H

#include "options.h"

/* Exits with a message if some of them make no sense together. */
void options_check(const struct options *options);

/* Exits with a message if two outputs are one file; history may be NULL. */
void options_check_files(const struct options *options, const char *history);

#endif /* TSMBD_OPTIONS_CHECK_H */
