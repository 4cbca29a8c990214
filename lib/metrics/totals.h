/* SPDX-License-Identifier: BSD-2-Clause */
/* What was counted since the start: the sums of all reports. */
#ifndef METRICS_TOTALS_H
#define METRICS_TOTALS_H

#include "report/report.h"
#include "exemplars.h"
#include "families.h"

struct metrics_totals {
	const struct metrics_families *of;
	unsigned long long reports;
	struct report *sum;	/* all rows of it have series */
	bool has_names;
	/* Of a copy: in the order of families, rows and buckets. */
	struct exemplar *exemplars;
	size_t num_exemplars;
};

/*
 * Begins, or goes on with another number of series. With names instead of
 * without, or the other way round, all begins at 0 again, as after a start;
 * returns whether it does. Without names there is not even "other".
 */
bool totals_begin(const struct report_tables *tables,
		  const struct metrics_families *of, bool has_names,
		  unsigned int max_series);

/* Adds a report. */
void totals_add(const struct report *report);

/* Takes an event of which there may be exemplars. */
void totals_event(const struct report_table *table, const void *row);

/* Copies the sums; any thread may call it. */
void totals_copy(struct metrics_totals *copy);

#endif /* METRICS_TOTALS_H */
