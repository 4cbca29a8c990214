/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which names of a table have a row of their own in the sum: clients, users or
 * shares. The rest is in the row "other". See docs/tsmbd-metrics.md for the
 * rules.
 *
 * If a table has several keys, the last one is the name, and those before it
 * are the group: each group has an "other" of its own. Rows with the same first
 * key are a part, which has a limit of its own. A table with one key is one
 * group in one part.
 */
#ifndef METRICS_SERIES_H
#define METRICS_SERIES_H

#include "known.h"

/* Begins with at most that many series. sum has no row but "other". */
struct series_set *series_new(struct report *sum,
			      const struct metrics_table *of,
			      unsigned int max_shown);
void series_free(struct series_set *set);

/* From now on there may be so many: those with the fewest requests end. */
void series_limit(struct series_set *set, unsigned int max_shown);

/* From now on, requests are counted at this time; series may change. */
void series_set_time(struct series_set *set, unsigned long long now);

/* Adds a row of a name. */
void series_add(struct series_set *set, const void *row);

/* Adds a row of a name and more keys, after series_add() of the name. */
void series_add_pair(struct series_set *set, const void *row);

/*
 * Whether a row of the sum is shown. The sum also has those that were, which go
 * on with what they had if they are shown again.
 */
bool series_shows(struct series_set *set, size_t table, const void *row);

/* Returns the row of the sum where a row is counted; NULL: not by its group. */
const void *series_row(struct series_set *set, const void *row);

#endif /* METRICS_SERIES_H */
