/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of a table as lines of text: titles, and below each the number of the
 * row, right-aligned behind a blank.
 *
 *	struct report_text text;
 *	char line[REPORT_LINE];
 *
 *	report_text_begin(&text, report, COMMANDS, 0);
 *	report_text_group(&text, 0);
 *	printf("%-20s%s\n", "Command", report_text_titles(&text, line));
 *	for each row
 *		printf("%-20s%s\n", name, report_text_row(&text, row, line));
 *
 * What stands in front of the numbers is the caller's.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdio.h>

#include "report.h"

enum { REPORT_CELL = 32, REPORT_COLUMNS = 32,
	REPORT_LINE = REPORT_COLUMNS * REPORT_CELL };

/* A unit of times. */
struct report_time {
	const char *name;
	unsigned int ns;
	int decimals;
};

/* The columns of a line. */
struct report_text {
	const struct report_rows *rows;
	const struct report_table *table;
	size_t num_rows;		/* that are printed */
	const struct report_column *columns[REPORT_COLUMNS];
	int width[REPORT_COLUMNS];	/* without the blank */
	const struct report_time *unit[REPORT_COLUMNS];	/* NULL: the usual */
	size_t num_columns;
	bool brief;			/* numbers are short */
};

/* Begins with no column; lines is how many rows are printed, or 0 for all. */
void report_text_begin(struct report_text *text, const struct report *report,
		       size_t table, size_t lines);

/*
 * Adds the columns of a group that have a title, as wide as what is in them. A
 * group that is left out if all of it is 0 is added if any row has something.
 */
void report_text_group(struct report_text *text, unsigned int group);

/*
 * Adds a column, as wide as what is in it. If it scales, and is one of times, it
 * has the unit that suits its numbers: its title "Avg us" becomes "Avg ms".
 */
void report_text_column(struct report_text *text,
			const struct report_column *column, bool scales);

/*
 * The unit that suits the times of a column: the largest in which the longest of
 * them is 10 or more. NULL if they are no times.
 */
const struct report_time *
report_text_unit(const struct report_text *text,
		 const struct report_column *column);

/* Makes all numbers short: "264k" for 264,113. */
void report_text_brief(struct report_text *text);

/* How many characters the first columns take. */
size_t report_text_width(const struct report_text *text, size_t columns);

/* Write a line, without what ends it, and return it. */
const char *report_text_titles(const struct report_text *text,
			       char line[REPORT_LINE]);
const char *report_text_row(const struct report_text *text, const void *row,
			    char line[REPORT_LINE]);

/* The title of a column; in another unit than the usual one, unless NULL. */
const char *report_text_title(const struct report_column *column,
			      const struct report_time *unit,
			      char title[REPORT_CELL]);

/*
 * Writes one number, "12" or "12.3", likewise; "-" if the row cannot have it.
 */
const char *report_text_cell(const struct report_table *table,
			     const struct report_column *column,
			     const struct report_time *unit,
			     const void *row, bool brief,
			     char cell[REPORT_CELL]);

/*
 * Prints the slots of a row as powers of two, each with a bar; unit is that of
 * a slot times scale, "microseconds". Prints nothing if all are 0.
 */
void report_text_distribution(FILE *out, const struct report_table *table,
			      const void *row, const char *title,
			      const char *unit, double scale);

/* How wide a column of short numbers is. */
int report_text_brief_width(const struct report_column *column);

#endif /* REPORT_TEXT_H */
