/* SPDX-License-Identifier: BSD-2-Clause */
/* What was counted since the start: the sums of all reports. */
#ifndef TSMBD_TOTALS_H
#define TSMBD_TOTALS_H

#include "tsmbd/report.h"
#include "series.h"

enum {
	TOTALS_ERRORS = 150,		/* pairs of command and status */
	TOTALS_SETS = 3,		/* clients, users and shares */
};

struct op_totals {
	unsigned long long count;
	unsigned long long total_ns;
	unsigned long long run_ns;
	unsigned long long ctdb_ns;
	unsigned long long oplock_ns;
	unsigned long long waited_ns;
	unsigned long long limit_ns;	/* a part of waited_ns */
	unsigned long long limited;
	unsigned long long kept;
	unsigned long long refused;
	unsigned long long bytes_in;
	unsigned long long bytes_out;
	unsigned long long errors;
	unsigned long long listed;	/* errors that have their own pair */
	unsigned long long slots[SLOTS_POWERS];	/* powers of 2 of us */
};

/* A series with a name, without what nobody else needs. */
struct named_totals {
	char name[SERIES_NAME];
	struct series_value value;
	struct series_pair pairs[TSMBD_OPS];
};

struct set_totals {
	int count;
	struct named_totals named[SERIES_SHOWN];
	struct series_value other;
	struct series_pair other_pairs[TSMBD_OPS];
};

struct totals_since {
	unsigned long long reports;
	unsigned long long end_ns;	/* of the last one */
	struct op_totals ops[TSMBD_OPS];
	struct error_count errors[TOTALS_ERRORS];
	int num_errors;
	struct tsmbd_io disk[2];
	unsigned long long phase_ns[TSMBD_PHASES];
	unsigned long long events;
	unsigned long long ctdb_requests;
	unsigned long long lost[TSMBD_LOST_KINDS];
	/* at the end of the last one */
	unsigned long long connected;
	unsigned long long sessions;
	unsigned long long opens;
	unsigned long long under_way;
	unsigned long long notifies;
	bool has_names;
	struct set_totals sets[TOTALS_SETS];	/* by enum tsmbd_kind */
};

/*
 * Begins, or goes on with another number of series. With names instead of
 * without, or the other way round, all begins at 0 again, as after a start;
 * returns whether it does. Without names there is not even "other".
 */
bool totals_begin(bool has_names, int max_series);

/* Adds a report. */
void totals_add(const struct smbd_report *report);

/* Copies the sums; any thread may call it. */
void totals_copy(struct totals_since *totals);

#endif /* TSMBD_TOTALS_H */
