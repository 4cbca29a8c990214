/* SPDX-License-Identifier: BSD-2-Clause */
/* The reports of a run, added up. */
#ifndef SDTKIT_TOOL_TOP_TOTALS_H
#define SDTKIT_TOOL_TOP_TOTALS_H

#include "top/sample.h"

/* A sample of the time since the beginning. Begins with zeros. */
struct totals {
	struct sample sample;
	size_t row_capacity;
};

/* Adds a report. */
void totals_add(struct totals *totals, const struct sample *sample);

void totals_free(struct totals *totals);

#endif /* SDTKIT_TOOL_TOP_TOTALS_H */
