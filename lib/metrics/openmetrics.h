/* SPDX-License-Identifier: BSD-2-Clause */
/* The sums as text, as docs/tsmbd-metrics.md describes it. */
#ifndef TSMBD_OPENMETRICS_H
#define TSMBD_OPENMETRICS_H

#include <stdio.h>

#include "totals.h"

enum metrics_format {
	METRICS_OPENMETRICS,		/* 1.0.0 */
	METRICS_PROMETHEUS,		/* text format 0.0.4 */
};

/* What tsmbd itself uses. */
struct own_totals {
	double start_time;		/* seconds since 1970 */
	double report_time;
	unsigned long long cpu_ns;
	unsigned long long memory;
};

/* Writes all metrics. */
void metrics_write(FILE *out, enum metrics_format format,
		   const struct totals_since *totals,
		   const struct own_totals *own);

/*
 * Takes the sums and writes them to a new buffer, which the caller frees; NULL
 * if there is no memory. Any thread may call it, one at a time.
 */
char *metrics_text(enum metrics_format format, size_t *size);

#endif /* TSMBD_OPENMETRICS_H */
