/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.c - reads the maps of the kernel into rows.
 *
 *	row of a map, of few names one of each processor -> their sum -> less
 *	what it was at the last reading -> struct span_row
 *
 * Maps count from the beginning on. Only maxima begin anew: the kernel keeps
 * those of this report and of the next one side by side. A span that ends after
 * the next report has begun, and before its row is read, is in the maximum of
 * the next report, and counted in this one: see rows_longest().
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "common/tool.h"
#include "lib/text/host.h"
#include "probes/names.h"
#include "top/sample.h"
#include "top/sweep.h"
#include "top/turn.h"

/*
 * What the kernel had counted of a name when it was read last. Here, max[0] is
 * the longest time of this report, and max[1] that of the next one.
 */
struct counted {
	struct top_row_key key;
	struct top_row sum;		/* of all processors */
};

enum { FEW, NAMED, COUNTED_TABLES };	/* the maps that have the rows */

static const struct report_key counted_keys[] = {
	{ .offset = offsetof(struct counted, key.span) },
	{ .offset = offsetof(struct counted, key.other) },
	{ .offset = offsetof(struct counted, key.name[0]), .wide = true },
	{ .offset = offsetof(struct counted, key.name[1]), .wide = true },
};

#define COUNTED {							\
	.row_size = sizeof(struct counted), .keys = counted_keys,	\
	.num_keys = sizeof(counted_keys) / sizeof(counted_keys[0]) }

static const struct report_table counted_table[COUNTED_TABLES] = {
	[FEW] = COUNTED, [NAMED] = COUNTED,
};
static const struct report_tables counted_tables = {
	counted_table, COUNTED_TABLES,
};

static struct report *counted;
static unsigned long long hits[TOP_MAX_RATES];	/* of probes, when read last */
static unsigned long long ended[TOP_SPANS];	/* since the beginning */
static unsigned long long taken_ns;		/* the end of the last report */

/* What a report is made of. */
struct taking {
	const struct engine *engine;
	const struct plan *plan;
	struct report *sample;
	void (*on_span)(const struct span_row *row, void *context);
	void *context;
};

static int possible_cpus(void)
{
	static int cpus;

	if (cpus == 0)
		cpus = libbpf_num_possible_cpus();
	return cpus > 0 ? cpus : 1;
}

static void *new_values(size_t size)
{
	return tool_zeros((size_t)possible_cpus(), (size + 7) & ~7UL);
}

/* Adds what a CPU has counted. */
static void add_cpu(struct top_row *sum, const struct top_row *cpu,
		    unsigned int report)
{
	unsigned long long max;
	int i;

	for (i = 0; i < 2; i++, report++) {
		max = top_max_ns(cpu->max[report & 1], report);
		if (max > sum->max[i])
			sum->max[i] = max;
	}
	sum->errors += cpu->errors;
	sum->running_ns += cpu->running_ns;
	sum->waiting_ns += cpu->waiting_ns;
	sum->self_ns += cpu->self_ns;
	for (i = 0; i < TOP_SUMS; i++)
		sum->sum[i] += cpu->sum[i];
	for (i = 0; i < SLOTS_FINE; i++)
		sum->slots[i] += cpu->slots[i];
}

/* Returns what is more than before. Slots have 32 bits, and begin anew. */
static struct span_row difference(const struct counted *now,
				  const struct counted *before)
{
	const struct top_row *a = &now->sum, *b = &before->sum;
	struct span_row row = {
		.key = now->key,
		.errors = a->errors - b->errors,
		.running_ns = a->running_ns - b->running_ns,
		.self_ns = a->self_ns - b->self_ns,
	};
	int i;

	for (i = 0; i < TOP_SUMS; i++)
		row.sum[i] = a->sum[i] - b->sum[i];
	for (i = 0; i < SLOTS_FINE; i++) {
		row.slots[i] = a->slots[i] - b->slots[i];
		row.count += row.slots[i];
	}
	row.total_ns = row.running_ns + a->waiting_ns - b->waiting_ns;
	row.max_ns = rows_longest(&row, a->max, 2);
	return row;
}

void sample_value(const struct engine *engine, const struct span_label *label,
		  unsigned long long value, char *text, size_t size)
{
	const struct sdtkit_enumerator *named = label->names == NULL ? NULL :
		names_find_value(label->names, (int64_t)value);
	struct top_text found;

	if (named != NULL)
		snprintf(text, size, "%s", named->name);
	else if (label->is_text && (engine->source != NULL ?
		 engine->source->text(value, &found) :
		 turn_text(engine, value, &found)))
		snprintf(text, size, "%.*s", TOP_TEXT, found.text);
	else if (label->is_text)
		snprintf(text, size, "(not kept)");
	else if (label->is_address)	/* as sdtkit trace prints them */
		snprintf(text, size, "0x%llx", value);
	else if (label->is_signed)
		snprintf(text, size, "%" PRId64, (int64_t)value);
	else
		snprintf(text, size, "%llu", value);
	if (label->is_host)
		sdtkit_cut_to_host(text);
}

static const char *separator = " | ";

void sample_separate_by(const char *text)
{
	separator = text;
}

void sample_name(const struct engine *engine, const struct span *span,
		 const unsigned long long name[TOP_NAMES], char *text,
		 size_t size)
{
	char one[TOP_TEXT + 32];
	size_t used = 0;
	int i;

	text[0] = '\0';
	for (i = 0; i < span->num_names; i++) {
		sample_value(engine, &span->name[i], name[i], one,
			     sizeof(one));
		snprintf(text + used, size - used, "%s%s",
			 i > 0 ? separator : "", one[0] != '\0' ||
			 span->num_names == 1 ? one : "-");
		used = strlen(text);
	}
}

/*
 * Rows with one host are one row: its name is the key. So are rows with one text
 * in several recorders, of which each has its own hash for a text.
 */
static void forget_numbers(const struct engine *engine, struct span_row *row)
{
	const struct span *span = rows_span(row);
	int i;

	for (i = 0; i < span->num_names; i++) {
		if (span->name[i].is_host ||
		    (engine->source != NULL && span->name[i].is_text))
			memset(row->key.name, 0, sizeof(row->key.name));
	}
}

/* Fills in what a row is about. */
static void complete(const struct engine *engine, const struct plan *plan,
		     struct span_row *row)
{
	if (row->key.other)
		snprintf(row->name, sizeof(row->name), REPORT_OTHER);
	else
		sample_name(engine, rows_span(row), row->key.name, row->name,
			    sizeof(row->name));
	if (!(plan->flags & (TOP_HAS_PARENT | TOP_BY_THREAD)))
		row->self_ns = row->running_ns;
}

static void take_row(const struct taking *t, struct span_row *row)
{
	complete(t->engine, t->plan, row);
	forget_numbers(t->engine, row);
	if (t->on_span != NULL)
		t->on_span(row, t->context);
	else
		report_add_row(t->sample, ROWS_SPANS, row);
}

/* Takes a row of the kernel. If it is not read again, nothing is kept of it. */
static void take_counted(const struct taking *t, size_t table,
			 const struct top_row_key *key,
			 const struct top_row *cpus, int num_cpus, bool is_last)
{
	static const struct counted none;
	unsigned int report = *t->engine->report - 1;
	struct counted now = { .key = *key };
	struct counted *before;
	struct span_row row;
	int i;

	for (i = 0; i < num_cpus; i++)
		add_cpu(&now.sum, &cpus[i], report);
	if (difference(&now, &none).count == 0)
		return;
	before = is_last ? report_find(counted, table, &now) :
			   report_want(counted, table, &now);
	row = difference(&now, before != NULL ? before : &none);
	/* what a hit has added before its slot is in the report of the slot */
	if (row.count == 0)
		return;
	if (before != NULL)
		before->sum = now.sum;
	ended[key->span] += row.count;
	take_row(t, &row);
}

/* Rows of names that are small numbers, which remain. */
static void take_few(const struct taking *t)
{
	struct top_row *cpus = new_values(sizeof(*cpus));
	struct top_row_key key;
	unsigned int i;

	for (i = 0; i < TOP_FEW * t->plan->spans.count; i++) {
		key = (struct top_row_key){ .span = i / TOP_FEW };
		key.name[0] = i % TOP_FEW;
		if (bpf_map_lookup_elem(t->engine->few, &i, cpus) == 0)
			take_counted(t, FEW, &key, cpus, possible_cpus(),
				     false);
	}
	free(cpus);
}

/* All other names, in the present map or, a last time, in an old one. */
static void take_named(const struct taking *t, int map, bool is_last)
{
	struct top_row_key *last = NULL;
	struct top_row_key key;
	struct top_row row;

	while (bpf_map_get_next_key(map, last, &key) == 0) {
		if (bpf_map_lookup_elem(map, &key, &row) == 0)
			take_counted(t, NAMED, &key, &row, 1, is_last);
		last = &key;
	}
	/* the names in the new map begin at 0 */
	if (is_last)
		report_truncate(counted, NAMED, 0);
}

static void take_probes(const struct taking *t)
{
	unsigned long long *cpus = new_values(sizeof(*cpus));
	unsigned int i;
	int cpu;

	for (i = 0; i < t->plan->num_rates; i++) {
		struct span_row *row = report_append(t->sample, ROWS_PROBES);
		unsigned long long sum = 0;

		row->key.span = TOP_SPANS + (unsigned int)t->plan->rate[i];
		if (bpf_map_lookup_elem(t->engine->rates, &i, cpus) != 0)
			continue;
		for (cpu = 0; cpu < possible_cpus(); cpu++)
			sum += cpus[cpu];
		row->count = sum - hits[i];
		hits[i] = sum;
	}
	free(cpus);
}

static void read_stats(const struct engine *engine, unsigned int span,
		       struct top_stats *stats)
{
	enum { NUMBERS = sizeof(*stats) / sizeof(unsigned long long) };
	struct top_stats *cpus = new_values(sizeof(*cpus));
	unsigned long long *to = (unsigned long long *)stats;
	int cpu, i;

	memset(stats, 0, sizeof(*stats));
	if (bpf_map_lookup_elem(engine->stats, &span, cpus) == 0) {
		for (cpu = 0; cpu < possible_cpus(); cpu++) {
			for (i = 0; i < NUMBERS; i++)
				to[i] += ((unsigned long long *)&cpus[cpu])[i];
		}
	}
	free(cpus);
	stats->left += sweep_removed(span);
}

void sample_under_way(const struct plan *plan, struct total_row *total)
{
	const struct top_stats *s = &total->stats;
	unsigned long long done = s->ended + s->restarted + s->left + s->lost;

	total->under_way = plan_is_alone(plan, total->span) ||
			   s->started < done ? 0 : s->started - done;
}

/*
 * What is under way is told by the numbers of one moment. Rows are read before,
 * and what has begun and ended since is not in them.
 */
static void take_totals(const struct taking *t)
{
	struct total_row *total;
	unsigned long long others;
	unsigned int i;

	for (i = 0; i < t->plan->spans.count; i++) {
		total = report_append(t->sample, ROWS_TOTALS);
		total->span = i;
		read_stats(t->engine, i, &total->stats);
		others = total->stats.ended;
		total->stats.ended += total->stats.counted;
		sample_under_way(t->plan, total);
		total->stats.ended = others + ended[i];
	}
}

static void take_kernel(struct engine *engine, const struct taking *t)
{
	int old;

	if (counted == NULL)
		counted = report_new(&counted_tables);
	++*engine->report;
	old = turn(engine);
	take_few(t);
	take_named(t, old >= 0 ? old : engine->rows, old >= 0);
	take_probes(t);
	take_totals(t);
	if (old >= 0)
		close(old);
}

/* The source tells only what is new, so nothing is subtracted. */
static void take_source(const struct taking *t)
{
	struct report *spans = report_new(&top_tables);
	struct span_row *row;

	t->engine->source->read(t->plan, spans, t->sample);
	REPORT_FOR_EACH_ROW(row, spans, ROWS_SPANS)
		take_row(t, row);
	report_free(spans);
}

struct report *sample_take(struct engine *engine, const struct plan *plan,
			   void (*on_span)(const struct span_row *row,
					   void *context), void *context)
{
	struct report *sample = report_new(&top_tables);
	const struct taking t = { engine, plan, sample, on_span, context };
	struct lost_row *lost;

	sample->end_ns = engine_now();
	sample->elapsed_ns = sample->end_ns -
		(taken_ns != 0 ? taken_ns : engine->began_ns);
	taken_ns = sample->end_ns;
	if (engine->source != NULL)
		take_source(&t);
	else
		take_kernel(engine, &t);
	lost = report_append(sample, ROWS_LOST);
	lost->lines = *engine->lost_lines;
	lost->strings = *engine->lost_strings;
	return sample;
}
