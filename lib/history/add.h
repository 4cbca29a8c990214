/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adds reports up: seconds to a minute, or servers to a cluster.
 *
 *	struct smbd_report *sum = calloc(1, sizeof(*sum));
 *
 *	smbd_report_add(sum, tick);		for each tick
 *	smbd_report_sort(sum, options->top_order);
 *	smbd_report_print(options, sum, false);
 *	smbd_report_clear(sum);
 *
 * A sum has a limit: names and waits that do not fit become one row, whose
 * name is ADD_OTHER. Errors that do not fit are counted as lost.
 */
#ifndef TSMBD_ADD_H
#define TSMBD_ADD_H

#include "tsmbd/report.h"

enum {
	ADD_ROWS = 1024,		/* names of one kind */
	ADD_WAITS = 512,
};

#define ADD_OTHER	"(other)"

/*
 * Adds a report of another time of the same server to a sum, which began as
 * zeros. What exists at the end of a report is that of the later one.
 */
void smbd_report_add(struct smbd_report *into, const struct smbd_report *from);

/*
 * Adds a report of another server: what exists at the end is added up. The sum
 * covers the time from the first begin to the last end.
 */
void smbd_report_join(struct smbd_report *into, const struct smbd_report *from);

/* Adds one row to a sum. */
void top_append(struct top *into, const struct top_row *row);
void smbd_report_add_wait(struct smbd_report *into, const struct waited *wait);

/* Sorts errors, names and waits for printing; order is enum tsmbd_order. */
void smbd_report_sort(struct smbd_report *r, unsigned int order);

/* Releases the rows of a sum and sets it to zeros. */
void smbd_report_clear(struct smbd_report *r);

/*
 * Keeps up to count rows: the first ones by each order in turn. The others
 * become one row.
 */
void top_shrink(struct top *top, int count);

#endif /* TSMBD_ADD_H */
