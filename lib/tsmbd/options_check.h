/* SPDX-License-Identifier: BSD-2-Clause */
/* Options that contradict each other. */
#ifndef TSMBD_OPTIONS_CHECK_H
#define TSMBD_OPTIONS_CHECK_H

#include "options.h"

/* Exits with a message if some of them make no sense together. */
void options_check(const struct options *options);

#endif /* TSMBD_OPTIONS_CHECK_H */
