/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outcome.c - spans that no table shows.
 *
 *	sdtkit top: smb2:request: 3 under way; 2 ended whose start was not seen
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "top/outcome.h"

bool outcome_text(const struct total_row *row, bool under_way, char *text,
		  size_t size)
{
	const struct report_table *table = &top_table[ROWS_TOTALS];
	const struct report_column *column;
	const char *between = ":";
	unsigned int group;
	size_t used;

	rows_text(ROWS_TOTALS, row, true, text, size);
	for (group = under_way ? TOTAL_THERE : TOTAL_LOST;
	     group < TOTAL_GROUPS; group++) {
		REPORT_FOR_EACH(column, table, group) {
			if (column->title == NULL ||
			    report_get(column, row) == 0)
				continue;
			used = strlen(text);
			snprintf(text + used, size - used, "%s %llu %s",
				 between, report_get(column, row),
				 column->title);
			between = ";";
		}
	}
	return between[0] == ';';
}

void outcome_tell(const struct report *report)
{
	const struct lost_row *lost = report_row(report, ROWS_LOST, 0);
	char text[1024];
	size_t i;

	for (i = 0; i < report->rows[ROWS_TOTALS].count; i++) {
		if (outcome_text(report_row(report, ROWS_TOTALS, i), true,
				 text, sizeof(text)))
			tool_complain("%s", text);
	}
	if (lost->lines > 0)
		tool_complain("%llu line%s of --slow were lost, as too many "
			      "came at a time", lost->lines,
			      tool_plural(lost->lines));
	if (lost->strings > 0)
		tool_complain("%llu string%s for filters of probes could not "
			      "be read: their memory is not there, or not "
			      "touched yet: declare them as sdtkit_str_t",
			      lost->strings, tool_plural(lost->strings));
}

void outcome_tell_samples(unsigned long long lost)
{
	if (lost > 0)
		tool_complain("%llu sample%s of --flame were lost, as too many "
			      "came at a time", lost, tool_plural(lost));
}

/* Returns the sum of a column that counts. */
static unsigned long long sum_of(const struct report *report, size_t table,
				 const char *key)
{
	const struct report_column *column =
		report_column_find(&top_table[table], key);
	unsigned long long sum = 0;
	size_t i;

	for (i = 0; i < report->rows[table].count; i++)
		sum += report_get(column, report_row(report, table, i));
	return sum;
}

bool outcome_any(const struct report *report)
{
	return sum_of(report, ROWS_TOTALS, "ended") > 0 ||
	       sum_of(report, ROWS_PROBES, "count") > 0;
}
