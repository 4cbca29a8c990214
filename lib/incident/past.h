/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What happened last: reports of some seconds, numbers for the heat map of some
 * minutes, and rows of events. All of it has a limit.
 */
#ifndef INCIDENT_PAST_H
#define INCIDENT_PAST_H

#include "report/pack.h"
#include "report/program.h"
#include "measure.h"

enum {
	PAST_BEFORE = 30,		/* reports before an incident */
	PAST_ROWS = 64,			/* of a list of names in a sum, */
	PAST_TICK_ROWS = 24,		/* and in a second */
	PAST_MOMENTS = 720,		/* "for 10m", and 2 minutes */
	PAST_LINES = 2000,
	PAST_CONDITIONS = 16,
};

struct moment {
	unsigned long long begin_ns;
	unsigned long long end_ns;
	struct report_bytes heat;	/* the table of the heat map */
	unsigned char verdict[PAST_CONDITIONS];
	double values[PAST_CONDITIONS][CONDITION_TERMS];
};

/* Forgets everything, and begins with the reports of a program. */
void past_begin(const struct report_program *program);

/* Keeps a report; returns the copy, which has only the first names. */
const struct report *past_add(const struct report *report);

/* The moment of the last report, whose verdicts and values are to be set. */
struct moment *past_moment(void);

/* Returns the next moment that ends after a time, or NULL. */
const struct moment *past_after(unsigned long long ns);

/* Sets a report to the rows of the heat map at a moment. */
void past_heat(const struct moment *moment, struct report *report);

/* Adds the reports before the last one to a sum. */
void past_sum(struct report *sum);

/* Adds the copy of a report to a sum of at most PAST_ROWS names. */
void past_add_to(struct report *sum, const struct report *tick);

/* Keeps a row of an event. */
void past_row(const struct report_table *table, const void *row);

/*
 * Calls back for each row from a time on; returns whether these are all, or
 * false if too many came.
 */
bool past_lines(unsigned long long from,
		void (*call)(const struct report_table *table, const void *row,
			     void *context),
		void *context);

#endif /* INCIDENT_PAST_H */
