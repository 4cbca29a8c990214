/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the table of the options. */
#include "options.h"

const struct setting metrics_settings[] = {
	{ SETTING(TEXT, struct metrics_options, textfile, "textfile", "FILE",
		  "write metrics to FILE every ten seconds, for "
		  "node_exporter") },
	{ SETTING(NUMBER, struct metrics_options, top_series,
		  "top-series", "NUMBER",
		  "how many names, as those of clients, have metrics "
		  "of their own"),
	  .normal = 20, .least = 1, .most = 48 },
	{ SETTING(CHOICE, struct metrics_options, privacy,
		  "privacy", "hash|omit",
		  "replace names, as those of clients and files, by "
		  "hashes, or leave them out") },
	{ .name = NULL },
};
