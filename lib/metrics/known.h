/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names that a set of series remembers, and the parts that they are of: see
 * series.h. The functions are for series.c.
 */
#ifndef METRICS_KNOWN_H
#define METRICS_KNOWN_H

#include "report/report.h"
#include "families.h"

enum {
	SERIES_SHOWN = 48,		/* at most, if the table does not say */
	SERIES_KNOWN = 1024,		/* names that are remembered, or half */
					/* as many again as may be shown */
	SERIES_NAME = 256,
	SERIES_NEW = 64,		/* names that replace one, at a time */
	SERIES_PARTS = 256,
	SERIES_OTHERS = 500,		/* groups with "other" */
};

struct series_part {
	char *name;			/* NULL: unused */
	unsigned int num_shown;
	unsigned int num_others;
	unsigned long long last;	/* the time of its last request */
	unsigned long long full;	/* when there was no room */
};

struct series {
	char *keys;			/* UTF-8; '\n' ends each of them */
	struct series_part *part;
	bool shown;
	bool was_shown;			/* so its rows must not be lost */
	unsigned long long pairs;	/* a bit for each that is shown */
	unsigned long long last;	/* the time of its last request */
	unsigned long long recent;	/* requests since the last change */
};

struct series_set {
	const struct metrics_table *of;	/* its first column is of requests */
	const struct metrics_table *pairs;	/* or NULL */
	struct report *sum;
	size_t num_keys;
	unsigned int max_shown;
	unsigned int num_shown;
	unsigned int num_pairs;		/* that are shown */
	unsigned int num_others;
	unsigned int num_new;		/* at this time */
	size_t max_known;
	size_t num_known;
	unsigned long long now;
	unsigned long long due;		/* of the next change */
	struct series *known;
	void *by_keys;			/* a tree of them: tsearch(3) */
	struct series_part parts[SERIES_PARTS];
	/* The keys that are looked for, as in known, and as a row. */
	char keys[METRICS_LABELS * SERIES_NAME];
	void *like;
};

static const unsigned long long SERIES_IDLE_NS = 3600000000000ULL;

/* Sets a key of a row to a text without what others must not see. */
void series_set_key(const struct report_key *key, void *row, const char *text);

/* Takes the keys of a row; returns the series that has them, or NULL. */
struct series *series_look_up(struct series_set *set, size_t table,
			      const void *row);

/*
 * Returns a new series with these keys, or NULL if so many are known and none
 * of them can be forgotten.
 */
struct series *series_learn(struct series_set *set);

/* Returns the part of the keys, which may be new; or NULL, likewise. */
struct series_part *series_part_of(struct series_set *set);

/* Forgets the part that is idle for longest, if that is an hour, or NULL. */
struct series_part *series_forget_part(struct series_set *set);

void series_show(struct series_set *set, struct series *series);
void series_hide(struct series_set *set, struct series *series);

#endif /* METRICS_KNOWN_H */
