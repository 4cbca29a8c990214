/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports of sdtkit serve as text and as JSON, for incidents. */
#ifndef SDTKIT_TOOL_SERVE_PRINT_H
#define SDTKIT_TOOL_SERVE_PRINT_H

#include <stdio.h>

#include <jansson.h>

#include "lib/report/report.h"

/* The functions of struct report_program. */
void serve_sort(const void *options, struct report *report);
void serve_print(FILE *out, const void *options, const struct report *report,
		 bool again);
json_t *serve_json(const void *options, const struct report *report);
void serve_line(FILE *out, const void *options,
		const struct report_table *table, const void *row);

/* Exits with a message if no table has a column of that list. */
void serve_check_columns(const char *list);

/* Exits with a message if spans have no column of that name to sort by. */
void serve_check_sort(const char *name);

#endif /* SDTKIT_TOOL_SERVE_PRINT_H */
