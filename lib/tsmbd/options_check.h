/* SPDX-License-Identifier: BSD-2-Clause */
/* Options that contradict each other. */
#ifndef TSMBD_OPTIONS_CHECK_H
#define TSMBD_OPTIONS_CHECK_H

#include "options.h"

/* What getopt_long() returns for an option without a letter. */
enum {
	TOP = 256, BY, LINES, SHARE, CLIENT, USER, COMMAND, HEATMAP, FLAME,
	SLOW, ERRORS, EXIT, OPLOCKS, NODE, VERSION,
};

/* Exits with a message if some of them make no sense together. */
void options_check(const struct options *options);

#endif /* TSMBD_OPTIONS_CHECK_H */
