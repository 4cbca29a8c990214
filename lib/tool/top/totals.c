/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * totals.c - adds reports up.
 *
 * Rows are sorted by key while they are added to: two sorted lists are merged,
 * so that thousands of names cost little.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "top/totals.h"

static void sort(struct totals *totals,
		 int (*compare)(const void *a, const void *b))
{
	struct sample *all = &totals->sample;

	if (all->num_rows > 0)
		qsort(all->row, all->num_rows, sizeof(*all->row), compare);
	totals->is_by_key = compare == sample_by_key;
}

static void add_row(struct sample_row *row, const struct sample_row *more)
{
	int i;

	row->count += more->count;
	row->errors += more->errors;
	row->total_ns += more->total_ns;
	row->running_ns += more->running_ns;
	row->self_ns += more->self_ns;
	for (i = 0; i < TOP_SUMS; i++)
		row->sum[i] += more->sum[i];
	for (i = 0; i < SLOTS_FINE; i++)
		row->slots[i] += more->slots[i];
	if (more->max_ns > row->max_ns)
		row->max_ns = more->max_ns;
}

static void add_rows(struct totals *totals, const struct sample *sample)
{
	struct sample *all = &totals->sample;
	size_t known = all->num_rows;
	struct sample_row *row;
	size_t i;

	if (!totals->is_by_key)
		sort(totals, sample_by_key);
	for (i = 0; i < sample->num_rows; i++) {
		row = known == 0 ? NULL :
			bsearch(&sample->row[i], all->row, known, sizeof(*row),
				sample_by_key);
		if (row != NULL) {
			add_row(row, &sample->row[i]);
			continue;
		}
		all->row = tool_grow(all->row, all->num_rows,
				     &totals->row_capacity, sizeof(*row));
		all->row[all->num_rows++] = sample->row[i];
	}
	if (all->num_rows > known)
		sort(totals, sample_by_key);
	for (i = 0; i < all->num_rows; i++)
		all->row[i].elapsed_ns = all->elapsed_ns;
}

static void add_rates(struct totals *totals, const struct sample *sample)
{
	struct sample *all = &totals->sample;
	size_t i;

	if (all->rate == NULL) {
		all->rate = calloc(sample->num_rates + 1, sizeof(*all->rate));
		if (all->rate == NULL)
			tool_no_memory();
		all->num_rates = sample->num_rates;
	}
	for (i = 0; i < all->num_rates; i++) {
		all->rate[i].probe = sample->rate[i].probe;
		all->rate[i].count += sample->rate[i].count;
		all->rate[i].elapsed_ns = all->elapsed_ns;
	}
}

void totals_add(struct totals *totals, const struct sample *sample)
{
	struct sample *all = &totals->sample;

	all->time_ns = sample->time_ns;
	all->elapsed_ns += sample->elapsed_ns;
	add_rows(totals, sample);
	add_rates(totals, sample);
	memcpy(all->stats, sample->stats, sizeof(all->stats));
	memcpy(all->under_way, sample->under_way, sizeof(all->under_way));
	all->lost_lines = sample->lost_lines;
}

const struct sample *totals_sample(struct totals *totals)
{
	sort(totals, sample_by_time);
	return &totals->sample;
}

void totals_free(struct totals *totals)
{
	free(totals->sample.row);
	free(totals->sample.rate);
	*totals = (struct totals){ .row_capacity = 0 };
}
