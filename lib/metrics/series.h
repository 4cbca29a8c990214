/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which names of a table have a row of their own in the sum: clients, users or
 * shares. The rest is in the row "other". See docs/tsmbd-metrics.md for the
 * rules.
 */
#ifndef METRICS_SERIES_H
#define METRICS_SERIES_H

#include "report/report.h"
#include "families.h"

enum {
	SERIES_SHOWN = 48,		/* at most */
	SERIES_KNOWN = 1024,		/* names that are remembered */
	SERIES_NAME = 256,
	SERIES_NEW = 64,		/* names that replace one, at a time */
};

struct series {
	char name[SERIES_NAME];		/* UTF-8 without controls */
	bool shown;
	bool was_shown;			/* so its rows must not be lost */
	unsigned long long pairs;	/* a bit for each that is shown */
	unsigned long long last;	/* the time of its last request */
	unsigned long long recent;	/* requests since the last change */
};

struct series_set {
	size_t table;			/* its first column is of requests */
	const struct metrics_table *pairs;	/* or NULL */
	struct report *sum;
	unsigned int max_shown;
	unsigned int num_shown;
	unsigned int num_pairs;		/* that are shown */
	unsigned int num_new;		/* at this time */
	size_t num_known;
	unsigned long long now;
	unsigned long long due;		/* of the next change */
	struct series known[SERIES_KNOWN];
	void *by_name;			/* a tree of them: tsearch(3) */
};

/* Begins with at most that many series. sum has no row but "other". */
struct series_set *series_new(struct report *sum, size_t table,
			      unsigned int max_shown);
void series_free(struct series_set *set);

/* From now on there may be so many: those with the fewest requests end. */
void series_limit(struct series_set *set, unsigned int max_shown);

/* From now on, requests are counted at this time; series may change. */
void series_set_time(struct series_set *set, unsigned long long now);

/* Adds a row of a name. */
void series_add(struct series_set *set, const void *row);

/* Adds a row of a name and a number, after series_add() of the name. */
void series_add_pair(struct series_set *set, const void *row);

/*
 * Whether a row of the sum is shown. The sum also has those that were, which go
 * on with what they had if they are shown again.
 */
bool series_shows(const struct series_set *set, size_t table, const void *row);

#endif /* METRICS_SERIES_H */
