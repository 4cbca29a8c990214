/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exemplars: single events that took long, each beside the bucket of a
 * histogram that has counted it.
 */
#ifndef METRICS_EXEMPLARS_H
#define METRICS_EXEMPLARS_H

#include "report/report.h"
#include "families.h"

enum {
	EXEMPLARS = 256,		/* that are remembered */
	EXEMPLAR_CHARACTERS = 128,	/* of labels, as OpenMetrics allows */
	EXEMPLAR_TEXT = 5 * EXEMPLAR_CHARACTERS,
};

struct exemplar {
	const struct metrics_family *family;
	size_t row;			/* of the family's table */
	unsigned int power;		/* of the slot */
	unsigned long long ns;
	unsigned long long end_ns;
	char labels[EXEMPLAR_TEXT];	/* "pid=\"7\",path=\"/a\"" */
};

/* Forgets all of them. */
void exemplars_clear(void);

/* Remembers an event, instead of the last one of that series and bucket. */
void exemplars_add(const struct report_tables *tables,
		   const struct metrics_family *family, const void *event);

/*
 * Writes what is remembered to list, in the order in which it is served;
 * returns how many. find() returns the row that counts events with the keys of
 * a row, or NULL.
 */
size_t exemplars_copy(const struct report *report,
		      const void *(*find)(struct report *report,
					  const struct metrics_family *family,
					  const void *keys),
		      struct exemplar list[EXEMPLARS]);

/*
 * Returns the last one of a row that is below a power of two, or NULL, and goes
 * on to those behind. Rows and powers have to come in order.
 */
const struct exemplar *exemplars_next(const struct exemplar **at,
				      const struct exemplar *end,
				      const struct metrics_family *family,
				      size_t row, unsigned int power);

#endif /* METRICS_EXEMPLARS_H */
