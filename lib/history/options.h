/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the history. */
#ifndef HISTORY_OPTIONS_H
#define HISTORY_OPTIONS_H

#include "settings/table.h"

struct history_options {
	const char *history;
	unsigned int history_size;	/* MiB */
};

extern const struct setting history_settings[];

#endif /* HISTORY_OPTIONS_H */
