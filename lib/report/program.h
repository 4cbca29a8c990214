/* SPDX-License-Identifier: BSD-2-Clause */
/* What rooms need of the program whose reports they take. */
#ifndef REPORT_PROGRAM_H
#define REPORT_PROGRAM_H

#include <stdio.h>

#include "json.h"

struct settings;
struct sink;
struct flamegraph;

/* Flame graphs of what the server runs. */
struct report_flames {
	/* Whether there is one of the whole run, and that one. */
	bool (*wanted)(const void *options);
	const struct flamegraph *(*whole)(void);

	/*
	 * Begins another one, of the samples from now on; returns NULL if there
	 * are too many.
	 */
	struct flamegraph *(*begin)(void);
	void (*end)(struct flamegraph *graph);
};

struct report_program {
	const char *name;		/* "tsmbd" */
	const char *version;
	const struct report_tables *tables;
	const struct report_flames *flames;

	/* The options of its rooms: settings/table.h. */
	const struct settings *settings;
	size_t options_size;

	/* What takes its reports, and NULL: sinks/sink.h. */
	const struct sink *const *sinks;

	/* A bit for each optional table that the options ask for. */
	unsigned int (*shown)(const void *options);

	/*
	 * The table of slow spans, whose rows come one by one, as events. Each
	 * row of an event begins with its time, an unsigned long long.
	 */
	size_t slow;

	/* Prints a report as text; again: it is not the first one. */
	void (*print)(FILE *out, const void *options,
		      const struct report *report, bool again);

	/* Returns a report as --json has it; the caller releases it. */
	json_t *(*json)(const void *options, const struct report *report);

	/*
	 * Prints a row of an event on a line, as text or as JSON. NULL prints
	 * the titles of the columns, which JSON has not.
	 */
	void (*line)(FILE *out, const void *options,
		     const struct report_table *table, const void *row);
};

#endif /* REPORT_PROGRAM_H */
