/* SPDX-License-Identifier: BSD-2-Clause */
/* A report: everything that is known, and the ways to print it. */
#ifndef TSMBD_REPORT_H
#define TSMBD_REPORT_H

#include "counters.h"
#include "options.h"
#include "tally.h"

struct report {
	unsigned long long end_ns;	/* of the kernel's clock */
	unsigned long long elapsed_ns;
	struct tally tally;
	struct counters counters;
	struct client *top;		/* the first in order */
	int num_top;
};

/* again: it is not the first one, and set apart from the one before. */
void report_print(const struct options *options, const struct report *report,
		  bool again);

/* Puts those that were most in front. */
void report_sort_errors(struct report *report);

void report_json(const struct options *options, const struct report *report);

/* Fills in the top lines: reads and empties the map, if there is one. */
void report_top(const struct options *options, struct tsmbd *skel,
		struct report *report);

#endif /* TSMBD_REPORT_H */
