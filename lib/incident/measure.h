/* SPDX-License-Identifier: BSD-2-Clause */
/* What the terms of a condition are worth in a report. */
#ifndef TSMBD_INCIDENT_MEASURE_H
#define TSMBD_INCIDENT_MEASURE_H

#include "condition.h"

struct smbd_report;

enum verdict {
	VERDICT_FAILS,
	VERDICT_HOLDS,
	/* there was nothing to compare, but requests are under way */
	VERDICT_OPEN,
};

/*
 * Sets value to that of the term in this report; returns false if it has none,
 * because there was no request.
 */
bool measure_term(const struct term *term, const struct smbd_report *report,
		  double *value);

/*
 * Whether all terms hold. Sets values[] for each, NAN where there is none.
 */
enum verdict measure_condition(const struct condition *condition,
			       const struct smbd_report *report,
			       double values[CONDITION_TERMS]);

#endif /* TSMBD_INCIDENT_MEASURE_H */
