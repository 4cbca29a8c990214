/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.c - the rows of a report, and sums of reports.
 *
 * Rows are looked up in a hash table beside them, because a busy server has
 * thousands of names in each second. Sorting the rows drops that table.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/order.h"
#include "report/report.h"

enum { FIRST_INDEX = 64 };

struct report *report_new(const struct report_tables *tables)
{
	struct report *r = memory_zeros(1, sizeof(*r));

	r->tables = tables;
	return r;
}

static void drop_index(struct report_rows *rows)
{
	free(rows->index);
	rows->index = NULL;
	rows->index_size = 0;
}

void report_clear(struct report *r)
{
	const struct report_tables *tables = r->tables;
	size_t t;

	for (t = 0; t < REPORT_TABLES; t++) {
		free(r->rows[t].rows);
		free(r->rows[t].index);
	}
	memset(r, 0, sizeof(*r));
	r->tables = tables;
}

void report_free(struct report *r)
{
	if (r == NULL)
		return;
	report_clear(r);
	free(r);
}

void *report_append(struct report *r, size_t t)
{
	const struct report_table *table = report_table(r, t);
	struct report_rows *rows = &r->rows[t];
	void *row;

	if (rows->count == rows->capacity) {
		rows->capacity = rows->capacity * 2 + 4;
		rows->rows = memory_of(reallocarray(rows->rows, rows->capacity,
						    table->row_size));
	}
	row = report_row(r, t, rows->count++);
	memset(row, 0, table->row_size);
	return row;
}

void report_truncate(struct report *r, size_t t, size_t count)
{
	struct report_rows *rows = &r->rows[t];

	drop_index(rows);
	rows->count = count;
	rows->capacity = count + 4;
	rows->rows = memory_of(reallocarray(rows->rows, rows->capacity,
					    report_table(r, t)->row_size));
}

static uint32_t hash_byte(uint32_t hash, unsigned int byte)
{
	return (hash ^ byte) * 16777619U;
}

static uint32_t hash_row(const struct report_table *table, const void *row)
{
	uint32_t hash = 2166136261U;
	unsigned long long number;
	const char *text;
	size_t i;

	for (i = 0; i < table->num_keys; i++) {
		const struct report_key *key = &table->keys[i];

		if (key->size > 0) {
			text = (const char *)row + key->offset;
			for (; *text != '\0'; text++)
				hash = hash_byte(hash, (unsigned char)*text);
			hash = hash_byte(hash, 0);
			continue;
		}
		number = report_key_number(key, row);
		for (; number != 0; number >>= 8)
			hash = hash_byte(hash, number & 0xff);
		hash = hash_byte(hash, 0);
	}
	return hash ^ hash >> 15;
}

/* Returns where the index has the row with these keys, or would have it. */
static unsigned int *look_up(const struct report *r, size_t t, const void *row)
{
	const struct report_rows *rows = &r->rows[t];
	uint32_t at = hash_row(report_table(r, t), row);
	unsigned int *entry;

	for (;; at++) {
		entry = &rows->index[at & (rows->index_size - 1)];
		if (*entry == 0 ||
		    report_compare(report_table(r, t),
				   report_row(r, t, *entry - 1U), row) == 0)
			return entry;
	}
}

/* The index is twice as large as the rows may get until the next call. */
static void build_index(struct report *r, size_t t)
{
	struct report_rows *rows = &r->rows[t];
	size_t size = FIRST_INDEX;
	size_t i;

	while (size < 4 * rows->count)
		size *= 2;
	drop_index(rows);
	rows->index = memory_zeros(size, sizeof(*rows->index));
	rows->index_size = size;
	for (i = 0; i < rows->count; i++)
		*look_up(r, t, report_row(r, t, i)) = (unsigned int)i + 1;
}

static unsigned int *find_entry(struct report *r, size_t t, const void *like)
{
	struct report_rows *rows = &r->rows[t];

	if (rows->index == NULL || 2 * (rows->count + 1) > rows->index_size)
		build_index(r, t);
	return look_up(r, t, like);
}

void *report_find(struct report *r, size_t t, const void *like)
{
	unsigned int entry = *find_entry(r, t, like);

	return entry == 0 ? NULL : report_row(r, t, entry - 1U);
}

static void copy_keys(const struct report_table *table, void *to,
		      const void *from)
{
	size_t i;

	for (i = 0; i < table->num_keys; i++) {
		const struct report_key *key = &table->keys[i];

		if (key->size > 0)
			memcpy((char *)to + key->offset,
			       (const char *)from + key->offset, key->size);
		else
			report_key_set(key, to, report_key_number(key, from));
	}
}

void *report_want(struct report *r, size_t t, const void *like)
{
	unsigned int *entry = find_entry(r, t, like);
	void *row;

	if (*entry != 0)
		return report_row(r, t, *entry - 1U);
	row = report_append(r, t);
	*entry = (unsigned int)r->rows[t].count;
	copy_keys(report_table(r, t), row, like);
	return row;
}

void report_remove(struct report *r, size_t t, const void *row)
{
	size_t size = report_table(r, t)->row_size;
	char *last = report_row(r, t, --r->rows[t].count);
	char *at = (char *)r->rows[t].rows +
		((const char *)row - (const char *)r->rows[t].rows);

	memmove(at, at + size, (size_t)(last - at));
	drop_index(&r->rows[t]);
}

static void choose_rows(struct report *r, size_t t, char *const *words)
{
	const struct report_table *table = report_table(r, t);
	size_t i, kept = 0;

	for (i = 0; i < r->rows[t].count; i++) {
		if (report_fits(table, report_row(r, t, i), words))
			memmove(report_row(r, t, kept++), report_row(r, t, i),
				table->row_size);
	}
	r->rows[t].count = kept;
	drop_index(&r->rows[t]);
}

void report_choose(struct report *r, char *const *words)
{
	size_t t;

	for (t = 0; t < r->tables->count; t++)
		choose_rows(r, t, words);
}

enum way { LATER, EARLIER, BESIDE };

static unsigned long long at(const void *row, size_t offset)
{
	return *(const unsigned long long *)(const void *)
		((const char *)row + offset);
}

/* Those that have ended before the end. */
static unsigned long long ended(const struct report_column *column,
				const void *row)
{
	unsigned long long all = report_get(column, row);
	unsigned long long there = at(row, column->gauge);

	return all > there ? all - there : 0;
}

static unsigned long long added(const struct report_column *column,
				const void *into, const void *from,
				enum way way)
{
	unsigned long long a = report_get(column, into);
	unsigned long long b = report_get(column, from);

	switch (column->kind) {
	case REPORT_GAUGE:
		return way == BESIDE ? a + b : way == LATER ? b : a;
	case REPORT_LEAST:
		return b != 0 && (a == 0 || b < a) ? b : a;
	case REPORT_MOST:
		return b > a ? b : a;
	case REPORT_POPULATION:
		if (way == BESIDE)
			return a + b;
		return ended(column, into) + ended(column, from) +
			at(way == LATER ? from : into, column->gauge);
	case REPORT_ID:
		if (way == BESIDE)
			return 0;
		return b != 0 && (way == LATER || a == 0) ? b : a;
	default:
		return a + b;
	}
}

static void add_column(const struct report_column *column, void *into,
		       const void *from, enum way way)
{
	unsigned long long *sum;

	if (column->kind == REPORT_SLOTS) {
		report_slots_add(column, into, from);
	} else if (column->kind == REPORT_COUNTER && !column->narrow) {
		/* nearly all are like this, of thousands of rows */
		sum = (void *)((char *)into + column->offset);
		*sum += at(from, column->offset);
	} else {
		report_set(column, into, added(column, into, from, way));
	}
}

/* A population is added before the gauge that it needs. */
static void add_numbers(const struct report_table *table, void *into,
			const void *from, enum way way)
{
	const struct report_column *column = table->columns;
	const struct report_column *end = column + table->num_columns;
	bool has_gauges = false;

	for (; column < end; column++) {
		if (column->kind == REPORT_GAUGE)
			has_gauges = true;
		else if (column->kind != REPORT_DERIVED)
			add_column(column, into, from, way);
	}
	for (column = table->columns; has_gauges && column < end; column++) {
		if (column->kind == REPORT_GAUGE)
			add_column(column, into, from, way);
	}
}

void report_subtract_row(const struct report_table *table, void *row,
			 const void *before)
{
	const struct report_column *column;
	unsigned int slot;
	size_t i;

	for (i = 0; i < table->num_columns; i++) {
		column = &table->columns[i];
		if (column->kind == REPORT_COUNTER)
			report_set(column, row, report_get(column, row) -
				   report_get(column, before));
		for (slot = 0; slot < column->slots; slot++)
			report_slot_add(column, row, slot,
					-report_slot(column, before, slot));
	}
}

void report_sum_row(const struct report_table *table, void *sum,
		    const void *row)
{
	add_numbers(table, sum, row, BESIDE);
}

/* Shrinking takes a while, so there is room for as many again. */
static void add_row(struct report *r, size_t t, const void *row, enum way way)
{
	const struct report_table *table = report_table(r, t);

	add_numbers(table, report_want(r, t, row), row, way);
	if (table->limit > 0 && r->rows[t].count >= 2 * table->limit)
		report_shrink(r, t, table->limit);
}

void report_add_row(struct report *r, size_t t, const void *row)
{
	add_row(r, t, row, LATER);
}

/* What exists at the end of a report that has no such row is 0. */
static void clear_gauges(struct report *into, struct report *from, size_t t)
{
	const struct report_table *table = report_table(into, t);
	size_t c, i;

	for (c = 0; c < table->num_columns; c++) {
		if (table->columns[c].kind != REPORT_GAUGE)
			continue;
		for (i = 0; i < into->rows[t].count; i++) {
			void *row = report_row(into, t, i);

			if (report_find(from, t, row) == NULL)
				report_set(&table->columns[c], row, 0);
		}
	}
}

/* Only the index of the other report may change. */
static void add_table(struct report *into, struct report *from, size_t t,
		      enum way way)
{
	size_t i;

	if (way == LATER)
		clear_gauges(into, from, t);
	for (i = 0; i < from->rows[t].count; i++)
		add_row(into, t, report_row(from, t, i), way);
}

static void add_rows(struct report *into, struct report *from, enum way way)
{
	size_t t;

	for (t = 0; t < into->tables->count; t++)
		add_table(into, from, t, way);
}

void report_add_table(struct report *into, const struct report *from, size_t t)
{
	add_table(into, (struct report *)from, t, LATER);
}

void report_add(struct report *into, const struct report *from)
{
	bool later = from->end_ns >= into->end_ns;

	memcpy(into->hosts, from->hosts, sizeof(into->hosts));
	add_rows(into, (struct report *)from, later ? LATER : EARLIER);
	into->elapsed_ns += from->elapsed_ns;
	if (later)
		into->end_ns = from->end_ns;
}

/* Appends the name of a host; those that do not fit become dots. */
static void add_host(struct report *into, const struct report *from)
{
	size_t length = strlen(into->hosts);
	size_t left = sizeof(into->hosts) - length;

	if (length == 0)
		memcpy(into->hosts, from->hosts, sizeof(into->hosts));
	else if (strlen(from->hosts) + 6 < left)
		snprintf(into->hosts + length, left, ",%s", from->hosts);
	else if (into->hosts[length - 1] != '.' && left > 4)
		snprintf(into->hosts + length, left, ",...");
}

void report_join(struct report *into, const struct report *from)
{
	unsigned long long begin = into->end_ns - into->elapsed_ns;

	add_host(into, from);
	if (into->end_ns == 0 || from->end_ns - from->elapsed_ns < begin)
		begin = from->end_ns - from->elapsed_ns;
	add_rows(into, (struct report *)from, BESIDE);
	if (from->end_ns > into->end_ns)
		into->end_ns = from->end_ns;
	into->elapsed_ns = into->end_ns - begin;
}

static void sort(struct report *r, size_t t, const char *key, bool grouped)
{
	struct report_rows *rows = &r->rows[t];

	drop_index(rows);
	order_sort(report_table(r, t), rows->rows, rows->count, key, grouped);
}

void report_sort(struct report *r, size_t t, const char *key)
{
	sort(r, t, key, report_table(r, t)->grouped);
}

void report_sort_ungrouped(struct report *r, size_t t, const char *key)
{
	sort(r, t, key, false);
}

/* The keys of the row that has what is left out. */
static void name_other(const struct report_table *table, void *row)
{
	bool is_named = false;
	size_t i;

	memset(row, 0, table->row_size);
	for (i = 0; i < table->num_keys; i++) {
		const struct report_key *key = &table->keys[i];

		if (key->size == 0) {
			report_key_set(key, row, key->other);
		} else if (!is_named) {
			report_key_copy(key, row, REPORT_OTHER);
			is_named = true;
		}
	}
}

void report_copy_rows(struct report *to, const struct report *from, size_t t,
		      size_t count)
{
	const struct report_table *table = report_table(from, t);
	size_t num_rows = from->rows[t].count;
	void *other;
	size_t i;

	for (i = 0; i < num_rows && i < count; i++)
		memcpy(report_append(to, t), report_row(from, t, i),
		       table->row_size);
	if (i == num_rows)
		return;
	other = report_append(to, t);
	name_other(table, other);
	for (; i < num_rows; i++)
		report_sum_row(table, other, report_row(from, t, i));
}

void report_copy(struct report *to, const struct report *from)
{
	size_t t;

	report_clear(to);
	to->tables = from->tables;
	memcpy(to->hosts, from->hosts, sizeof(to->hosts));
	to->end_ns = from->end_ns;
	to->elapsed_ns = from->elapsed_ns;
	for (t = 0; t < from->tables->count; t++)
		report_copy_rows(to, from, t, from->rows[t].count);
}

/* The keys of the row to which a row is added that has none of its own. */
static void name_other_of(const struct report_table *table, const void *row,
			  void *other)
{
	size_t i;

	memset(other, 0, table->row_size);
	for (i = 0; i < table->num_keys; i++) {
		const struct report_key *key = &table->keys[i];

		if (key->size == 0)
			report_key_set(key, other, report_key_number(key, row));
		else
			report_key_copy(key, other,
					strcmp(key->key, table->other) == 0 ?
					REPORT_OTHER :
					report_key_text(key, row, NULL));
	}
}

/* How many rows there would be if all were added to those of the others. */
static size_t count_groups(const struct report *r, size_t t)
{
	const struct report_table *table = report_table(r, t);
	struct report *others = report_new(r->tables);
	void *other = memory_zeros(1, table->row_size);
	size_t i, count;

	for (i = 0; i < r->rows[t].count; i++) {
		name_other_of(table, report_row(r, t, i), other);
		report_want(others, t, other);
	}
	count = others->rows[t].count;
	report_free(others);
	free(other);
	return count;
}

/* The first rows, and those of the others: count in all. */
static struct report *first_rows(const struct report *from, size_t t,
				 size_t count)
{
	const struct report_table *table = report_table(from, t);
	const struct report_rows *rows = &from->rows[t];
	size_t num_groups = table->other == NULL ? 0 : count_groups(from, t);
	bool by_group = num_groups > 0 && num_groups <= count / 2;
	bool *kept = memory_zeros(rows->count, sizeof(*kept));
	void *other = memory_zeros(1, table->row_size);
	struct report *to = report_new(from->tables);
	size_t i;

	name_other(table, other);
	order_choose(table, rows->rows, rows->count,
		     count - (by_group ? num_groups : 1), other, kept);
	for (i = 0; i < rows->count; i++) {
		if (kept[i])
			memcpy(report_append(to, t), report_row(from, t, i),
			       table->row_size);
	}
	for (i = 0; i < rows->count; i++) {
		if (kept[i])
			continue;
		if (by_group)
			name_other_of(table, report_row(from, t, i), other);
		report_sum_row(table, report_want(to, t, other),
			       report_row(from, t, i));
	}
	free(kept);
	free(other);
	return to;
}

void report_add_first(struct report *into, const struct report *from, size_t t,
		      size_t count)
{
	struct report *first = from->rows[t].count <= count ? NULL :
			       first_rows(from, t, count + 1);
	const struct report *added = first == NULL ? from : first;
	size_t i;

	for (i = 0; i < added->rows[t].count; i++)
		report_add_row(into, t, report_row(added, t, i));
	report_free(first);
}

void report_shrink(struct report *r, size_t t, size_t count)
{
	struct report *first;
	struct report_rows all = r->rows[t];

	if (all.count <= count || count == 0)
		return;
	first = first_rows(r, t, count);
	r->rows[t] = first->rows[t];
	first->rows[t] = all;
	report_free(first);
}
