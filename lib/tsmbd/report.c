/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.c - prints the report as text. Shortened:
 *
 *	Ran for                       :      17147 ms
 *
 *	Time waiting for events       :       9302 ms   55.1 %
 *	...
 *	---------------------------------------------
 *	Time sum                      :      16871 ms
 *
 * and then tables, see tables.c.
 * The wording is that of Ralph Boehme's tsmbd of 2017, so that the reports can
 * be compared line by line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/when.h"
#include "names.h"
#include "report/text.h"
#include "report.h"
#include "rows.h"
#include "tables.h"

static const char rule[] = "---------------------------------------------";

#define SERVER	(&smbd_tables.table[SMBD_SERVER])

/* Prints the rate per second, divided by many, in that unit. */
static void print_rate(FILE *out, const struct report *r,
		       unsigned long long count, double many, const char *unit)
{
	if (count > 0 && r->elapsed_ns > 0)
		fprintf(out, "     %9.1f%s/s", (double)count / many * 1e9 /
			(double)r->elapsed_ns, unit);
}

static void print_time(FILE *out, const char *title, unsigned long long ns)
{
	fprintf(out, "%-30s: %10llu ms", title, (ns + 500000) / 1000000);
}

static void print_value(FILE *out, const struct report_column *column,
			const struct report *r)
{
	unsigned long long value = report_get(column, server_row(r));

	if (column->unit == REPORT_NS)
		print_time(out, column->title, value);
	else
		fprintf(out, "%-30s: %10llu", column->title, value);
	if (column->unit == REPORT_EVENTS)
		print_rate(out, r, value, 1, "");
	if (column->unit == REPORT_BYTES)
		print_rate(out, r, value, 1e6, " MB");
}

static void print_lines(FILE *out, unsigned int group, const struct report *r)
{
	const struct report_column *column;

	REPORT_FOR_EACH(column, SERVER, group) {
		if (column->title == NULL)
			continue;
		print_value(out, column, r);
		putc('\n', out);
	}
}

/* Prints each phase with its share of the sum. */
static void print_phases(FILE *out, const struct report *r)
{
	const struct server_row *row = server_row(r);
	unsigned long long sum = row->tally.sum_ns;
	const struct report_column *column;

	REPORT_FOR_EACH(column, SERVER, SERVER_PHASES) {
		print_value(out, column, r);
		if (sum > 0)
			fprintf(out, "  %5.1f %%", 100.0 *
				(double)report_get(column, row) / (double)sum);
		putc('\n', out);
	}
	fprintf(out, "%s\n", rule);
	print_value(out, report_column_next(SERVER, SERVER_SUM, NULL), r);
	fprintf(out, "     %9llu smbd together\n", row->tally.processes);
}

/* Prints what exists at the end of the report. */
static void print_now(FILE *out, const struct report *r)
{
	const struct report_column *column;
	unsigned long long value;

	REPORT_FOR_EACH(column, SERVER, SERVER_NOW) {
		value = report_get(column, server_row(r));
		if (column->unit == REPORT_PART) {
			if (value > 0)
				fprintf(out, "     %9llu %s", value,
					column->title);
			continue;
		}
		if (column != report_column_next(SERVER, SERVER_NOW, NULL))
			putc('\n', out);
		print_value(out, column, r);
		if (strcmp(column->key, "sessions") == 0)
			fprintf(out, "     that began since the start");
	}
	putc('\n', out);
}

static void print_disk_times(FILE *out, const struct report *r)
{
	const struct disk_row *row;

	REPORT_FOR_EACH_ROW(row, r, SMBD_DISK) {
		print_time(out, row->direction ? "Time in WRITE disk IO" :
			   "Time in READ disk IO", row->io.ns);
		putc('\n', out);
	}
}

static void print_times(FILE *out, const struct options *options,
			const struct report *r)
{
	char when[WHEN_SIZE];

	print_time(out, "Ran for", r->elapsed_ns);
	fprintf(out, "\n%-30s: %s\n", "Until", when_report(r->end_ns, when));
	print_lines(out, SERVER_PROCESSES, r);
	print_now(out, r);
	putc('\n', out);
	print_phases(out, r);
	putc('\n', out);
	if (options->calls)
		print_lines(out, SERVER_CALL_TIME, r);
	print_disk_times(out, r);
	putc('\n', out);
}

static void print_distributions(FILE *out, const struct report *r)
{
	const struct operation_row *operation;
	const struct size_row *size;
	const struct disk_row *disk;

	REPORT_FOR_EACH_ROW(operation, r, SMBD_OPERATIONS)
		report_text_distribution(out, report_table(r, SMBD_OPERATIONS),
					 operation,
					 name_of_op(operation->opcode),
					 "microseconds", 1);
	REPORT_FOR_EACH_ROW(disk, r, SMBD_DISK)
		report_text_distribution(out, report_table(r, SMBD_DISK), disk,
					 disk->direction ? "WRITE IO" :
					 "READ IO", "microseconds", 1);
	REPORT_FOR_EACH_ROW(size, r, SMBD_SIZES) {
		report_text_distribution(out, report_table(r, SMBD_SIZES), size,
					 size->direction ? "WRITE size" :
					 "READ size", "bytes", 1);
		if (size->size.count > 0)
			fprintf(out, "%10s %.1f %% sequential\n", "",
				100.0 * (double)size->size.sequential /
				(double)size->size.count);
	}
}

/* Prints a filter as its option was given. */
static void print_filter(FILE *out, const char *what,
			 const struct texts *filter)
{
	int i;

	for (i = 0; i < filter->count; i++) {
		fputs(i == 0 ? what : ",", out);
		text_print(out, filter->items[i], "");
	}
}

static void print_filters(FILE *out, const struct options *o, bool matched)
{
	int op, commands = 0;

	if (!options_filter(o))
		return;
	fprintf(out, "%-30s:", "Only requests with");
	print_filter(out, " --share=", &o->filters[TSMBD_SHARES]);
	print_filter(out, " --client=", &o->filters[TSMBD_CLIENTS]);
	print_filter(out, " --user=", &o->filters[TSMBD_USERS]);
	for (op = 0; op < TSMBD_OPS && o->commands != ~0U; op++) {
		if (o->commands & 1U << op)
			fprintf(out, "%s%s",
				commands++ == 0 ? " --command=" : ",",
				name_of_op((unsigned int)op));
	}
	putc('\n', out);
	if (!matched)
		fputs("No request matched. Without these options, "
		      "--top=shares,clients,users shows the names in use.\n",
		      out);
}

static void print_lost(FILE *out, const struct report *r)
{
	const struct report_column *column;
	unsigned long long value;

	REPORT_FOR_EACH(column, SERVER, SERVER_LOST) {
		value = report_get(column, server_row(r));
		if (value > 0)
			fprintf(out, "\nLost: %llu %s\n", value,
				column->title);
	}
}

void smbd_print(FILE *out, const void *context, const struct report *r,
		bool again)
{
	const struct options *options = context;

	if (again)
		fputs("\n=============================================\n", out);
	else if (options_lines(options))
		putc('\n', out);		/* behind the lines */
	print_times(out, options, r);
	print_lines(out, SERVER_TRAFFIC, r);
	print_filters(out, options, server_row(r)->requests > 0);
	tables_requests(out, r);
	tables_errors(out, r);
	if (options->calls)
		tables_calls(out, r);
	if (options->distributions)
		print_distributions(out, r);
	tables_names(out, options, r);
	if (options->oplocks)
		tables_waits(out, r);
	print_lost(out, r);
}

void smbd_sort(struct report *r, unsigned int order)
{
	static const char *const orders[] = {
		"requests", [TSMBD_BY_REQUESTS] = "requests",
		[TSMBD_BY_BYTES] = "bytes", [TSMBD_BY_TIME] = "total_us",
		[TSMBD_BY_ERRORS] = "errors",
	};
	size_t kind;

	report_sort(r, SMBD_OPERATIONS, NULL);
	report_sort(r, SMBD_ERRORS, "count");
	report_sort(r, SMBD_DISK, NULL);
	report_sort(r, SMBD_SIZES, NULL);
	report_sort(r, SMBD_CALLS, NULL);
	report_sort(r, SMBD_WAITS, "total_us");
	for (kind = 0; kind < TSMBD_KINDS; kind++)
		report_sort(r, SMBD_CLIENTS + kind, orders[order]);
}
