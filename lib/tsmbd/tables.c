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

#include "base/text.h"
#include "columns.h"
#include "names.h"
#include "report.h"

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

static void print_titles(FILE *out, enum column_group group,
			 const struct counters *c)
{
	const struct column *column;

	FOR_EACH_COLUMN(column, group) {
		if (column->title != NULL)
			fprintf(out, " %*s", width_of(column, c),
				column->title);
	}
}

static void print_row(FILE *out, enum column_group group,
		      const struct counters *c, const struct operation *row)
{
	const struct column *column;

	FOR_EACH_COLUMN(column, group) {
		if (column->title != NULL)
			fprintf(out, " %*llu", width_of(column, c),
				column_get(column, row));
	}
}

static void print_requests(FILE *out, const struct counters *c)
{
	int op;

	fprintf(out, "\n%-*s", TITLE_WIDTH, "SMB2 Requests");
	print_titles(out, COLUMNS_REQUESTS, c);
	print_titles(out, COLUMNS_REQUEST_SIZES, c);
	putc('\n', out);
	for (op = 0; op < TSMBD_OPS; op++) {
		const struct operation row = operation_of(c, op);

		if (row.op->count == 0)
			continue;
		fprintf(out, "%-*s", TITLE_WIDTH, name_of_op(row.opcode));
		print_row(out, COLUMNS_REQUESTS, c, &row);
		print_row(out, COLUMNS_REQUEST_SIZES, c, &row);
		putc('\n', out);
	}
}

/* Whether any command has something in these columns. */
static bool has_any(enum column_group group, const struct counters *c)
{
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		const struct operation row = operation_of(c, op);

		if (row.op->count > 0 && column_any(group, &row))
			return true;
	}
	return false;
}

/* The parts of their total; the last column is what they waited for. */
static void print_request_times(FILE *out, const struct counters *c)
{
	bool limits = has_any(COLUMNS_LIMITS, c);
	bool kept = has_any(COLUMNS_KEPT, c);
	int op;

	fprintf(out, "\n%-*s", TITLE_WIDTH, "Their time");
	print_titles(out, COLUMNS_REQUEST_TIMES, c);
	if (limits)
		print_titles(out, COLUMNS_LIMITS, c);
	if (kept)
		print_titles(out, COLUMNS_KEPT, c);
	fputs("  for\n", out);
	for (op = 0; op < TSMBD_OPS; op++) {
		const struct operation row = operation_of(c, op);

		if (row.op->count == 0)
			continue;
		fprintf(out, "%-*s", TITLE_WIDTH, name_of_op(row.opcode));
		print_row(out, COLUMNS_REQUEST_TIMES, c, &row);
		if (limits)
			print_row(out, COLUMNS_LIMITS, c, &row);
		if (kept)
			print_row(out, COLUMNS_KEPT, c, &row);
		if (row.op->waited_ns > 0)
			fprintf(out, "  %s", name_of_wait(row.opcode));
		putc('\n', out);
	}
}

/* Whether any row that is printed has something in these columns. */
static bool top_has_any(enum column_group group, const struct top *top,
			int lines)
{
	int i;

	for (i = 0; i < top->count && i < lines; i++) {
		if (column_any(group, &top->rows[i].value))
			return true;
	}
	return false;
}

static void print_more_titles(FILE *out, enum column_group group)
{
	putc(' ', out);
	column_print_titles(out, group);
}

static void print_more(FILE *out, enum column_group group, const void *row)
{
	putc(' ', out);
	column_print_row(out, group, row);
}

static void print_top(FILE *out, const struct options *options,
		      const struct top *top, int kind)
{
	static const char *const titles[] = {
		[TSMBD_CLIENTS] = "Client", [TSMBD_USERS] = "User",
		[TSMBD_SHARES] = "Share", [TSMBD_FILES] = "File",
	};
	int lines = (int)options->top_lines;
	bool limits = top_has_any(COLUMNS_TOP_LIMITS, top, lines);
	bool kept = top_has_any(COLUMNS_TOP_KEPT, top, lines);
	int i;

	putc('\n', out);
	column_print_titles(out, COLUMNS_TOP);
	if (limits)
		print_more_titles(out, COLUMNS_TOP_LIMITS);
	if (kept)
		print_more_titles(out, COLUMNS_TOP_KEPT);
	fprintf(out, "  %s\n", titles[kind]);
	for (i = 0; i < top->count && i < lines; i++) {
		const struct top_row *row = &top->rows[i];

		column_print_row(out, COLUMNS_TOP, &row->value);
		if (limits)
			print_more(out, COLUMNS_TOP_LIMITS, &row->value);
		if (kept)
			print_more(out, COLUMNS_TOP_KEPT, &row->value);
		fputs("  ", out);
		text_path(out, row->share, row->name);
		putc('\n', out);
	}
	if (top->count > (int)options->top_lines)
		fprintf(out, "%*s  (%d more)\n", 83, "",
			top->count - (int)options->top_lines);
}

void smbd_report_waits(FILE *out, const struct smbd_report *r)
{
	char holder[WAITS_HOLDER];
	int i;

	if (r->num_waits == 0)
		return;
	putc('\n', out);
	column_print_titles(out, COLUMNS_WAITS);
	fprintf(out, "  %-26s %-26s %s\n", "Client", "waited for",
		r->waits[0].node[0] != '\0' ? "Node:File" : "File");
	for (i = 0; i < r->num_waits; i++) {
		const struct waited *w = &r->waits[i];

		column_print_row(out, COLUMNS_WAITS, w);
		text_plain(waits_holder(w, holder), holder, sizeof(holder));
		fprintf(out, "  %-26s %-26s ", w->client,
			holder[0] != '\0' ? holder : "-");
		if (w->node[0] != '\0') {
			text_print(out, w->node, ":");
			putc(':', out);
		}
		text_path(out, w->share, w->file);
		putc('\n', out);
	}
}

void smbd_report_requests(FILE *out, const struct counters *c)
{
	print_requests(out, c);
	print_request_times(out, c);
}

void smbd_report_names(FILE *out, const struct options *options,
		  const struct smbd_report *r)
{
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (options->tops & 1U << kind)
			print_top(out, options, &r->tops[kind], kind);
	}
	if (options->oplocks)
		smbd_report_waits(out, r);
}
