/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exemplars.c - remembers events, one for each bucket of a series.
 *
 * The row of an event has the keys of the series under the same names. Which
 * row counts it is found when the sums are copied, as that may change.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "exemplars.h"

struct event {
	const struct metrics_family *family;
	unsigned int power;
	void *row;
};

static struct event events[EXEMPLARS];
static size_t num_events;	/* event n was at n % EXEMPLARS */

void exemplars_clear(void)
{
	size_t i;

	for (i = 0; i < EXEMPLARS; i++)
		free(events[i].row);
	memset(events, 0, sizeof(events));
	num_events = 0;
}

static const struct report_key *find_key(const struct report_table *table,
					 const char *name)
{
	size_t i;

	for (i = 0; i < table->num_keys; i++) {
		if (table->keys[i].key != NULL &&
		    strcmp(table->keys[i].key, name) == 0)
			return &table->keys[i];
	}
	return NULL;
}

static unsigned long long time_of(const struct report_tables *tables,
				  const struct metrics_family *f,
				  const void *row)
{
	return report_get(report_column_find(
		&tables->table[f->exemplars.table], f->exemplars.column), row);
}

/* The power of two that the slot of the event has. */
static unsigned int power_of(const struct report_tables *tables,
			     const struct metrics_family *f, const void *row)
{
	unsigned int unit = report_slots_ns(report_column_find(
		&tables->table[f->table], f->values[0].column));
	unsigned long long value = time_of(tables, f, row) / unit;

	return value < 2 ? 0 : 63 - (unsigned int)__builtin_clzll(value);
}

static bool is_of_series(const struct report_tables *tables,
			 const struct metrics_family *f, const void *a,
			 const void *b)
{
	const struct report_table *table = &tables->table[f->table];
	size_t i;

	for (i = 0; i < table->num_keys; i++) {
		if (report_compare_key(find_key(
			&tables->table[f->exemplars.table],
			table->keys[i].key), a, b) != 0)
			return false;
	}
	return true;
}

void exemplars_add(const struct report_tables *tables,
		   const struct metrics_family *f, const void *row)
{
	size_t size = tables->table[f->exemplars.table].row_size;
	unsigned int power = power_of(tables, f, row);
	struct event *e = events;

	while (e < events + EXEMPLARS && e->row != NULL &&
	       (e->family != f || e->power != power ||
		!is_of_series(tables, f, e->row, row)))
		e++;
	if (e == events + EXEMPLARS || e->row == NULL)
		e = &events[num_events++ % EXEMPLARS];
	free(e->row);
	*e = (struct event){ f, power, memory_zeros(1, size) };
	memcpy(e->row, row, size);
}

/* A row of the family's table with the keys of an event. */
static void *keys_of(const struct report *report, const struct event *e)
{
	const struct report_table *to = report_table(report, e->family->table);
	const struct report_table *from =
		report_table(report, e->family->exemplars.table);
	void *keys = memory_zeros(1, to->row_size);
	size_t i;

	for (i = 0; i < to->num_keys; i++) {
		const struct report_key *key = find_key(from, to->keys[i].key);

		if (key->size > 0)
			report_key_copy(&to->keys[i], keys,
					report_key_text(key, e->row, NULL));
		else
			report_key_set(&to->keys[i], keys,
				       report_key_number(key, e->row));
	}
	return keys;
}

/* Appends what fits of a text; returns how many characters are left. */
static size_t append(char *to, const char *text, size_t left)
{
	to += strlen(to);
	for (; *text != '\0'; text++) {
		if ((*text & 0xc0) != 0x80 && left-- == 0)
			break;
		if (*text == '"' || *text == '\\')
			*to++ = '\\';
		*to++ = *text;
	}
	*to = '\0';
	return *text == '\0' ? left : 0;
}

static void set_labels(const struct report_table *table,
		       const struct event *e, char labels[EXEMPLAR_TEXT])
{
	const char *const *name = e->family->exemplars.labels;
	const char *const *end = name + METRICS_LABELS;
	size_t left = EXEMPLAR_CHARACTERS;
	char buffer[REPORT_NAME], plain[EXEMPLAR_TEXT];
	const char *text;

	labels[0] = '\0';
	for (; name < end && *name != NULL && left > strlen(*name); name++) {
		text = report_key_text(find_key(table, *name), e->row, buffer);
		if (*text == '\0')
			continue;
		strcat(labels, labels[0] == '\0' ? "" : ",");
		left = append(labels, *name, left);
		strcat(labels, "=\"");
		left = append(labels, text_plain(text, plain, sizeof(plain)),
			      left);
		strcat(labels, "\"");
	}
}

static int by_place(const void *a, const void *b)
{
	const struct exemplar *x = a, *y = b;

	if (x->family != y->family)
		return x->family < y->family ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->power < y->power ? -1 : x->power > y->power;
}

size_t exemplars_copy(const struct report *report,
		      const void *(*find)(struct report *report,
					  const struct metrics_family *family,
					  const void *keys),
		      struct exemplar list[EXEMPLARS])
{
	size_t count = 0, i, size;

	for (i = 0; i < EXEMPLARS && events[i].row != NULL; i++) {
		const struct event *e = &events[i];
		const struct metrics_family *f = e->family;
		void *keys = keys_of(report, e);
		const char *row = find((struct report *)report, f, keys);

		free(keys);
		if (row == NULL)
			continue;
		size = report_table(report, f->table)->row_size;
		list[count] = (struct exemplar){
			.family = f, .power = e->power,
			.row = (size_t)(row - (char *)report_row(
				report, f->table, 0)) / size,
			.ns = time_of(report->tables, f, e->row),
			.end_ns = *(const unsigned long long *)e->row,
		};
		set_labels(report_table(report, f->exemplars.table), e,
			   list[count++].labels);
	}
	qsort(list, count, sizeof(*list), by_place);
	return count;
}

const struct exemplar *exemplars_next(const struct exemplar **at,
				      const struct exemplar *end,
				      const struct metrics_family *family,
				      size_t row, unsigned int power)
{
	const struct exemplar like = {
		.family = family, .row = row, .power = power,
	};
	const struct exemplar *last = NULL;

	for (; *at < end && by_place(*at, &like) < 0; (*at)++)
		last = (*at)->family == family && (*at)->row == row ? *at :
			NULL;
	return last;
}
