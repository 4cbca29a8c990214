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

#include "names.h"
#include "quantile.h"
#include "report.h"
#include "text.h"

enum { MAX_COLUMNS = 12, TITLE = 23 };

struct table {
	const char *title;
	int columns;
	const char *names[MAX_COLUMNS];
};

static unsigned long long us(unsigned long long ns)
{
	return (ns + 500) / 1000;
}

static unsigned long long rounded(double value)
{
	return (unsigned long long)(value + 0.5);
}

static const struct table requests = {
	"SMB2 Requests", 11,
	{ "Count", "Total us", "Avg us", "Min us", "p50 us", "p95 us",
	  "p99 us", "Max us", "Errors", "Bytes in", "Bytes out" },
};

static void fill_request(const struct counters *c, int op,
			 unsigned long long row[MAX_COLUMNS])
{
	const struct tsmbd_extreme *x = &c->extremes[op];
	const struct tsmbd_op *o = &c->ops[op];
	const unsigned long long values[] = {
		o->count, us(o->total_ns), us(o->total_ns / o->count),
		us(x->min), rounded(quantile_fine(o->slots, 0.5, x)),
		rounded(quantile_fine(o->slots, 0.95, x)),
		rounded(quantile_fine(o->slots, 0.99, x)), us(x->max),
		o->errors, o->bytes_in, o->bytes_out,
	};

	memcpy(row, values, sizeof(values));
}

/* What their total is made of; what they waited for is said behind. */
static const struct table times = {
	"Their time", 4,
	{ "Running us", "ctdb us", "oplock us", "waiting us" },
};

static void fill_time(const struct counters *c, int op,
		      unsigned long long row[MAX_COLUMNS])
{
	const struct tsmbd_op *o = &c->ops[op];

	row[0] = us(o->run_ns);
	row[1] = us(o->ctdb_ns);
	row[2] = us(o->oplock_ns);
	row[3] = us(o->waited_ns);
}

typedef void fill_row(const struct counters *c, int op,
		      unsigned long long row[MAX_COLUMNS]);

static int width_of(const struct table *table, fill_row *fill,
		    const struct counters *c, int column)
{
	unsigned long long row[MAX_COLUMNS];
	int width = (int)strlen(table->names[column]);
	int length;
	int op;

	width = width > 8 ? width : 8;
	for (op = 0; op < TSMBD_OPS; op++) {
		if (c->ops[op].count == 0)
			continue;
		fill(c, op, row);
		length = snprintf(NULL, 0, "%llu", row[column]);
		width = length > width ? length : width;
	}
	return width;
}

static void print_ops(const struct table *table, fill_row *fill,
		      const struct counters *c)
{
	unsigned long long row[MAX_COLUMNS];
	int widths[MAX_COLUMNS];
	int op, i;

	printf("\n%-*s", TITLE, table->title);
	for (i = 0; i < table->columns; i++) {
		widths[i] = width_of(table, fill, c, i);
		printf(" %*s", widths[i], table->names[i]);
	}
	puts(table == &times ? "  for" : "");
	for (op = 0; op < TSMBD_OPS; op++) {
		if (c->ops[op].count == 0)
			continue;
		fill(c, op, row);
		printf("%-*s", TITLE, name_of_op((unsigned int)op));
		for (i = 0; i < table->columns; i++)
			printf(" %*llu", widths[i], row[i]);
		if (table == &times && c->ops[op].waited_ns > 0)
			printf("  %s", name_of_wait((unsigned int)op));
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

	printf("\n%10s %8s %14s %12s %8s %8s %8s %8s  %s\n", "Requests",
	       "Errors", "Bytes", "Total us", "Avg us", "p50 us", "p99 us",
	       "Max us", titles[kind]);
	for (i = 0; i < top->count && i < (int)options->top_lines; i++) {
		const struct top_row *row = &top->rows[i];
		const struct tsmbd_top_value *v = &row->value;

		printf("%10llu %8llu %14llu %12llu %8llu %8llu %8llu %8llu  ",
		       v->requests, v->errors, v->bytes, us(v->ns),
		       us(v->requests > 0 ? v->ns / v->requests : 0),
		       rounded(quantile_coarse(v->slots, 0.5, v->max)),
		       rounded(quantile_coarse(v->slots, 0.99, v->max)),
		       us(v->max));
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
	printf("\n%10s %10s %10s  %-26s %-26s %s\n", "Waits", "Total us",
	       "Max us", "Client", "waited for", "File");
	for (i = 0; i < r->num_waits; i++) {
		const struct waited *w = &r->waits[i];

		printf("%10llu %10llu %10llu  %-26s %-26s ", w->count,
		       us(w->ns), us(w->max), w->client,
		       w->holder[0] != '\0' ? w->holder : "-");
		text_path(w->share, w->file);
		putchar('\n');
	}
}

void report_requests(const struct counters *c)
{
	print_ops(&requests, fill_request, c);
	print_ops(&times, fill_time, c);
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
