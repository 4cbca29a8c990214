/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * totals.c - adds reports up.
 *
 * The main thread adds, and others copy. The lock is held while numbers are
 * added or copied, never while something is printed or sent, so that a reader
 * does not make a report late.
 */
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "series.h"
#include "totals.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct metrics_totals totals;
static struct series_set *sets[REPORT_TABLES];	/* by table of names */

static struct series_set *set_of(const struct metrics_table *of)
{
	return sets[of->way == METRICS_PAIRS ? of->names : of->table];
}

/* Rows that have series from the start. */
static void append_rows(const struct metrics_table *of)
{
	const struct report_table *table = report_table(totals.sum, of->table);
	const struct report_key *last = table->keys + table->num_keys - 1;
	bool is_numbered = table->num_keys > 0 && last->size == 0;
	bool is_grouped = table->num_keys > 1U + is_numbered;
	unsigned long long number = 0;
	void *row;

	if (table->num_keys > 0 &&
	    (of->way == METRICS_ROWS ? !of->all : is_grouped))
		return;
	do {
		row = report_append(totals.sum, of->table);
		if (of->way != METRICS_ROWS)
			report_key_copy(table->keys, row, "other");
		if (is_numbered)
			report_key_set(last, row, number);
	} while (is_numbered && number++ < last->most);
}

static unsigned int limit_of(const struct metrics_table *of,
			     unsigned int max_series)
{
	return of->in_all > 0 ? of->in_all : max_series;
}

static void begin(const struct metrics_table *of, unsigned int max_series)
{
	append_rows(of);
	if (of->way == METRICS_TOP) {
		series_free(sets[of->table]);
		sets[of->table] = series_new(totals.sum, of,
					     limit_of(of, max_series));
	}
	if (of->way == METRICS_PAIRS)
		sets[of->names]->pairs = of;
}

bool totals_begin(const struct report_tables *tables,
		  const struct metrics_families *of, bool has_names,
		  unsigned int max_series)
{
	bool begins = totals.of != of || totals.has_names != has_names;
	const struct metrics_table *table;

	pthread_mutex_lock(&lock);
	if (begins) {
		exemplars_clear();
		report_free(totals.sum);
		totals.sum = report_new(tables);
		totals.of = of;
		totals.reports = 0;
		totals.has_names = has_names;
	}
	METRICS_FOR_EACH(table, of) {
		if (begins)
			begin(table, max_series);
		else if (table->way == METRICS_TOP)
			series_limit(set_of(table),
				     limit_of(table, max_series));
	}
	pthread_mutex_unlock(&lock);
	return begins;
}

/* Rows that come later than the first ones are not kept. */
static void add_first_rows(const struct metrics_table *of,
			   const struct report *r)
{
	struct report *sum = totals.sum;
	const void *row;
	size_t i;

	for (i = 0; i < r->rows[of->table].count; i++) {
		row = report_row(r, of->table, i);
		if ((of->counts == NULL || of->counts(row)) &&
		    (sum->rows[of->table].count < of->most ||
		     report_find(sum, of->table, row) != NULL))
			report_add_row(sum, of->table, row);
	}
}

/* What exists at the end of a report that has no such row is 0. */
static void clear_gauges(const struct metrics_table *of)
{
	const struct report_table *table = report_table(totals.sum, of->table);
	size_t c, i;

	for (c = 0; c < table->num_columns; c++) {
		if (table->columns[c].kind != REPORT_GAUGE)
			continue;
		for (i = 0; i < totals.sum->rows[of->table].count; i++)
			report_set(&table->columns[c], report_row(
				totals.sum, of->table, i), 0);
	}
}

static void add_names(const struct metrics_table *of, const struct report *r)
{
	struct series_set *set = set_of(of);
	size_t i;

	if (of->way == METRICS_TOP)
		series_set_time(set, r->end_ns);
	for (i = 0; i < r->rows[of->table].count; i++)
		(of->way == METRICS_TOP ? series_add : series_add_pair)(
			set, report_row(r, of->table, i));
}

void totals_add(const struct report *r)
{
	const struct metrics_table *of;

	pthread_mutex_lock(&lock);
	totals.reports++;
	totals.sum->end_ns = r->end_ns;
	METRICS_FOR_EACH(of, totals.of) {
		if (of->most > 0 || of->way != METRICS_ROWS)
			clear_gauges(of);
		if (of->most > 0 && of->way == METRICS_ROWS)
			add_first_rows(of, r);
		else if (of->way == METRICS_ROWS)
			report_add_table(totals.sum, r, of->table);
		else if (totals.has_names)
			add_names(of, r);
	}
	pthread_mutex_unlock(&lock);
}

/* Copies the rows of a table that are shown. */
static void copy_rows(struct report *copy, const struct metrics_table *of)
{
	size_t size = report_table(copy, of->table)->row_size;
	size_t i;

	for (i = 0; i < totals.sum->rows[of->table].count; i++) {
		const void *row = report_row(totals.sum, of->table, i);

		if (of->way == METRICS_ROWS ||
		    series_shows(set_of(of), of->table, row))
			memcpy(report_append(copy, of->table), row, size);
	}
}

void totals_event(const struct report_table *table, const void *row)
{
	const struct report_table *tables = totals.sum->tables->table;
	size_t i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < totals.of->num_families; i++) {
		const struct metrics_family *f = &totals.of->families[i];

		if (f->exemplars.column != NULL &&
		    table == &tables[f->exemplars.table])
			exemplars_add(totals.sum->tables, f, row);
	}
	pthread_mutex_unlock(&lock);
}

/* Returns the row of the copy that counts events with these keys, or NULL. */
static const void *row_of(struct report *copy, const struct metrics_family *f,
			  const void *keys)
{
	const struct metrics_table *of = totals.of->tables;

	while (of->table != f->table)
		of++;
	if (of->way == METRICS_TOP)
		keys = series_row(set_of(of), keys);
	return keys == NULL ? NULL : report_find(copy, f->table, keys);
}

void totals_copy(struct metrics_totals *copy)
{
	struct exemplar *exemplars = copy->exemplars;
	struct report *sum = copy->sum;
	const struct metrics_table *of;

	pthread_mutex_lock(&lock);
	*copy = totals;
	copy->sum = sum != NULL ? sum : report_new(totals.sum->tables);
	report_clear(copy->sum);
	copy->sum->end_ns = totals.sum->end_ns;
	METRICS_FOR_EACH(of, totals.of)
		copy_rows(copy->sum, of);
	copy->exemplars = exemplars != NULL ? exemplars :
		memory_zeros(EXEMPLARS, sizeof(*exemplars));
	copy->num_exemplars = exemplars_copy(copy->sum, row_of,
					     copy->exemplars);
	pthread_mutex_unlock(&lock);
}
