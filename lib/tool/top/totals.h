/* SPDX-License-Identifier: BSD-2-Clause */
/* The reports of a run, added up. */
#ifndef SDTKIT_TOOL_TOP_TOTALS_H
#define SDTKIT_TOOL_TOP_TOTALS_H

#include "top/sample.h"

/* A sample of the time since the beginning. Begins with zeros. */
struct totals {
	struct sample sample;
	size_t row_capacity;
	bool is_by_key;			/* the order of the rows */
};

/* Adds a report. */
void totals_add(struct totals *totals, const struct sample *sample);

/*
 * The sum, in the order of samples: by span and time. Valid until the next
 * call.
 */
const struct sample *totals_sample(struct totals *totals);

void totals_free(struct totals *totals);

#endif /* SDTKIT_TOOL_TOP_TOTALS_H */
