/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names that have series of their own, of one kind: shares, clients or
 * users. The rest is "other". See docs/tsmbd-metrics.md for the rules.
 */
#ifndef TSMBD_SERIES_H
#define TSMBD_SERIES_H

#include <stdbool.h>

#include "tsmbd/tsmbd.h"

enum {
	SERIES_SHOWN = 48,		/* at most */
	SERIES_KNOWN = 1024,		/* names whose values are kept */
	SERIES_PAIRS = 200,		/* of a share and a command */
	SERIES_NAME = 256,
	SERIES_CHAINS = 1024,
	SERIES_NEW = 64,		/* names that replace one, at a time */
};

struct series_value {
	unsigned long long requests;
	unsigned long long errors;
	unsigned long long bytes;
	unsigned long long ns;
};

struct series_pair {
	unsigned long long requests;
	unsigned long long ns;
	bool shown;
};

struct series {
	char name[SERIES_NAME];		/* UTF-8 without controls */
	struct series_value value;
	struct series_pair pairs[TSMBD_OPS];	/* of a share */
	bool shown;
	bool was_shown;			/* so its value must not be lost */
	unsigned long long last;	/* the time of its last request */
	unsigned long long recent;	/* requests since the last change */
	int next;			/* in the same chain, + 1 */
};

struct series_set {
	int max_shown;
	int num_shown;
	int num_known;
	int num_pairs;			/* that are shown */
	int num_new;			/* at this time */
	unsigned long long now;
	unsigned long long due;		/* of the next change */
	struct series_value other;
	struct series_pair other_pairs[TSMBD_OPS];
	int chains[SERIES_CHAINS];	/* index + 1 of the first one */
	struct series known[SERIES_KNOWN];
};

/* Begins a set with at most that many series. */
void series_begin(struct series_set *set, int max_shown);

/* From now on there may be so many: those with the fewest requests end. */
void series_limit(struct series_set *set, int max_shown);

/* From now on, requests are counted at this time; series may change. */
void series_set_time(struct series_set *set, unsigned long long now);

/* Counts requests of a name. */
void series_add(struct series_set *set, const char *name,
		const struct series_value *value);

/* Counts requests of a share and a command, after series_add() of the share. */
void series_add_pair(struct series_set *set, const char *name,
		     unsigned int opcode, unsigned long long requests,
		     unsigned long long ns);

#endif /* TSMBD_SERIES_H */
