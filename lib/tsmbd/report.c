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
#include "slots/slots.h"
#include "columns.h"
#include "names.h"
#include "report.h"

static const char rule[] = "---------------------------------------------";

/* Prints the rate per second, divided by many, in that unit. */
static void print_rate(FILE *out, const struct smbd_report *r,
		       unsigned long long count, double many, const char *unit)
{
	if (count > 0 && r->elapsed_ns > 0)
		fprintf(out, "     %9.1f%s/s", (double)count / many * 1e9 /
			(double)r->elapsed_ns, unit);
}

static void print_value(FILE *out, const struct column *column,
			const struct smbd_report *r)
{
	unsigned long long value = column->value(r);

	fprintf(out, "%-30s: ", column->title);
	if (column->unit == UNIT_NS)
		fprintf(out, "%10llu ms", (value + 500000) / 1000000);
	else
		fprintf(out, "%10llu", value);
	if (column->unit == UNIT_EVENTS)
		print_rate(out, r, value, 1, "");
	if (column->unit == UNIT_BYTES)
		print_rate(out, r, value, 1e6, " MB");
}

static void print_lines(FILE *out, enum column_group group,
			const struct smbd_report *r)
{
	const struct column *column;

	FOR_EACH_COLUMN(column, group) {
		if (column->title == NULL)
			continue;
		print_value(out, column, r);
		putc('\n', out);
	}
}

/* Prints each phase with its share of the sum. */
static void print_phases(FILE *out, const struct smbd_report *r)
{
	unsigned long long sum = r->tally.sum_ns;
	const struct column *column;

	FOR_EACH_COLUMN(column, COLUMNS_PHASES) {
		print_value(out, column, r);
		if (sum > 0)
			fprintf(out, "  %5.1f %%", 100.0 *
				(double)column->value(r) / (double)sum);
		putc('\n', out);
	}
	fprintf(out, "%s\n", rule);
	print_value(out, column_next(COLUMNS_SUM, NULL), r);
	fprintf(out, "     %9llu smbd together\n", r->tally.processes);
}

/* Prints what exists at the end of the report. */
static void print_now(FILE *out, const struct smbd_report *r)
{
	const struct column *column;

	FOR_EACH_COLUMN(column, COLUMNS_NOW) {
		if (column->unit == UNIT_PART) {
			if (column->value(r) > 0)
				fprintf(out, "     %9llu %s", column->value(r),
					column->title);
			continue;
		}
		if (column != column_next(COLUMNS_NOW, NULL))
			putc('\n', out);
		print_value(out, column, r);
		if (strcmp(column->key, "sessions") == 0)
			fprintf(out, "     that began since the start");
	}
	putc('\n', out);
}

static void print_times(FILE *out, const struct options *options,
			const struct smbd_report *r)
{
	char when[WHEN_SIZE];

	print_lines(out, COLUMNS_ELAPSED, r);
	fprintf(out, "%-30s: %s\n", "Until", when_report(r->end_ns, when));
	print_lines(out, COLUMNS_PROCESSES, r);
	print_now(out, r);
	putc('\n', out);
	print_phases(out, r);
	putc('\n', out);
	if (options->calls)
		print_lines(out, COLUMNS_CALL_TIME, r);
	print_lines(out, COLUMNS_DISK_TIME, r);
	putc('\n', out);
}

static void print_error_titles(FILE *out, const char *title)
{
	fprintf(out, "\n%-23s ", title);
	column_print_titles(out, COLUMNS_ERRORS);
	fputs("  Status\n", out);
}

static void print_errors(FILE *out, const struct counters *c, const char *title,
			 bool benign)
{
	char buffer[NAME_SIZE];
	int printed = 0;
	int i;

	for (i = 0; i < c->num_errors; i++) {
		const struct error_count *e = &c->errors[i];

		if (benign == tsmbd_is_failure(e->opcode, e->status))
			continue;
		if (printed++ == 0)
			print_error_titles(out, title);
		fprintf(out, "%-23s ", name_of_op(e->opcode));
		column_print_row(out, COLUMNS_ERRORS, e);
		fprintf(out, "  %s\n", name_of_status(e->status, buffer));
	}
}

static int by_count(const void *a, const void *b)
{
	const struct error_count *x = a;
	const struct error_count *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->opcode != y->opcode)
		return x->opcode < y->opcode ? -1 : 1;
	return x->status < y->status ? -1 : 1;
}

static struct totals add_up(const struct counters *c)
{
	struct totals totals = { 0 };
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		totals.requests += c->ops[op].count;
		totals.bytes_in += c->ops[op].bytes_in;
		totals.bytes_out += c->ops[op].bytes_out;
	}
	return totals;
}

void smbd_report_add_up(struct smbd_report *r)
{
	r->totals = add_up(&r->counters);
	qsort(r->counters.errors, (size_t)r->counters.num_errors,
	      sizeof(r->counters.errors[0]), by_count);
}

static int by_time(const void *a, const void *b)
{
	const struct call_count *x = a;
	const struct call_count *y = b;

	if (x->call.ns != y->call.ns)
		return x->call.ns < y->call.ns ? 1 : -1;
	return x->number < y->number ? -1 : 1;
}

void smbd_report_calls(FILE *out, const struct counters *c)
{
	struct call_count order[TSMBD_SYSCALLS];
	char buffer[NAME_SIZE];
	unsigned int number;
	int count = 0;
	int i;

	for (number = 0; number < TSMBD_SYSCALLS; number++) {
		if (c->calls[number].count == 0)
			continue;
		order[count].number = number;
		order[count++].call = c->calls[number];
	}
	qsort(order, (size_t)count, sizeof(order[0]), by_time);
	fprintf(out, "\n%-23s ", "System call");
	column_print_titles(out, COLUMNS_CALLS);
	putc('\n', out);
	for (i = 0; i < count; i++) {
		fprintf(out, "%-23s ", name_of_call(order[i].number, buffer));
		column_print_row(out, COLUMNS_CALLS, &order[i]);
		putc('\n', out);
	}
}

static void print_slots(FILE *out, const char *title, const char *unit,
			const unsigned long long *slots)
{
	static const char bar[] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
	unsigned long long most = 0;
	int first = SLOTS_POWERS;
	int last = -1;
	int i;

	for (i = 0; i < SLOTS_POWERS; i++) {
		if (slots[i] == 0)
			continue;
		most = slots[i] > most ? slots[i] : most;
		first = i < first ? i : first;
		last = i;
	}
	if (last < 0)
		return;
	fprintf(out, "\n%s distribution (%s)\n%10s |%-*s count\n", title, unit,
		"value", (int)sizeof(bar) - 1,
		"----------------------------------------");
	for (i = first; i <= last; i++) {
		int width = (int)(slots[i] * (sizeof(bar) - 1) / most);

		fprintf(out, "%10llu |%-*.*s %llu\n", i == 0 ? 0 : 1ULL << i,
			(int)sizeof(bar) - 1, width, bar, slots[i]);
	}
}

static void print_size(FILE *out, const char *title,
		       const struct tsmbd_size *size)
{
	print_slots(out, title, "bytes", size->slots);
	if (size->count > 0)
		fprintf(out, "%10s %.1f %% sequential\n", "",
			100.0 * (double)size->sequential /
			(double)size->count);
}

static void print_distributions(FILE *out, const struct counters *c)
{
	unsigned long long slots[SLOTS_POWERS];
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		slots_fold(c->ops[op].slots, slots);
		print_slots(out, name_of_op(op), "microseconds", slots);
	}
	print_slots(out, "READ IO", "microseconds", c->disk[0].slots);
	print_slots(out, "WRITE IO", "microseconds", c->disk[1].slots);
	print_size(out, "READ size", &c->sizes[0]);
	print_size(out, "WRITE size", &c->sizes[1]);
}

/* Prints a filter as its option was given. */
static void print_filter(FILE *out, const char *what,
			 const struct filter *filter)
{
	int i;

	for (i = 0; i < filter->count; i++) {
		fputs(i == 0 ? what : ",", out);
		text_print(out, filter->names[i], "");
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

static void print_lost(FILE *out, const struct counters *c)
{
	const struct column *column;

	FOR_EACH_COLUMN(column, COLUMNS_LOST) {
		if (column->value(c) > 0)
			fprintf(out, "\nLost: %llu %s\n", column->value(c),
				column->title);
	}
}

void smbd_report_print(FILE *out, const struct options *options,
		  const struct smbd_report *r, bool again)
{
	if (again)
		fputs("\n=============================================\n", out);
	else if (options_lines(options))
		putc('\n', out);		/* behind the lines */
	print_times(out, options, r);
	print_lines(out, COLUMNS_TRAFFIC, r);
	print_filters(out, options, r->totals.requests > 0);
	smbd_report_requests(out, &r->counters);
	print_errors(out, &r->counters, "Errors", false);
	print_errors(out, &r->counters, "Not failures", true);
	if (options->calls)
		smbd_report_calls(out, &r->counters);
	if (options->distributions)
		print_distributions(out, &r->counters);
	smbd_report_names(out, options, r);
	print_lost(out, &r->counters);
}
