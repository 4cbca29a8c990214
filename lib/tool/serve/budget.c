/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * budget.c - an account of the time that probes take from a program.
 *
 *	credit	budget * processor time of the program
 *	debit	hits * (the trap, measured on a site of our own at the start +
 *		the program of the hit, measured at one of 64 hits)
 *
 * When the account is overdrawn and the costs of a second are above the budget,
 * the part that costs most is let go. When the debt is paid, what was let go
 * first is attached again: if it is still too expensive, that is for a second.
 * So the costs stay within the budget, whatever the load is. While a span is
 * attached it is counted exactly. The report says how long it was not attached.
 *
 * An idle program gets little credit, but at least what the rest of its load
 * gave when the span was let go. The span is tried after a while in any case.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "common/tool.h"
#include "serve/budget.h"
#include "top/attach.h"
#include "top/catalogue.h"
#include "top/rows.h"
#include "top/sweep.h"

enum {
	OVERDRAFT = 10,			/* seconds of credit */
	STAYS = 10,			/* seconds, then it is said so */
	SLACK_NS = 20000000,
	PATIENCE = 10,			/* seconds; divided by share */
};

struct part {
	unsigned long long hits;	/* since the last decision */
	bool let_go;
	bool said;
	double since;			/* the time of the last change */
};

static struct engine *engine;
static const struct plan *plan;
static struct serve_place place;
static double share;			/* 0: no limit */
static double balance;			/* nanoseconds */
static double cpu_rate;			/* processors that the program uses */
static double floor_rate;		/* at least, without what was let go */
static double credited;			/* the time of the last credit */
static bool has_credit;			/* since the last decision */
static double spent, spent_ns;		/* costs since then, in what time */
static struct part parts[ATTACH_PARTS];

static double now_s(void)
{
	return (double)engine_now() / 1e9;
}

void budget_begin(struct engine *the_engine, const struct plan *the_plan,
		  const struct serve_place *at, unsigned int percent)
{
	engine = the_engine;
	plan = the_plan;
	place = *at;
	share = percent / 100.0;
	credited = now_s();
}

/* Processor time is known in ticks of 10 ms: an idle program seems to have 0. */
static double overdraft(void)
{
	return share * cpu_rate * OVERDRAFT * 1e9 + SLACK_NS;
}

void budget_credit(unsigned long long cpu_ns)
{
	double now = now_s();
	double ns = (double)cpu_ns;
	double elapsed = now - credited;

	if (elapsed <= 0)
		return;
	has_credit = true;
	cpu_rate = ns / elapsed / 1e9;
	if (ns < floor_rate * elapsed * 1e9)
		ns = floor_rate * elapsed * 1e9;
	balance += share * ns;
	if (balance > overdraft())
		balance = overdraft();
	credited = now;
}

/* The price of a hit, in nanoseconds. */
static double price(void)
{
	int cpus = libbpf_num_possible_cpus();
	struct top_cost *costs, sum = { .hits = 0 };
	const unsigned int zero = 0;
	int i;

	if (cpus <= 0)
		return engine->trap_ns;
	costs = tool_zeros((size_t)cpus, sizeof(*costs));
	if (bpf_map_lookup_elem(engine->costs, &zero, costs) == 0) {
		for (i = 0; i < cpus; i++) {
			sum.timed += costs[i].timed;
			sum.timed_ns += costs[i].timed_ns;
		}
	}
	free(costs);
	return engine->trap_ns + (sum.timed == 0 ? 0 :
		(double)sum.timed_ns / (double)sum.timed);
}

/* Adds the hits since the last report to the parts; returns how many in all. */
static unsigned long long count_hits(const struct report *sample)
{
	static unsigned long long before[TOP_SPANS];
	unsigned long long hits, all = 0;
	const struct total_row *total;
	const struct span_row *probe;

	REPORT_FOR_EACH_ROW(total, sample, ROWS_TOTALS) {
		hits = total->stats.started + total->stats.ended +
		       total->stats.unmatched + total->stats.paused;
		parts[attach_part_of(total->span)].hits +=
			hits - before[total->span];
		all += hits - before[total->span];
		before[total->span] = hits;
	}
	REPORT_FOR_EACH_ROW(probe, sample, ROWS_PROBES) {
		parts[attach_part_of(ATTACH_PROBES)].hits += probe->count;
		all += probe->count;
	}
	return all;
}

static void add_rows(unsigned long long hits, double cost,
		     unsigned long long elapsed_ns, struct report *report)
{
	struct program_row row = {
		.at = place, .hits = hits, .cost_ns = (unsigned long long)cost,
	};
	struct span_sum *sum;

	report_add_row(report, SERVE_PROGRAMS, &row);
	REPORT_FOR_EACH_ROW(sum, report, SERVE_SPANS) {
		unsigned int i;

		for (i = 0; i < plan->spans.count; i++) {
			const struct span *span = &plan->spans.span[i];

			if (strcmp(span->text->name, sum->of.span) == 0 &&
			    strcmp(span->provider, sum->of.provider) == 0 &&
			    parts[attach_part_of(i)].let_go)
				sum->let_go_ns = elapsed_ns;
		}
	}
}

/* "span postgresql:sort", or "spans a:b, a:c". */
static char *name_of(unsigned int part)
{
	unsigned long long spans = attach_spans(part);
	const char *before = spans & (spans - 1) ? "spans " : "span ";
	char *text;
	FILE *file = tool_open_text(&text);
	size_t i;

	if (part == attach_part_of(ATTACH_PROBES))
		fputs("the probes without a span", file);
	for (i = 0; i < plan->spans.count; i++) {
		if (!(spans >> i & 1))
			continue;
		fprintf(file, "%s%s:%s", before, plan->spans.span[i].provider,
			plan->spans.span[i].text->name);
		before = ", ";
	}
	tool_close_text(file);
	return text;
}

/* Stacks are of threads: what is on them is forgotten at their next hit. */
static void forget_stacks(unsigned long long spans)
{
	size_t i;

	for (i = 0; i < plan->spans.count; i++) {
		if (spans >> i & 1 && plan->spans.span[i].by_thread)
			engine->epochs[plan->kernel[i].stack]++;
	}
}

static void let_go(unsigned int number, double cost_rate)
{
	struct part *part = &parts[number];
	char *name;

	attach_let_go(number);
	forget_stacks(attach_spans(number));
	sweep_spans(engine, plan, attach_spans(number));
	if (floor_rate < cpu_rate - cost_rate)
		floor_rate = cpu_rate - cost_rate;
	part->let_go = true;
	part->since = now_s();
	if (part->said)
		return;
	name = name_of(number);
	tool_complain("%s: let go, and tried again from time to time: probes "
		      "cost the program more than %.0f %% of its processor "
		      "time, which is the budget", name, 100 * share);
	free(name);
	part->said = true;
}

static void say_again(unsigned int number)
{
	char *name = name_of(number);

	tool_complain("%s: counted again without a gap", name);
	free(name);
	parts[number].said = false;
	floor_rate = 0;
}

/* Attaches the part that was let go first. */
static void attach_first(void)
{
	struct part *first = NULL;
	unsigned int i;

	for (i = 0; i < ATTACH_PARTS; i++) {
		if (parts[i].let_go &&
		    (first == NULL || parts[i].since < first->since))
			first = &parts[i];
	}
	if (first == NULL || (balance < 0 &&
			      now_s() - first->since < PATIENCE / share))
		return;
	if (balance < 0)
		balance = 0;
	first->since = now_s();
	first->let_go = !attach_part((unsigned int)(first - parts));
}

/*
 * Once for a credit: on a busy machine reports come faster, and a program that
 * was idle at the last credit seems to afford nothing.
 */
static void decide(double cost_rate)
{
	unsigned int most = 0;
	unsigned int i;

	for (i = 0; i < ATTACH_PARTS; i++) {
		if (parts[i].hits > parts[most].hits)
			most = i;
		if (parts[i].said && !parts[i].let_go &&
		    now_s() - parts[i].since > STAYS)
			say_again(i);
	}
	if (balance < -overdraft() && cost_rate > share * cpu_rate &&
	    !parts[most].let_go && parts[most].hits > 0)
		let_go(most, cost_rate);
	else
		attach_first();
	for (i = 0; i < ATTACH_PARTS; i++)
		parts[i].hits = 0;
	spent = spent_ns = 0;
	has_credit = false;
}

void budget_take(const struct report *sample, struct report *report)
{
	unsigned long long hits = count_hits(sample);
	double cost = (double)hits * price();

	add_rows(hits, cost, sample->elapsed_ns, report);
	balance -= cost;
	spent += cost;
	spent_ns += (double)sample->elapsed_ns;
	if (share > 0 && has_credit && spent_ns > 0)
		decide(spent / spent_ns);
}
