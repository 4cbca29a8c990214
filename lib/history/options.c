/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the table of the options. */
#include "options.h"

const struct setting history_settings[] = {
	{ SETTING(TEXT, struct history_options, history, "history", "FILE",
		  "record what happens in FILE, a database") },
	{ SETTING(NUMBER, struct history_options, history_size,
		  "history-size", "MIB",
		  "it takes at most MIB mebibytes"),
	  .normal = 64, .least = 1, .most = 1048576 },
	{ .name = NULL },
};
