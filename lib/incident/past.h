/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What happened last: reports of some seconds, numbers for the heat map of some
 * minutes, and lines. All of it has a fixed size.
 */
#ifndef TSMBD_INCIDENT_PAST_H
#define TSMBD_INCIDENT_PAST_H

#include "measure.h"
#include "tsmbd/report.h"

enum {
	PAST_BEFORE = 30,		/* reports before an incident */
	PAST_ROWS = 64,			/* of names of a kind in a sum, */
	PAST_TICK_ROWS = 24,		/* and in a second */
	PAST_MOMENTS = 720,		/* "for 10m", and 2 minutes */
	PAST_LINES = 2000,
	PAST_CONDITIONS = 16,
};

struct moment {
	unsigned long long begin_ns;
	unsigned long long end_ns;
	unsigned int slots[TSMBD_OPS][SLOTS_POWERS];
	unsigned char verdict[PAST_CONDITIONS];
	double values[PAST_CONDITIONS][CONDITION_TERMS];
};

/* Keeps a report; returns the copy, which has only the first names. */
const struct smbd_report *past_add(const struct smbd_report *report);

/* The moment of the last report, whose verdicts and values are to be set. */
struct moment *past_moment(void);

/* Returns the next moment that ends after a time, or NULL. */
const struct moment *past_after(unsigned long long ns);

/* Adds the reports before the last one to a sum. */
void past_sum(struct smbd_report *sum);

/* Adds the copy of a report to a sum of at most PAST_ROWS names. */
void past_add_to(struct smbd_report *sum, const struct smbd_report *tick);

/* Keeps an event that has a line. */
void past_event(const struct tsmbd_event *event);

/*
 * Calls back for each line from a time on; returns whether these are all, or
 * false if too many came.
 */
bool past_lines(unsigned long long from,
		void (*call)(const struct tsmbd_event *event, void *context),
		void *context);

#endif /* TSMBD_INCIDENT_PAST_H */
