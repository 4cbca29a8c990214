/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.c - reads the maps of the kernel into rows.
 *
 * They count from the beginning on, so a report is the difference between two
 * readings. Only maxima begin anew: the kernel keeps those of this report and
 * of the next one side by side.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "common/tool.h"
#include "probes/names.h"
#include "top/sample.h"

/* What was read last, counted since the beginning. */
static struct report *before;
static unsigned long long purged[TOP_SPANS];

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

/* Adds what a CPU has counted; the maximum is that of the report. */
static void add_cpu(struct span_row *row, const struct top_row *cpu,
		    unsigned int report)
{
	int i;

	row->count += cpu->count;
	row->errors += cpu->errors;
	row->total_ns += cpu->total_ns;
	row->running_ns += cpu->running_ns;
	row->self_ns += cpu->self_ns;
	for (i = 0; i < TOP_SUMS; i++)
		row->sum[i] += cpu->sum[i];
	if (cpu->report[report & 1] == report &&
	    cpu->max[report & 1] > row->max_ns)
		row->max_ns = cpu->max[report & 1];
	for (i = 0; i < SLOTS_FINE; i++)
		row->slots[i] += cpu->slots[i];
}

/* Appends a row of the kernel, if anything was counted there. */
static void read_span(const struct engine *engine, struct report *now,
		      const struct top_row_key *key, const struct top_row *cpus)
{
	unsigned int report = *engine->report - 1;
	struct span_row row = { .key = *key };
	int i;

	for (i = 0; i < possible_cpus(); i++)
		add_cpu(&row, &cpus[i], report);
	if (row.count > 0)
		*(struct span_row *)report_append(now, ROWS_SPANS) = row;
}

static void read_spans(const struct engine *engine, const struct plan *plan,
		       struct report *now)
{
	struct top_row *cpus = new_values(sizeof(*cpus));
	struct top_row_key *last = NULL;
	struct top_row_key key;
	unsigned int i;

	while (bpf_map_get_next_key(engine->rows, last, &key) == 0) {
		if (bpf_map_lookup_elem(engine->rows, &key, cpus) == 0)
			read_span(engine, now, &key, cpus);
		last = &key;
	}
	for (i = 0; i < TOP_FEW * plan->spans.count; i++) {
		key = (struct top_row_key){ .span = i / TOP_FEW };
		key.name[0] = i % TOP_FEW;
		if (bpf_map_lookup_elem(engine->few, &i, cpus) == 0)
			read_span(engine, now, &key, cpus);
	}
	free(cpus);
}

static void read_probes(const struct engine *engine, const struct plan *plan,
			struct report *now)
{
	unsigned long long *cpus = new_values(sizeof(*cpus));
	struct span_row *row;
	unsigned int i;
	int cpu;

	for (i = 0; i < plan->num_rates; i++) {
		row = report_append(now, ROWS_PROBES);
		row->key.span = TOP_SPANS + (unsigned int)plan->rate[i];
		if (bpf_map_lookup_elem(engine->rates, &i, cpus) != 0)
			continue;
		for (cpu = 0; cpu < possible_cpus(); cpu++)
			row->count += cpus[cpu];
	}
	free(cpus);
}

void sample_value(const struct engine *engine, const struct span_label *label,
		  unsigned long long value, char *text, size_t size)
{
	const struct sdtkit_enumerator *named = label->names == NULL ? NULL :
		names_find_value(label->names, (int64_t)value);
	struct top_text found;

	if (named != NULL)
		snprintf(text, size, "%s", named->name);
	else if (label->is_text &&
		 bpf_map_lookup_elem(engine->texts, &value, &found) == 0)
		snprintf(text, size, "%.*s", TOP_TEXT, found.text);
	else if (label->is_text)
		snprintf(text, size, "(not kept)");
	else if (label->is_address)	/* as sdtkit trace prints them */
		snprintf(text, size, "0x%llx", value);
	else if (label->is_signed)
		snprintf(text, size, "%" PRId64, (int64_t)value);
	else
		snprintf(text, size, "%llu", value);
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
			 i > 0 ? " | " : "", one[0] != '\0' ||
			 span->num_names == 1 ? one : "-");
		used = strlen(text);
	}
}

/* Fills in what a row is about. */
static void complete(const struct engine *engine, const struct plan *plan,
		     struct span_row *row)
{
	int i;

	if (row->key.other)
		snprintf(row->name, sizeof(row->name), REPORT_OTHER);
	else
		sample_name(engine, rows_span(row), row->key.name, row->name,
			    sizeof(row->name));
	/* those of the kernel have 32 bits, and begin anew */
	for (i = 0; i < SLOTS_FINE; i++)
		row->slots[i] = (unsigned int)row->slots[i];
	if (!(plan->flags & TOP_SUSPENDS))
		row->running_ns = row->total_ns;
	if (!(plan->flags & (TOP_HAS_PARENT | TOP_BY_THREAD)))
		row->self_ns = row->running_ns;
}

/* Returns a row without what it had before. */
static struct span_row take_row(struct report *now, size_t table, size_t i)
{
	struct span_row row = *(struct span_row *)report_row(now, table, i);
	const void *old = report_find(before, table, &row);

	if (old != NULL)
		report_subtract_row(&top_table[ROWS_SPANS], &row, old);
	return row;
}

static void take_rows(const struct engine *engine, const struct plan *plan,
		      struct report *now, struct report *sample)
{
	struct span_row row;
	size_t i;

	for (i = 0; i < now->rows[ROWS_SPANS].count; i++) {
		row = take_row(now, ROWS_SPANS, i);
		if (row.count == 0)
			continue;
		complete(engine, plan, &row);
		*(struct span_row *)report_append(sample, ROWS_SPANS) = row;
	}
	for (i = 0; i < now->rows[ROWS_PROBES].count; i++)
		*(struct span_row *)report_append(sample, ROWS_PROBES) =
			take_row(now, ROWS_PROBES, i);
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
	stats->left += purged[span];
}

static unsigned long long under_way(const struct top_stats *s)
{
	unsigned long long done = s->ended + s->restarted + s->left + s->lost;

	return s->started > done ? s->started - done : 0;
}

void sample_purged(unsigned int span, unsigned long long count)
{
	purged[span] += count;
}

static void take_totals(const struct engine *engine, const struct plan *plan,
			const struct report *now, struct report *sample)
{
	struct total_row *total;
	unsigned int i;
	size_t j;

	for (i = 0; i < plan->spans.count; i++) {
		total = report_append(sample, ROWS_TOTALS);
		total->span = i;
		read_stats(engine, i, &total->stats);
		total->stats.ended = 0;
	}
	for (j = 0; j < now->rows[ROWS_SPANS].count; j++) {
		const struct span_row *row = report_row(now, ROWS_SPANS, j);

		total = report_row(sample, ROWS_TOTALS, row->key.span);
		total->stats.ended += row->count;
	}
	for (i = 0; i < plan->spans.count; i++) {
		total = report_row(sample, ROWS_TOTALS, i);
		total->under_way = plan_is_alone(plan, i) ? 0 :
			under_way(&total->stats);
	}
}

struct report *sample_take(struct engine *engine, const struct plan *plan)
{
	struct report *sample = report_new(&top_tables);
	struct report *now = report_new(&top_tables);
	struct lost_row *lost;

	if (before == NULL) {
		before = report_new(&top_tables);
		before->end_ns = engine->began_ns;
	}
	sample->end_ns = now->end_ns = engine_now();
	sample->elapsed_ns = now->end_ns - before->end_ns;
	++*engine->report;
	read_spans(engine, plan, now);
	read_probes(engine, plan, now);
	take_rows(engine, plan, now, sample);
	take_totals(engine, plan, now, sample);
	lost = report_append(sample, ROWS_LOST);
	lost->lines = *engine->lost_lines;
	report_free(before);
	before = now;
	return sample;
}
