/* SPDX-License-Identifier: BSD-2-Clause */
/* points.c - values of a step, out of the report of that step. */
#include <string.h>

#include "points.h"
#include "write.h"

static const struct report_program *program;
static size_t num_values;		/* but for those of keys */
static size_t num_keys;
static size_t num_columns;		/* of each key */
static struct report *keys;		/* rows of page->keyed, in order */

const struct report_column *points_column(const struct page_series *series,
					 size_t number)
{
	const struct report_table *table =
		&program->tables->table[series->table];
	const struct report_column *column;

	REPORT_FOR_EACH(column, table, series->group) {
		if (series->column != NULL ?
		    strcmp(column->key, series->column) == 0 : number-- == 0)
			return column;
	}
	return NULL;
}

size_t points_count(const struct page_series *series)
{
	size_t count = 0;

	while (series->each && points_column(series, count) != NULL)
		count++;
	return series->each ? count : 1;
}

size_t points_keys(void)
{
	return num_keys;
}

size_t points_keyed(size_t key, size_t column)
{
	return num_values + key * num_columns + column;
}

void points_open(const struct report_program *of)
{
	const struct page_series *series = of->page->series;
	const struct report_table *table =
		&of->tables->table[of->heat->table];

	program = of;
	num_keys = PAGE_KEYS;
	if (table->num_keys == 1 && table->keys->size == 0 &&
	    table->keys->most < PAGE_KEYS - 2)
		num_keys = table->keys->most + 2;
	keys = report_new(program->tables);
	num_values = PAGE_FIRST;
	for (; series->key != NULL; series++)
		num_values += points_count(series);
	while (program->page->keyed.columns[num_columns] != NULL)
		num_columns++;
}

const void *points_row(size_t key)
{
	size_t table = program->heat->table;

	return key < keys->rows[table].count ? report_row(keys, table, key) :
					       NULL;
}

/* A table of which some series are is added once. */
void points_add(struct report *step, const struct report *r)
{
	const struct page_series *series = program->page->series;
	unsigned int added = 0;

	for (; series->key != NULL; series++) {
		if (!(added & 1U << series->table))
			report_add_table(step, r, series->table);
		added |= 1U << series->table;
	}
	report_add_table(step, r, program->heat->table);
}

/* The number of a row of page->keyed, which it keeps. */
static size_t key_of(const void *row)
{
	size_t table = program->heat->table;
	const struct report_rows *rows = &keys->rows[table];
	const char *found = report_find(keys, table, row);

	if (found == NULL && rows->count < num_keys - 1)
		found = report_want(keys, table, row);
	if (found == NULL)
		return num_keys - 1;
	return (size_t)(found - (const char *)rows->rows) /
	       report_table(keys, table)->row_size;
}

static unsigned long long sum_of(const struct page_series *series, size_t k,
				 const void *row)
{
	const struct report_column *column = points_column(series, k);
	unsigned long long sum = 0;

	if (series->each || series->column != NULL)
		return report_get(column, row);
	for (; column != NULL; column = points_column(series, ++k))
		sum += report_get(column, row);
	return sum;
}

/* Numbers of the last step, from the tables that have one row. */
static void settle_series(const struct report *step, unsigned long long *at)
{
	const struct page_series *series = program->page->series;
	size_t count, k;

	for (; series->key != NULL; series++, at += count) {
		count = points_count(series);
		for (k = 0; k < count &&
		     step->rows[series->table].count > 0; k++)
			at[k] = sum_of(series, k, report_row(
				step, series->table, 0));
	}
}

/* Adds a row of the last step to the values and slots of its key. */
static void add_key(const struct report_table *table, unsigned long long *values,
		    unsigned int slots[PAGE_KEYS][REPORT_POWERS],
		    const void *row)
{
	const char *const *columns = program->page->keyed.columns;
	unsigned long long powers[REPORT_POWERS];
	size_t key = key_of(row), k;

	for (k = 0; k < num_columns; k++)
		values[points_keyed(key, k)] += report_get(
			report_column_find(table, columns[k]), row);
	report_fold(report_column_find(table, program->heat->column), row,
		    powers);
	for (k = 0; k < REPORT_POWERS; k++)
		slots[key][k] += (unsigned int)powers[k];
}

/* For each key its number plus 1 as a byte, and a text; at the end a 0. */
static void settle_keys(const struct report *step, unsigned long long *values,
			FILE *file)
{
	size_t table = program->heat->table, i;
	unsigned int slots[PAGE_KEYS][REPORT_POWERS] = { 0 };

	memset(values + num_values, 0, num_keys * num_columns *
	       sizeof(*values));
	for (i = 0; i < step->rows[table].count; i++)
		add_key(report_table(step, table), values, slots,
			report_row(step, table, i));
	for (i = 0; i < num_keys; i++) {
		if (values[points_keyed(i, 0)] == 0)
			continue;
		putc((int)i + 1, file);
		write_slots(file, slots[i]);
		putc('\0', file);
	}
}

void points_settle(const struct report *step, unsigned long long *values,
		   FILE *heat)
{
	settle_series(step, values + PAGE_FIRST);
	settle_keys(step, values, heat);
}

const char *points_heat(const char *at, size_t key)
{
	while (at != NULL && *at != '\0') {
		if ((size_t)*at == key + 1)
			return at + 1;
		at += strlen(at) + 1;
	}
	return "[]";
}
