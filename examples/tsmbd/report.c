/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.c - the report as text. Shortened:
 *
 *	Ran for                       :      17147 ms
 *
 *	Time waiting for events       :       9302 ms   55.1 %
 *	...
 *	---------------------------------------------
 *	Time sum                      :      16871 ms
 *
 *	SMB2 Requests        Count   Total us  Avg us  Min us  Max us ...
 *	SMB2_OP_CREATE       10507    3137339     298      80    6985 ...
 *
 * It keeps the words of the report that Ralph Boehme's tsmbd of 2017
 * printed, so that both can be laid side by side.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "report.h"
#include "text.h"
#include "waits.h"
#include "when.h"

static const char *const phase_titles[TSMBD_PHASES] = {
	[TSMBD_WAIT] = "Time waiting for events",
	[TSMBD_RECEIVE] = "Time receiving SMB2 packets",
	[TSMBD_PARSE] = "Time parsing SMB2 packets",
	[TSMBD_RUN] = "Time running SMB2 requests",
	[TSMBD_SEND] = "Time sending SMB2 packets",
	[TSMBD_CTDB] = "Time waiting for ctdb",
	[TSMBD_OTHER] = "Time in other event handlers",
};

static const char rule[] = "---------------------------------------------";

static const char *const lost_titles[TSMBD_LOST_KINDS] = {
	[TSMBD_LOST_PROCESSES] = "events of processes too many to count",
	[TSMBD_LOST_REQUESTS] = "requests too many at a time",
	[TSMBD_LOST_DETAILS] = "requests whose names were not kept",
	[TSMBD_LOST_ERRORS] = "errors of too many kinds",
	[TSMBD_LOST_TOP] = "requests of too many names for --top",
	[TSMBD_LOST_LINES] = "lines that were not printed",
	[TSMBD_LOST_SAMPLES] = "samples for --flame",
};

static void print_ms(const char *title, unsigned long long ns)
{
	printf("%-30s: %10llu ms\n", title, (ns + 500000) / 1000000);
}

static void print_count(const char *title, unsigned long long count)
{
	printf("%-30s: %10llu\n", title, count);
}

/* The share of all that the processes did. */
static void print_phase(const struct tally *t, int phase)
{
	unsigned long long ns = t->phase_ns[phase];

	printf("%-30s: %10llu ms", phase_titles[phase],
	       (ns + 500000) / 1000000);
	if (t->sum_ns > 0)
		printf("  %5.1f %%", 100.0 * (double)ns / (double)t->sum_ns);
	putchar('\n');
}

/* And how many a second, in units of which one is that many. */
static void print_rate(const char *title, unsigned long long count,
		       const struct report *r, double one, const char *unit)
{
	printf("%-30s: %10llu", title, count);
	if (count > 0 && r->elapsed_ns > 0)
		printf("     %9.1f%s/s", (double)count / one * 1e9 /
		       (double)r->elapsed_ns, unit);
	putchar('\n');
}

static unsigned long long us(unsigned long long ns)
{
	return (ns + 500) / 1000;
}

static void print_times(const struct options *options,
			const struct report *r)
{
	const struct tally *t = &r->tally;
	char when[WHEN_SIZE];
	int i;

	print_ms("Ran for", r->elapsed_ns);
	printf("%-30s: %s\n", "Until", when_report(r->end_ns, when));
	print_count("Number of smbd with clients", t->processes);
	putchar('\n');
	for (i = 0; i < TSMBD_PHASES; i++)
		print_phase(t, i);
	printf("%s\n", rule);
	print_ms("Time sum", t->sum_ns);
	putchar('\n');
	if (options->calls)
		print_ms("Time in syscalls", t->syscall_ns);
	print_ms("Time in READ disk IO", r->counters.disk[0].ns);
	print_ms("Time in WRITE disk IO", r->counters.disk[1].ns);
	putchar('\n');
}

enum { COLUMNS = 12 };

static const char *const columns[COLUMNS] = {
	"Count", "Total us", "Avg us", "Min us", "Max us", "Running us",
	"ctdb us", "oplock us", "other us", "Errors", "Bytes in", "Bytes out",
};

static void fill_row(const struct counters *c, int op,
		     unsigned long long row[COLUMNS])
{
	const struct tsmbd_op *o = &c->ops[op];
	unsigned long long known = o->run_ns + o->ctdb_ns + o->oplock_ns;
	const unsigned long long values[COLUMNS] = {
		o->count, us(o->total_ns), us(o->total_ns / o->count),
		us(c->extremes[op].min), us(c->extremes[op].max),
		us(o->run_ns), us(o->ctdb_ns), us(o->oplock_ns),
		us(o->total_ns > known ? o->total_ns - known : 0), o->errors,
		o->bytes_in, o->bytes_out,
	};

	memcpy(row, values, sizeof(values));
}

/* As wide as what is in it: a NOTIFY may wait for days. */
static int width_of(const struct counters *c, int column)
{
	unsigned long long row[COLUMNS];
	int width = 8;
	int length;
	int op;

	if ((int)strlen(columns[column]) > width)
		width = (int)strlen(columns[column]);
	for (op = 0; op < TSMBD_OPS; op++) {
		if (c->ops[op].count == 0)
			continue;
		fill_row(c, op, row);
		length = snprintf(NULL, 0, "%llu", row[column]);
		width = length > width ? length : width;
	}
	return width;
}

static void print_ops(const struct counters *c)
{
	unsigned long long row[COLUMNS];
	int widths[COLUMNS];
	int op, i;

	printf("%-23s", "SMB2 Requests");
	for (i = 0; i < COLUMNS; i++) {
		widths[i] = width_of(c, i);
		printf(" %*s", widths[i], columns[i]);
	}
	putchar('\n');
	for (op = 0; op < TSMBD_OPS; op++) {
		if (c->ops[op].count == 0)
			continue;
		fill_row(c, op, row);
		printf("%-23s", name_of_op((unsigned int)op));
		for (i = 0; i < COLUMNS; i++)
			printf(" %*llu", widths[i], row[i]);
		putchar('\n');
	}
}

static void print_errors(const struct counters *c, const char *title,
			 bool benign)
{
	char buffer[NAME_SIZE];
	int printed = 0;
	int i;

	for (i = 0; i < c->num_errors; i++) {
		const struct error_count *e = &c->errors[i];

		if (e->count == 0 || benign !=
		    status_is_benign(e->key.opcode, e->key.status))
			continue;
		if (printed++ == 0)
			printf("\n%-23s %8s  %s\n", title, "Count", "Status");
		printf("%-23s %8llu  %s\n", name_of_op(e->key.opcode),
		       e->count, name_of_status(e->key.status, buffer));
	}
}

static int by_count(const void *a, const void *b)
{
	const struct error_count *x = a;
	const struct error_count *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->key.opcode != y->key.opcode)
		return x->key.opcode < y->key.opcode ? -1 : 1;
	return x->key.status < y->key.status ? -1 : 1;
}

void report_sort_errors(struct report *r)
{
	qsort(r->counters.errors, (size_t)r->counters.num_errors,
	      sizeof(r->counters.errors[0]), by_count);
}

static void print_calls(const struct counters *c)
{
	struct error_count order[TSMBD_SYSCALLS];
	char buffer[NAME_SIZE];
	int count = 0;
	int i;

	for (i = 0; i < TSMBD_SYSCALLS; i++) {
		if (c->calls[i].count == 0)
			continue;
		order[count].key.opcode = (unsigned int)i;
		order[count++].count = c->calls[i].ns;
	}
	qsort(order, (size_t)count, sizeof(order[0]), by_count);
	printf("\n%-23s %8s %10s\n", "System call", "Count", "Total us");
	for (i = 0; i < count; i++) {
		unsigned int number = order[i].key.opcode;

		printf("%-23s %8llu %10llu\n", name_of_call(number, buffer),
		       c->calls[number].count, us(c->calls[number].ns));
	}
}

static void print_slots(const char *title, const unsigned long long *slots)
{
	static const char bar[] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
	unsigned long long most = 0;
	int first = TSMBD_SLOTS;
	int last = -1;
	int i;

	for (i = 0; i < TSMBD_SLOTS; i++) {
		if (slots[i] == 0)
			continue;
		most = slots[i] > most ? slots[i] : most;
		first = i < first ? i : first;
		last = i;
	}
	if (last < 0)
		return;
	printf("\n%s distribution (microseconds)\n%10s |%-*s count\n", title,
	       "value", (int)sizeof(bar) - 1,
	       "----------------------------------------");
	for (i = first; i <= last; i++) {
		int width = (int)(slots[i] * (sizeof(bar) - 1) / most);

		printf("%10llu |%-*.*s %llu\n", i == 0 ? 0 : 1ULL << i,
		       (int)sizeof(bar) - 1, width, bar, slots[i]);
	}
}

static void print_distributions(const struct report *r)
{
	int op;

	for (op = 0; op < TSMBD_OPS; op++)
		print_slots(name_of_op(op), r->counters.ops[op].slots);
	print_slots("READ IO", r->counters.disk[0].slots);
	print_slots("WRITE IO", r->counters.disk[1].slots);
}

static void print_top(const struct options *options, const struct report *r)
{
	static const char *const titles[] = {
		[TSMBD_CLIENTS] = "Client", [TSMBD_USERS] = "User",
		[TSMBD_SHARES] = "Share", [TSMBD_FILES] = "File",
	};
	int i;

	printf("\n%10s %14s %12s  %s\n", "Requests", "Bytes", "Total us",
	       titles[options->top_by]);
	for (i = 0; i < r->num_top; i++) {
		const struct client *c = &r->top[i];

		printf("%10llu %14llu %12llu  ", c->value.requests,
		       c->value.bytes, us(c->value.ns));
		text_print(c->name, "");
		putchar('\n');
	}
}

static void print_lost(const struct counters *c)
{
	int i;

	for (i = 0; i < TSMBD_LOST_KINDS; i++) {
		if (c->lost[i] > 0)
			printf("\nLost: %llu %s\n", c->lost[i],
			       lost_titles[i]);
	}
}

void report_print(const struct options *options, const struct report *r,
		  bool again)
{
	if (again)
		puts("\n=============================================");
	print_times(options, r);
	print_rate("Number of tevent events", r->tally.events, r, 1, "");
	print_rate("Number of SMB2 requests", r->tally.requests, r, 1, "");
	print_rate("Number of ctdb requests", r->tally.ctdb_requests, r, 1,
		   "");
	print_rate("Bytes received", r->tally.bytes_in, r, 1e6, " MB");
	print_rate("Bytes sent", r->tally.bytes_out, r, 1e6, " MB");
	putchar('\n');
	print_ops(&r->counters);
	print_errors(&r->counters, "Errors", false);
	print_errors(&r->counters, "No failures", true);
	if (options->calls)
		print_calls(&r->counters);
	if (options->distributions)
		print_distributions(r);
	if (options->top_by != TSMBD_TOP_NONE)
		print_top(options, r);
	if (options->oplocks)
		waits_print();
	print_lost(&r->counters);
}
