/* SPDX-License-Identifier: BSD-2-Clause */
/* What rooms need of the program whose reports they take. */
#ifndef REPORT_PROGRAM_H
#define REPORT_PROGRAM_H

#include <stdio.h>

#include "json.h"

struct measures;
struct settings;
struct sink;
struct metrics_families;
struct flamegraph;
struct page_description;

/* Flame graphs of what the server runs; a program without has NULL. */
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

	/* How many samples of a report are missing, as too many came. */
	unsigned long long (*lost)(const struct report *report);
};

/* The heat map: a field for each row of a table. */
struct report_heat {
	size_t table;
	const char *column;		/* which has slots */
	const char *title;		/* "SMB2 requests" */
	const char *row;		/* "command": what has a field */
	const char *noun;		/* "request": what is counted */
};

/* A table that has a file of its own in what is saved of an incident. */
struct report_file {
	const char *name;		/* "waits.txt" */
	size_t table;
	bool needed;			/* also if the options do not show it */
	const char *none;		/* if it has no rows; may be NULL */
	void (*print)(FILE *out, const struct report *report);
};

struct report_program {
	const char *name;		/* "tsmbd" */
	const char *version;
	const struct report_tables *tables;
	const struct report_flames *flames;
	const struct page_description *page;	/* page/section.h */

	/* The options of its rooms: settings/table.h. */
	const struct settings *settings;
	size_t options_size;

	/* What takes its reports, and NULL: sinks/sink.h. */
	const struct sink *const *sinks;

	/* What becomes metrics: metrics/families.h. */
	const struct metrics_families *metrics;

	/* A bit for each optional table that the options ask for. */
	unsigned int (*shown)(const void *options);

	/*
	 * The table of slow spans, whose rows come one by one, as events. Each
	 * row of an event begins with its time, an unsigned long long.
	 */
	size_t slow;

	/* What conditions compare: incident/measures.h. */
	const struct measures *measures;
	const struct report_heat *heat;
	const struct report_file *files;	/* until one without a name */

	/*
	 * Returns a copy of the options with which all that is known is
	 * printed, as text or as JSON; the caller releases it.
	 */
	void *(*complete)(const void *options, bool json);

	/* Sorts a report as it is printed. */
	void (*sort)(const void *options, struct report *report);

	/* Counts slow spans that were left out; NULL: nobody does. */
	void (*add_lost)(struct report *report, unsigned long long spans);

	/* What these options ask for beside tables, as words; may be NULL. */
	const char *(*asked)(const void *options);

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

/* Prints a report as text, or as JSON on one line. */
static inline void report_write(const struct report_program *program,
				FILE *out, const void *options, bool json,
				const struct report *report, bool again)
{
	if (json)
		report_line(out, program->json(options, report));
	else
		program->print(out, options, report, again);
}

#endif /* REPORT_PROGRAM_H */
