/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts by duration, in a column for each slice of time, see heatmap.h. */
#include <stdlib.h>
#include <string.h>

#include "../base/grow.h"
#include "heatmap.h"

static const unsigned int FULL = 4000000000;

void heatmap_begin(struct heatmap *map, unsigned long long now,
		   unsigned long long sample_ns)
{
	clock_gettime(CLOCK_REALTIME, &map->started);
	map->column_ns = sample_ns;
	map->sample_ns = sample_ns;
	map->begun = now;
}

struct heatmap_field *heatmap_add_field(struct heatmap *map, const char *name)
{
	struct heatmap_field *field = calloc(1, sizeof(*field));

	if (field != NULL)
		field->name = strdup(name);
	if (field == NULL || field->name == NULL ||
	    sdtkit_grow(&map->fields, map->num_fields, &map->max_fields,
			sizeof(*map->fields)) < 0)
		return NULL;
	map->fields[map->num_fields++] = field;
	return field;
}

/*
 * After months a cell may be at its maximum; its colour is the last one then.
 */
static void grow(unsigned int *cell, unsigned int n)
{
	*cell = n < FULL - *cell ? *cell + n : FULL;
}

static void fold_field(struct heatmap_field *field)
{
	int column, slot;

	for (column = 0; column < HEATMAP_COLUMNS; column++) {
		unsigned int *to = field->cells[column / 2];

		for (slot = 0; slot < HEATMAP_SLOTS; slot++) {
			unsigned int n = field->cells[column][slot];

			field->cells[column][slot] = 0;
			grow(&to[slot], n);
		}
	}
}

static void fold(struct heatmap *map)
{
	size_t i;

	for (i = 0; i < map->num_fields; i++)
		fold_field(map->fields[i]);
	map->column_ns *= 2;
	map->columns = (map->columns + 1) / 2;
}

/* A sample may come a little late, but belongs to the time before it. */
static int column_at(struct heatmap *map, unsigned long long now)
{
	unsigned long long at = now - map->begun;

	at -= at < map->sample_ns / 2 ? at : map->sample_ns / 2;
	while (at / map->column_ns >= HEATMAP_COLUMNS)
		fold(map);
	return (int)(at / map->column_ns);
}

void heatmap_advance(struct heatmap *map, unsigned long long now)
{
	map->last = column_at(map, now);
	map->first = map->columns < map->last ? map->columns : map->last;
	if (map->last >= map->columns)
		map->columns = map->last + 1;
}

/* A sample that came late covers several columns: each gets its share. */
static void spread(struct heatmap_field *field, int slot, int first, int last,
		   unsigned int n)
{
	unsigned int part = n / (unsigned int)(last - first + 1);

	for (; first < last; first++, n -= part)
		grow(&field->cells[first][slot], part);
	grow(&field->cells[last][slot], n);
}

void heatmap_count(const struct heatmap *map, struct heatmap_field *field,
		   const unsigned long long *counts)
{
	int slot;

	for (slot = 0; slot < map->slots; slot++)
		spread(field, slot, map->first, map->last,
		       (unsigned int)counts[slot]);
}

void heatmap_free(struct heatmap *map)
{
	size_t i;

	for (i = 0; i < map->num_fields; i++) {
		free(map->fields[i]->name);
		free(map->fields[i]);
	}
	free(map->fields);
	map->fields = NULL;
	map->num_fields = 0;
}
