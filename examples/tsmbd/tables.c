/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tables.c - the tables of the report that have a row for each command or
 * name. Shortened:
 *
 *	SMB2 Requests      Count  Total us  Avg us  Min us  p50 us  p99 us ...
 *	SMB2_OP_CREATE     10507   3137339     298      80     270    1216 ...
 *
 * Columns are as wide as what is in them.
 */
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "names.h"
#include "report.h"
#include "text.h"

enum { TITLE_WIDTH = 23 };

/* Returns the width of a column: that of its longest number. */
static int width_of(const struct column *column, const struct counters *c)
{
	int width = (int)strlen(column->title);
	int length;
	int op;

	width = width > column->width ? width : column->width;
	for (op = 0; op < TSMBD_OPS; op++) {
		const struct operation row = operation_of(c, op);

		if (row.op->count == 0)
			continue;
		length = snprintf(NULL, 0, "%llu", column_get(column, &row));
		width = length > width ? length : width;
	}
	return width;
}

static void print_titles(enum column_group group, const struct counters *c)
{
	const struct column *column;

	FOR_EACH_COLUMN(column, group) {
		if (column->title != NULL)
			printf(" %*s", width_of(column, c), column->title);
	}
}

static void print_row(enum column_group group, const struct counters *c,
		      const struct operation *row)
{
	const struct column *column;

	FOR_EACH_COLUMN(column, group) {
		if (column->title != NULL)
			printf(" %*llu", width_of(column, c),
			       column_get(column, row));
	}
}

static void print_requests(const struct counters *c)
{
	int op;

	printf("\n%-*s", TITLE_WIDTH, "SMB2 Requests");
	print_titles(COLUMNS_REQUESTS, c);
	print_titles(COLUMNS_REQUEST_SIZES, c);
	putchar('\n');
	for (op = 0; op < TSMBD_OPS; op++) {
		const struct operation row = operation_of(c, op);

		if (row.op->count == 0)
			continue;
		printf("%-*s", TITLE_WIDTH, name_of_op(row.opcode));
		print_row(COLUMNS_REQUESTS, c, &row);
		print_row(COLUMNS_REQUEST_SIZES, c, &row);
		putchar('\n');
	}
}

/* The parts of their total; the last column is what they waited for. */
static void print_request_times(const struct counters *c)
{
	int op;

	printf("\n%-*s", TITLE_WIDTH, "Their time");
	print_titles(COLUMNS_REQUEST_TIMES, c);
	puts("  for");
	for (op = 0; op < TSMBD_OPS; op++) {
		const struct operation row = operation_of(c, op);

		if (row.op->count == 0)
			continue;
		printf("%-*s", TITLE_WIDTH, name_of_op(row.opcode));
		print_row(COLUMNS_REQUEST_TIMES, c, &row);
		if (row.op->waited_ns > 0)
			printf("  %s", name_of_wait(row.opcode));
		putchar('\n');
	}
}

static void print_top(const struct options *options, const struct top *top,
		      int kind)
{
	static const char *const titles[] = {
		[TSMBD_CLIENTS] = "Client", [TSMBD_USERS] = "User",
		[TSMBD_SHARES] = "Share", [TSMBD_FILES] = "File",
	};
	int i;

	putchar('\n');
	column_print_titles(COLUMNS_TOP);
	printf("  %s\n", titles[kind]);
	for (i = 0; i < top->count && i < (int)options->top_lines; i++) {
		const struct top_row *row = &top->rows[i];

		column_print_row(COLUMNS_TOP, &row->value);
		fputs("  ", stdout);
		text_path(row->share, row->name);
		putchar('\n');
	}
	if (top->count > (int)options->top_lines)
		printf("%*s  (%d more)\n", 83, "",
		       top->count - (int)options->top_lines);
}

static void print_waits(const struct report *r)
{
	int i;

	if (r->num_waits == 0)
		return;
	putchar('\n');
	column_print_titles(COLUMNS_WAITS);
	printf("  %-26s %-26s %s\n", "Client", "waited for", "File");
	for (i = 0; i < r->num_waits; i++) {
		const struct waited *w = &r->waits[i];

		column_print_row(COLUMNS_WAITS, w);
		printf("  %-26s %-26s ", w->client,
		       w->holder[0] != '\0' ? w->holder : "-");
		text_path(w->share, w->file);
		putchar('\n');
	}
}

void report_requests(const struct counters *c)
{
	print_requests(c);
	print_request_times(c);
}

void report_names(const struct options *options, const struct report *r)
{
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (options->tops & 1U << kind)
			print_top(options, &r->tops[kind], kind);
	}
	if (options->oplocks)
		print_waits(r);
}
