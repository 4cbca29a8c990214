/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports as JSON, and back. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <jansson.h>

#include "report.h"

/* What of a report is shown. */
struct report_view {
	unsigned int tables;	/* a bit for each optional table */
	size_t lines;		/* of tables that are within an object; 0: all */
};

/* Whether a table is shown. */
bool report_shows(const struct report *report, const struct report_view *view,
		  size_t table);

/* Adds elapsed_us and all tables that are shown to an object. */
void report_to_json(const struct report *report, const struct report_view *view,
		    json_t *object);

/* Prints an object on one line, and releases it. */
void report_line(FILE *out, json_t *object);

/* Returns a row as an object. */
json_t *report_row_json(const struct report_table *table, const void *row);

enum { REPORT_WHY = 128 };

/*
 * Reads what report_to_json() wrote, and "time" and "host", into an empty
 * report. tables gets a bit for each optional table that is there. The JSON may
 * come from anywhere: returns false and says why if a member is missing, has
 * the wrong type or is too large.
 */
bool report_from_json(json_t *object, struct report *report,
		      unsigned int *tables, char why[REPORT_WHY]);

#endif /* REPORT_JSON_H */
