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
#include "report/text.h"
#include "names.h"
#include "tables.h"

enum { TITLE_WIDTH = 23 };

static void print_titles(FILE *out, const char *name,
			 const struct report_text *text, const char *end)
{
	char line[REPORT_LINE];

	fprintf(out, "\n%-*s%s%s\n", TITLE_WIDTH, name,
		report_text_titles(text, line), end);
}

static void print_row(FILE *out, const char *name,
		      const struct report_text *text, const void *row)
{
	char line[REPORT_LINE];

	fprintf(out, "%-*s%s", TITLE_WIDTH, name,
		report_text_row(text, row, line));
}

static void print_requests(FILE *out, const struct report *r)
{
	const struct operation_row *row;
	struct report_text text;

	report_text_begin(&text, r, SMBD_OPERATIONS, 0);
	report_text_group(&text, OPERATION_REQUESTS);
	report_text_group(&text, OPERATION_SIZES);
	print_titles(out, "SMB2 Requests", &text, "");
	REPORT_FOR_EACH_ROW(row, r, SMBD_OPERATIONS) {
		print_row(out, name_of_op(row->opcode), &text, row);
		putc('\n', out);
	}
}

/* The parts of their total; the last column is what they waited for. */
static void print_request_times(FILE *out, const struct report *r)
{
	const struct operation_row *row;
	struct report_text text;
	unsigned int group;

	report_text_begin(&text, r, SMBD_OPERATIONS, 0);
	for (group = OPERATION_TIMES; group < OPERATION_SIZES; group++)
		report_text_group(&text, group);
	print_titles(out, "Their time", &text, "  for");
	REPORT_FOR_EACH_ROW(row, r, SMBD_OPERATIONS) {
		print_row(out, name_of_op(row->opcode), &text, row);
		if (row->op.waited_ns > 0)
			fprintf(out, "  %s", name_of_wait(row->opcode));
		putc('\n', out);
	}
}

void tables_requests(FILE *out, const struct report *r)
{
	print_requests(out, r);
	print_request_times(out, r);
}

static void print_errors(FILE *out, const struct report *r, const char *title,
			 bool benign)
{
	const struct error_count *e;
	struct report_text text;
	char buffer[NAME_SIZE];
	int printed = 0;

	report_text_begin(&text, r, SMBD_ERRORS, 0);
	report_text_group(&text, 0);
	REPORT_FOR_EACH_ROW(e, r, SMBD_ERRORS) {
		if (benign == tsmbd_is_failure(e->opcode, e->status))
			continue;
		if (printed++ == 0)
			print_titles(out, title, &text, "  Status");
		print_row(out, name_of_op(e->opcode), &text, e);
		fprintf(out, "  %s\n", name_of_status(e->status, buffer));
	}
}

void tables_errors(FILE *out, const struct report *r)
{
	print_errors(out, r, "Errors", false);
	print_errors(out, r, "Not failures", true);
}

void tables_calls(FILE *out, const struct report *r)
{
	struct report sorted = { .tables = r->tables };
	const struct call_row *row;
	struct report_text text;
	char buffer[NAME_SIZE];

	report_copy(&sorted, r);
	report_sort(&sorted, SMBD_CALLS, "total_us");
	report_text_begin(&text, &sorted, SMBD_CALLS, 0);
	report_text_group(&text, 0);
	print_titles(out, "System call", &text, "");
	REPORT_FOR_EACH_ROW(row, &sorted, SMBD_CALLS) {
		print_row(out, name_of_call(row->number, buffer), &text, row);
		putc('\n', out);
	}
	report_clear(&sorted);
}

/* Numbers are in front, as names may be long: without the blank before them. */
static void print_numbers(FILE *out, const struct report_text *text,
			  const void *row)
{
	char line[REPORT_LINE];

	fprintf(out, "%s  ", 1 + (row == NULL ?
		report_text_titles(text, line) :
		report_text_row(text, row, line)));
}

static void print_top(FILE *out, const struct options *options,
		      const struct report *r, int kind)
{
	static const char *const titles[] = {
		[TSMBD_CLIENTS] = "Client", [TSMBD_USERS] = "User",
		[TSMBD_SHARES] = "Share", [TSMBD_FILES] = "File",
	};
	size_t table = SMBD_CLIENTS + (size_t)kind;
	struct report_text text;
	unsigned int group;
	size_t i;

	report_text_begin(&text, r, table, options->top_lines);
	for (group = 0; group < NAME_GROUPS; group++)
		report_text_group(&text, group);
	putc('\n', out);
	print_numbers(out, &text, NULL);
	fprintf(out, "%s\n", titles[kind]);
	for (i = 0; i < text.num_rows; i++) {
		const struct name_row *row = report_row(r, table, i);

		print_numbers(out, &text, row);
		text_path(out, row->share, row->name);
		putc('\n', out);
	}
	if (r->rows[table].count > text.num_rows)
		fprintf(out, "%*s  (%zu more)\n",
			(int)report_text_width(&text, text.num_columns) - 1,
			"", r->rows[table].count - text.num_rows);
}

void tables_names(FILE *out, const struct options *options,
		  const struct report *r)
{
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (options->tops & 1U << kind)
			print_top(out, options, r, kind);
	}
}

void tables_waits(FILE *out, const struct report *r)
{
	char holder[WAITS_HOLDER];
	struct report_text text;
	const struct waited *w;

	report_text_begin(&text, r, SMBD_WAITS, 0);
	report_text_group(&text, 0);
	if (text.num_rows == 0)
		return;
	w = report_row(r, SMBD_WAITS, 0);
	putc('\n', out);
	print_numbers(out, &text, NULL);
	fprintf(out, "%-26s %-26s %s\n", "Client", "waited for",
		w->node[0] != '\0' ? "Node:File" : "File");
	REPORT_FOR_EACH_ROW(w, r, SMBD_WAITS) {
		print_numbers(out, &text, w);
		text_plain(waits_holder(w, holder), holder, sizeof(holder));
		fprintf(out, "%-26s %-26s ", w->client,
			holder[0] != '\0' ? holder : "-");
		if (w->node[0] != '\0') {
			text_print(out, w->node, ":");
			putc(':', out);
		}
		text_path(out, w->share, w->file);
		putc('\n', out);
	}
}
