/* SPDX-License-Identifier: BSD-2-Clause */
/* What the terms of a condition are worth in a report. */
#ifndef INCIDENT_MEASURE_H
#define INCIDENT_MEASURE_H

#include "report/report.h"
#include "condition.h"

enum verdict {
	VERDICT_FAILS,
	VERDICT_HOLDS,
	/* there was nothing to compare, but requests are under way */
	VERDICT_OPEN,
};

/*
 * Whether all terms hold. Sets values[] for each, NAN where there is none
 * because there was no request.
 */
enum verdict measure_condition(const struct condition *condition,
			       const struct report *report,
			       double values[CONDITION_TERMS]);

#endif /* INCIDENT_MEASURE_H */
