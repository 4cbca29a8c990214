/* SPDX-License-Identifier: BSD-2-Clause */
/* A report: everything that is known, and the ways to print it. */
#ifndef TSMBD_REPORT_H
#define TSMBD_REPORT_H

#include "counters.h"
#include "options.h"
#include "tally.h"

struct report {
	unsigned long long elapsed_ns;	/* of the clock */
	struct tally tally;
	struct counters counters;
	struct client *top;		/* the first in order */
	int num_top;
};

void report_print(const struct options *options, const struct report *report);
void report_json(const struct options *options, const struct report *report);

/* Fills in the top lines: reads and empties the map, if there is one. */
void report_top(const struct options *options, struct tsmbd *skel,
		struct report *report);

#endif /* TSMBD_REPORT_H */
