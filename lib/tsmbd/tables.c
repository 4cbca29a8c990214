/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tables.c - the tables of the report that have a row for each command or
 * name. Shortened:
 *
 *	SMB2 Requests      Count  Total us  Avg us  Min us  p50 us  p99 us ...
 *	SMB2_OP_CREATE     10507   3137339     298      80     270    1216 ...
 *
 * Columns of commands are as wide as what is in them.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "names.h"
#include "tables.h"

enum { TITLE_WIDTH = 23 };

/* What is printed of a table: some of its groups of columns. */
struct form {
	const struct report *report;
	size_t table;
	size_t lines;		/* the first rows, of which it may have fewer */
	bool fits;		/* columns are as wide as their numbers */
};

/* Returns the width of a column: that of its longest number. */
static int width_of(const struct form *f, const struct report_column *column)
{
	int width = (int)strlen(column->title);
	int length;
	size_t i;

	width = width > column->width ? width : column->width;
	for (i = 0; i < f->lines && f->fits; i++) {
		length = snprintf(NULL, 0, "%llu", report_value(
			column, report_row(f->report, f->table, i)));
		width = length > width ? length : width;
	}
	return width;
}

static const struct report_table *table_of(const struct form *f)
{
	return report_table(f->report, f->table);
}

/* Whether a group has something in any row, if it is left out otherwise. */
static bool has_group(const struct form *f, unsigned int group)
{
	size_t i;

	if (!table_of(f)->groups[group].if_any)
		return true;
	for (i = 0; i < f->lines; i++) {
		if (report_any(table_of(f), group,
			       report_row(f->report, f->table, i)))
			return true;
	}
	return false;
}

/* Prints the titles of a group, or the numbers of a row. */
static void print_group(FILE *out, const struct form *f, unsigned int group,
			const void *row)
{
	const struct report_column *column;

	if (!has_group(f, group))
		return;
	REPORT_FOR_EACH(column, table_of(f), group) {
		if (column->title == NULL)
			continue;
		if (row == NULL)
			fprintf(out, " %*s", width_of(f, column),
				column->title);
		else
			fprintf(out, " %*llu", width_of(f, column),
				report_value(column, row));
	}
}

static struct form form_of(const struct report *r, size_t table)
{
	return (struct form){ .report = r, .table = table,
		.lines = r->rows[table].count };
}

static void print_requests(FILE *out, const struct form *f)
{
	size_t i;

	fprintf(out, "\n%-*s", TITLE_WIDTH, "SMB2 Requests");
	print_group(out, f, OPERATION_REQUESTS, NULL);
	print_group(out, f, OPERATION_SIZES, NULL);
	putc('\n', out);
	for (i = 0; i < f->lines; i++) {
		const struct operation_row *row =
			report_row(f->report, f->table, i);

		fprintf(out, "%-*s", TITLE_WIDTH, name_of_op(row->opcode));
		print_group(out, f, OPERATION_REQUESTS, row);
		print_group(out, f, OPERATION_SIZES, row);
		putc('\n', out);
	}
}

/* The parts of their total; the last column is what they waited for. */
static void print_request_times(FILE *out, const struct form *f)
{
	unsigned int group;
	size_t i;

	fprintf(out, "\n%-*s", TITLE_WIDTH, "Their time");
	for (group = OPERATION_TIMES; group < OPERATION_SIZES; group++)
		print_group(out, f, group, NULL);
	fputs("  for\n", out);
	for (i = 0; i < f->lines; i++) {
		const struct operation_row *row =
			report_row(f->report, f->table, i);

		fprintf(out, "%-*s", TITLE_WIDTH, name_of_op(row->opcode));
		for (group = OPERATION_TIMES; group < OPERATION_SIZES; group++)
			print_group(out, f, group, row);
		if (row->op.waited_ns > 0)
			fprintf(out, "  %s", name_of_wait(row->opcode));
		putc('\n', out);
	}
}

void tables_requests(FILE *out, const struct report *r)
{
	struct form f = form_of(r, SMBD_OPERATIONS);

	f.fits = true;
	print_requests(out, &f);
	print_request_times(out, &f);
}

static void print_errors(FILE *out, const struct form *f, const char *title,
			 bool benign)
{
	char buffer[NAME_SIZE];
	int printed = 0;
	size_t i;

	for (i = 0; i < f->lines; i++) {
		const struct error_count *e =
			report_row(f->report, f->table, i);

		if (benign == tsmbd_is_failure(e->opcode, e->status))
			continue;
		if (printed++ == 0) {
			fprintf(out, "\n%-*s", TITLE_WIDTH, title);
			print_group(out, f, 0, NULL);
			fputs("  Status\n", out);
		}
		fprintf(out, "%-*s", TITLE_WIDTH, name_of_op(e->opcode));
		print_group(out, f, 0, e);
		fprintf(out, "  %s\n", name_of_status(e->status, buffer));
	}
}

void tables_errors(FILE *out, const struct report *r)
{
	const struct form f = form_of(r, SMBD_ERRORS);

	print_errors(out, &f, "Errors", false);
	print_errors(out, &f, "Not failures", true);
}

void tables_calls(FILE *out, const struct report *r)
{
	struct report sorted = { .tables = r->tables };
	struct form f = form_of(&sorted, SMBD_CALLS);
	char buffer[NAME_SIZE];

	report_copy(&sorted, r);
	report_sort(&sorted, SMBD_CALLS, "total_us");
	fprintf(out, "\n%-*s", TITLE_WIDTH, "System call");
	print_group(out, &f, 0, NULL);
	putc('\n', out);
	for (f.lines = 0; f.lines < sorted.rows[SMBD_CALLS].count; f.lines++) {
		const struct call_row *row =
			report_row(&sorted, SMBD_CALLS, f.lines);

		fprintf(out, "%-*s", TITLE_WIDTH,
			name_of_call(row->number, buffer));
		print_group(out, &f, 0, row);
		putc('\n', out);
	}
	report_clear(&sorted);
}

/* Numbers first, as names may be long: without the blank before them. */
static void print_numbers(FILE *out, const struct form *f,
			  unsigned int num_groups, const void *row)
{
	char *text = NULL;
	size_t size = 0;
	FILE *line = open_memstream(&text, &size);
	unsigned int group;

	if (line == NULL)
		return;
	for (group = 0; group < num_groups; group++)
		print_group(line, f, group, row);
	fclose(line);
	fputs(text[0] == ' ' ? text + 1 : text, out);
	free(text);
}

static void print_top(FILE *out, const struct options *options,
		      const struct report *r, int kind)
{
	static const char *const titles[] = {
		[TSMBD_CLIENTS] = "Client", [TSMBD_USERS] = "User",
		[TSMBD_SHARES] = "Share", [TSMBD_FILES] = "File",
	};
	struct form f = form_of(r, SMBD_CLIENTS + (size_t)kind);
	size_t all = f.lines;
	size_t i;

	if (f.lines > options->top_lines)
		f.lines = options->top_lines;
	putc('\n', out);
	print_numbers(out, &f, NAME_GROUPS, NULL);
	fprintf(out, "  %s\n", titles[kind]);
	for (i = 0; i < f.lines; i++) {
		const struct name_row *row = report_row(r, f.table, i);

		print_numbers(out, &f, NAME_GROUPS, row);
		fputs("  ", out);
		text_path(out, row->share, row->name);
		putc('\n', out);
	}
	if (all > f.lines)
		fprintf(out, "%*s  (%zu more)\n", 83, "", all - f.lines);
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
	const struct form f = form_of(r, SMBD_WAITS);
	char holder[WAITS_HOLDER];
	const struct waited *w;
	size_t i;

	if (f.lines == 0)
		return;
	w = report_row(r, SMBD_WAITS, 0);
	putc('\n', out);
	print_numbers(out, &f, 1, NULL);
	fprintf(out, "  %-26s %-26s %s\n", "Client", "waited for",
		w->node[0] != '\0' ? "Node:File" : "File");
	for (i = 0; i < f.lines; i++) {
		w = report_row(r, SMBD_WAITS, i);
		print_numbers(out, &f, 1, w);
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
