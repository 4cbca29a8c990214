/* SPDX-License-Identifier: BSD-2-Clause */
/* The sums as text, as docs/tsmbd-metrics.md describes it. */
#ifndef METRICS_OPENMETRICS_H
#define METRICS_OPENMETRICS_H

#include <stdio.h>

#include "totals.h"

enum metrics_format {
	METRICS_OPENMETRICS,		/* 1.0.0 */
	METRICS_PROMETHEUS,		/* text format 0.0.4 */
};

/* The program itself, and what it uses. */
struct own_totals {
	const char *program;
	const char *version;
	double start_time;		/* seconds since 1970 */
	double report_time;
	unsigned long long cpu_ns;
	unsigned long long memory;
};

/* Writes all metrics. */
void metrics_write(FILE *out, enum metrics_format format,
		   const struct metrics_totals *totals,
		   const struct own_totals *own);

#endif /* METRICS_OPENMETRICS_H */
