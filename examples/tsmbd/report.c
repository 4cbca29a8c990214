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
 * and then tables, see tables.c.
 * It keeps the words of the report that Ralph Boehme's tsmbd of 2017
 * printed, so that both can be laid side by side.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "quantile.h"
#include "report.h"
#include "text.h"
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
	[TSMBD_LOST_PROCESSES] = "hits of probes, as too many processes ran",
	[TSMBD_LOST_REQUESTS] = "requests, as too many were under way",
	[TSMBD_LOST_DETAILS] = "requests whose names did not fit",
	[TSMBD_LOST_ERRORS] = "errors that did not fit into their table",
	[TSMBD_LOST_TOP] = "requests that did not fit into --top",
	[TSMBD_LOST_WAITS] = "waits that did not fit into their table",
	[TSMBD_LOST_LINES] = "lines, as too many came at a time",
	[TSMBD_LOST_SAMPLES] = "samples of --flame, as too many came",
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
	print_count("Connected at the end", t->connected);
	printf("%-30s: %10llu     that began since the start\n", "Sessions",
	       t->sessions);
	print_count("Open files", t->opens);
	printf("%-30s: %10llu", "Requests under way", t->under_way);
	if (t->notifies > 0)
		printf("     %9llu wait for changes", t->notifies);
	puts("\n");
	for (i = 0; i < TSMBD_PHASES; i++)
		print_phase(t, i);
	printf("%s\n", rule);
	printf("%-30s: %10llu ms     %9llu smbd together\n\n", "Time sum",
	       (t->sum_ns + 500000) / 1000000, t->processes);
	if (options->calls)
		print_ms("Time in syscalls", t->syscall_ns);
	print_ms("Time in READ disk IO", r->counters.disk[0].ns);
	print_ms("Time in WRITE disk IO", r->counters.disk[1].ns);
	putchar('\n');
}

static void print_errors(const struct counters *c, const char *title,
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
			printf("\n%-23s %8s  %s\n", title, "Count", "Status");
		printf("%-23s %8llu  %s\n", name_of_op(e->opcode),
		       e->count, name_of_status(e->status, buffer));
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
		order[count].opcode = (unsigned int)i;
		order[count++].count = c->calls[i].ns;
	}
	qsort(order, (size_t)count, sizeof(order[0]), by_count);
	printf("\n%-23s %8s %10s\n", "System call", "Count", "Total us");
	for (i = 0; i < count; i++) {
		unsigned int number = order[i].opcode;

		printf("%-23s %8llu %10llu\n", name_of_call(number, buffer),
		       c->calls[number].count, us(c->calls[number].ns));
	}
}

static void print_slots(const char *title, const char *unit,
			const unsigned long long *slots)
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
	printf("\n%s distribution (%s)\n%10s |%-*s count\n", title, unit,
	       "value", (int)sizeof(bar) - 1,
	       "----------------------------------------");
	for (i = first; i <= last; i++) {
		int width = (int)(slots[i] * (sizeof(bar) - 1) / most);

		printf("%10llu |%-*.*s %llu\n", i == 0 ? 0 : 1ULL << i,
		       (int)sizeof(bar) - 1, width, bar, slots[i]);
	}
}

static void print_size(const char *title, const struct tsmbd_size *size)
{
	print_slots(title, "bytes", size->slots);
	if (size->count > 0)
		printf("%10s %.1f %% sequential\n", "",
		       100.0 * (double)size->sequential /
		       (double)size->count);
}

static void print_distributions(const struct counters *c)
{
	unsigned long long slots[TSMBD_SLOTS];
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		quantile_fold(c->ops[op].slots, slots);
		print_slots(name_of_op(op), "microseconds", slots);
	}
	print_slots("READ IO", "microseconds", c->disk[0].slots);
	print_slots("WRITE IO", "microseconds", c->disk[1].slots);
	print_size("READ size", &c->sizes[0]);
	print_size("WRITE size", &c->sizes[1]);
}

/* As the option was given. */
static void print_filter(const char *what, const struct filter *filter)
{
	int i;

	for (i = 0; i < filter->count; i++) {
		fputs(i == 0 ? what : ",", stdout);
		text_print(filter->names[i], "");
	}
}

static void print_filters(const struct options *o, bool matched)
{
	int op, commands = 0;

	if (!options_filter(o))
		return;
	printf("%-30s:", "Only requests with");
	print_filter(" --share=", &o->filters[TSMBD_SHARES]);
	print_filter(" --client=", &o->filters[TSMBD_CLIENTS]);
	print_filter(" --user=", &o->filters[TSMBD_USERS]);
	for (op = 0; op < TSMBD_OPS && o->commands != ~0U; op++) {
		if (o->commands & 1U << op)
			printf("%s%s", commands++ == 0 ? " --command=" : ",",
			       name_of_op((unsigned int)op));
	}
	putchar('\n');
	if (!matched)
		puts("No request was such a one; --top=shares,clients,users "
		     "without them shows the names.");
}

struct totals report_totals(const struct report *r)
{
	struct totals totals = { 0 };
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		totals.requests += r->counters.ops[op].count;
		totals.bytes_in += r->counters.ops[op].bytes_in;
		totals.bytes_out += r->counters.ops[op].bytes_out;
	}
	return totals;
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
	struct totals totals = report_totals(r);

	if (again)
		puts("\n=============================================");
	else if (options_lines(options))
		putchar('\n');		/* behind the lines */
	print_times(options, r);
	print_rate("Number of tevent events", r->tally.events, r, 1, "");
	print_rate("Number of SMB2 requests", totals.requests, r, 1, "");
	print_rate("Number of ctdb requests", r->tally.ctdb_requests, r, 1,
		   "");
	print_rate("Bytes received", totals.bytes_in, r, 1e6, " MB");
	print_rate("Bytes sent", totals.bytes_out, r, 1e6, " MB");
	print_filters(options, totals.requests > 0);
	report_requests(&r->counters);
	print_errors(&r->counters, "Errors", false);
	print_errors(&r->counters, "Not failures", true);
	if (options->calls)
		print_calls(&r->counters);
	if (options->distributions)
		print_distributions(&r->counters);
	report_names(options, r);
	print_lost(&r->counters);
}
