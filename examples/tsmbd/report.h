/* SPDX-License-Identifier: BSD-2-Clause */
/* A report: everything that is known, and the ways to print it. */
#ifndef TSMBD_REPORT_H
#define TSMBD_REPORT_H

#include "counters.h"
#include "options.h"
#include "tally.h"
#include "top.h"
#include "waits.h"

struct report {
	unsigned long long end_ns;	/* of the kernel's clock */
	unsigned long long elapsed_ns;
	struct tally tally;
	struct counters counters;
	struct top tops[TSMBD_KINDS];
	struct waited *waits;
	int num_waits;
};

/* Requests, or what they add up to. */
struct totals {
	unsigned long long requests;
	unsigned long long bytes_in;
	unsigned long long bytes_out;
};

/* Of all commands: what their rows have, together. */
struct totals report_totals(const struct report *report);

/* again: it is not the first one, and set apart from the one before. */
void report_print(const struct options *options, const struct report *report,
		  bool again);

/* The tables of commands. */
void report_requests(const struct counters *counters);

/* The tables of --top and --oplocks. */
void report_names(const struct options *options, const struct report *report);

/* Puts those that were most in front. */
void report_sort_errors(struct report *report);

void report_json(const struct options *options, const struct report *report);

#endif /* TSMBD_REPORT_H */
