/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of an incident.
 *
 *	before		during			after
 *	30 s		since it holds		since it held last
 */
#ifndef INCIDENT_RECORD_H
#define INCIDENT_RECORD_H

#include "past.h"

/* It is saved after this time even if it is not over. */
#define RECORD_LONGEST	60000000000ULL

enum { RECORD_BEFORE, RECORD_DURING, RECORD_AFTER, RECORD_PARTS };

struct flamegraph;

struct record {
	const struct report_program *program;
	const struct condition *condition;
	int number;			/* of the condition */
	unsigned long long since;	/* the begin of the incident */
	unsigned long long fired;	/* when it was known */
	unsigned long long last;	/* when it held last */
	unsigned int left_out;		/* before it, as too soon */
	bool over;
	double worst[CONDITION_TERMS];	/* of the values while it held */
	struct flamegraph *flame;	/* since it was known, or NULL */
	struct report parts[RECORD_PARTS];
};

/* Begins with what was before the last report of past_add(). */
struct record *record_begin(const struct report_program *program,
			    const struct condition *condition, int number,
			    unsigned long long since);

/* Adds a report, of which the condition holds or not. */
void record_add(struct record *record, const struct report *tick, bool holds);

/* The first time that it has something of. */
unsigned long long record_from(const struct record *record);

void record_free(struct record *record);

#endif /* INCIDENT_RECORD_H */
