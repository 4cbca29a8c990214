/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.c - reads the tables of the kernel.
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
#include "lib/slots/slots.h"
#include "probes/names.h"
#include "top/sample.h"

/* All rows as they were read last, sorted by key. */
static struct sample_row *before;
static size_t num_before;
static unsigned long long *rates_before;
static unsigned long long time_before;
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
	void *values = calloc((size_t)possible_cpus(), (size + 7) & ~7UL);

	if (values == NULL)
		tool_no_memory();
	return values;
}

int sample_by_key(const void *a, const void *b)
{
	const struct sample_row *x = a, *y = b;

	return memcmp(&x->key, &y->key, sizeof(x->key));
}

/* Adds what a CPU has counted; the maximum is that of the report. */
static void add_cpu(struct sample_row *row, const struct top_row *cpu,
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

struct rows {
	struct sample_row *row;
	size_t count;
	size_t capacity;
	unsigned int report;
};

/* Adds a row of the kernel, if anything was counted there. */
static void add_row(struct rows *rows, const struct top_row_key *key,
		    const struct top_row *cpus)
{
	struct sample_row *row;
	int i;

	rows->row = tool_grow(rows->row, rows->count, &rows->capacity,
			      sizeof(*row));
	row = &rows->row[rows->count];
	*row = (struct sample_row){ .key = *key };
	for (i = 0; i < possible_cpus(); i++)
		add_cpu(row, &cpus[i], rows->report);
	rows->count += row->count > 0;
}

static struct sample_row *read_rows(const struct engine *engine,
				    const struct plan *plan,
				    unsigned int report, size_t *count)
{
	struct top_row *cpus = new_values(sizeof(*cpus));
	struct rows rows = { .report = report };
	struct top_row_key *last = NULL;
	struct top_row_key key;
	unsigned int i;

	while (bpf_map_get_next_key(engine->rows, last, &key) == 0) {
		if (bpf_map_lookup_elem(engine->rows, &key, cpus) == 0)
			add_row(&rows, &key, cpus);
		last = &key;
	}
	for (i = 0; i < TOP_FEW * plan->spans.count; i++) {
		key = (struct top_row_key){ .span = i / TOP_FEW };
		key.name[0] = i % TOP_FEW;
		if (bpf_map_lookup_elem(engine->few, &i, cpus) == 0)
			add_row(&rows, &key, cpus);
	}
	free(cpus);
	if (rows.count > 0)
		qsort(rows.row, rows.count, sizeof(*rows.row), sample_by_key);
	*count = rows.count;
	return rows.row;
}

static void subtract(struct sample_row *row, const struct sample_row *old)
{
	int i;

	row->count -= old->count;
	row->errors -= old->errors;
	row->total_ns -= old->total_ns;
	row->running_ns -= old->running_ns;
	row->self_ns -= old->self_ns;
	for (i = 0; i < TOP_SUMS; i++)
		row->sum[i] -= old->sum[i];
	/* those of the kernel have 32 bits, and begin anew */
	for (i = 0; i < SLOTS_FINE; i++)
		row->slots[i] = (unsigned int)(row->slots[i] - old->slots[i]);
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
		     struct sample_row *row, unsigned long long elapsed_ns)
{
	row->number = row->key.span;
	row->span = &plan->spans.span[row->number];
	row->elapsed_ns = elapsed_ns;
	if (row->key.other)
		snprintf(row->name, sizeof(row->name), "(other)");
	else
		sample_name(engine, row->span, row->key.name, row->name,
			    sizeof(row->name));
	if (!(plan->flags & TOP_SUSPENDS))
		row->running_ns = row->total_ns;
	if (!(plan->flags & (TOP_HAS_PARENT | TOP_BY_THREAD)))
		row->self_ns = row->running_ns;
}

/* By span, and then the one that took the most time. */
int sample_by_time(const void *a, const void *b)
{
	const struct sample_row *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->total_ns != y->total_ns)
		return x->total_ns > y->total_ns ? -1 : 1;
	return sample_by_key(a, b);
}

static void take_rows(struct engine *engine, const struct plan *plan,
		      struct sample *sample, unsigned int report)
{
	const struct sample_row *old;
	struct sample_row *rows;
	size_t count;
	size_t i;

	rows = read_rows(engine, plan, report, &count);
	sample->row = calloc(count + 1, sizeof(*sample->row));
	if (sample->row == NULL)
		tool_no_memory();
	for (i = 0; i < count; i++) {
		struct sample_row *row = &sample->row[sample->num_rows];

		*row = rows[i];
		old = num_before == 0 ? NULL :
			bsearch(row, before, num_before, sizeof(*before),
				sample_by_key);
		if (old != NULL)
			subtract(row, old);
		if (row->count == 0)
			continue;
		complete(engine, plan, row, sample->elapsed_ns);
		sample->num_rows++;
	}
	qsort(sample->row, sample->num_rows, sizeof(*sample->row),
	      sample_by_time);
	free(before);
	before = rows;
	num_before = count;
}

static void take_rates(struct engine *engine, const struct plan *plan,
		       struct sample *sample)
{
	unsigned long long *cpus = new_values(sizeof(*cpus));
	unsigned long long sum;
	unsigned int i;
	int cpu;

	sample->num_rates = plan->num_rates;
	sample->rate = calloc(plan->num_rates + 1, sizeof(*sample->rate));
	if (rates_before == NULL)
		rates_before = calloc(plan->num_rates + 1,
				      sizeof(*rates_before));
	if (sample->rate == NULL || rates_before == NULL)
		tool_no_memory();
	for (i = 0; i < plan->num_rates; i++) {
		sum = 0;
		if (bpf_map_lookup_elem(engine->rates, &i, cpus) == 0) {
			for (cpu = 0; cpu < possible_cpus(); cpu++)
				sum += cpus[cpu];
		}
		sample->rate[i] = (struct sample_rate){
			plan->rate[i], sample->elapsed_ns,
			sum - rates_before[i] };
		rates_before[i] = sum;
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
	stats->left += purged[span];
}

static unsigned long long under_way(const struct top_stats *s)
{
	unsigned long long done = s->ended + s->restarted + s->left + s->lost;

	return s->started > done ? s->started - done : 0;
}

/* All that were ever counted. */
static unsigned long long ended_of(unsigned int span)
{
	unsigned long long sum = 0;
	size_t i;

	for (i = 0; i < num_before; i++) {
		if (before[i].key.span == span)
			sum += before[i].count;
	}
	return sum;
}

void sample_purged(unsigned int span, unsigned long long count)
{
	purged[span] += count;
}

void sample_take(struct engine *engine, const struct plan *plan,
		 struct sample *sample)
{
	unsigned int report = *engine->report;
	unsigned int i;

	*sample = (struct sample){ .time_ns = engine_now() };
	*engine->report = report + 1;
	if (time_before == 0)
		time_before = engine->began_ns;
	sample->elapsed_ns = sample->time_ns - time_before;
	time_before = sample->time_ns;
	take_rows(engine, plan, sample, report);
	take_rates(engine, plan, sample);
	for (i = 0; i < plan->spans.count; i++) {
		read_stats(engine, i, &sample->stats[i]);
		sample->stats[i].ended = ended_of(i);
		sample->under_way[i] = plan_is_alone(plan, i) ? 0 :
			under_way(&sample->stats[i]);
	}
	sample->lost_lines = *engine->lost_lines;
}

void sample_free(struct sample *sample)
{
	free(sample->row);
	free(sample->rate);
}

double sample_percentile(const struct sample_row *row, double part)
{
	double ns = TOP_UNIT * slots_quantile(row->slots, SLOTS_FINE, 1, part);

	/* what is beyond the last slot is only known to be no longer */
	if (row->count == 1 || ns > (double)row->max_ns || ns > 274e9)
		ns = (double)row->max_ns;
	return ns;
}
