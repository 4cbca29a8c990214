/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heat.c - rows of reports -> lib/picture.
 *
 * A field has the name of its row, "postgres:query", and stands where the keys
 * of the row are in their order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/when.h"
#include "picture/heatmap.h"
#include "report/heat.h"

enum { MAX_FIELDS = 32 };

_Static_assert(REPORT_POWERS <= (int)HEATMAP_SLOTS, "slots of the heat map");

struct heat {
	const struct report_table *table;
	const struct report_column *slots;
	unsigned long long end_ns;	/* of the last report */
	void *rows[MAX_FIELDS];		/* of the fields of the map, in order */
	struct heatmap_field *others;	/* or NULL */
	struct heatmap map;
	char title[128];
	char description[256];
};

struct heat *heat_new(const struct report_program *program, const char *title,
		      unsigned long long begin_ns, unsigned long long sample_ns)
{
	const struct report_heat *from = program->heat;
	struct heat *heat = memory_zeros(1, sizeof(*heat));
	unsigned long long started = begin_ns + when_offset();

	heat->table = &program->tables->table[from->table];
	heat->slots = report_column_find(heat->table, from->column);
	heat->end_ns = begin_ns;
	snprintf(heat->title, sizeof(heat->title), "%s%s", from->title, title);
	snprintf(heat->description, sizeof(heat->description),
		 "A field for each %s: time to the right, latency upwards, "
		 "the number of %ss as colour.", from->row, from->noun);
	heat->map = (struct heatmap){
		.title = heat->title, .description = heat->description,
		.noun = from->noun, .slots = REPORT_POWERS,
		.unit_ns = report_slots_ns(heat->slots),
	};
	heatmap_begin(&heat->map, begin_ns, sample_ns);
	heat->map.started = (struct timespec){
		(time_t)(started / 1000000000), (long)(started % 1000000000) };
	return heat;
}

static struct heatmap_field *add_field(struct heat *heat, const char *name)
{
	return memory_of(heatmap_add_field(&heat->map, name));
}

/* Adds the field of a row, and moves it from the end to its place. */
static struct heatmap_field *add_row(struct heat *heat, size_t at,
				     const void *row)
{
	struct heatmap_field **fields, *field;
	size_t behind = heat->map.num_fields - at;
	char name[REPORT_JOINED];

	field = add_field(heat, report_join_keys(heat->table, row, ~0U, name));
	fields = &heat->map.fields[at];
	memmove(fields + 1, fields, behind * sizeof(*fields));
	fields[0] = field;
	memmove(&heat->rows[at + 1], &heat->rows[at],
		behind * sizeof(heat->rows[0]));
	heat->rows[at] = memory_zeros(1, heat->table->row_size);
	memcpy(heat->rows[at], row, heat->table->row_size);
	return field;
}

static struct heatmap_field *field_of(struct heat *heat, const void *row)
{
	size_t at = 0, end = heat->map.num_fields - (heat->others != NULL);
	int order = 1;

	while (at < end &&
	       (order = report_compare(heat->table, heat->rows[at], row)) < 0)
		at++;
	if (at < end && order == 0)
		return heat->map.fields[at];
	if (end < MAX_FIELDS)
		return add_row(heat, at, row);
	if (heat->others == NULL)
		heat->others = add_field(heat, REPORT_OTHER);
	return heat->others;
}

void heat_add(struct heat *heat, const struct report *r)
{
	size_t table = (size_t)(heat->table - r->tables->table), i;
	unsigned long long begin_ns = r->end_ns - r->elapsed_ns;
	unsigned long long powers[REPORT_POWERS];
	const void *row;

	if (begin_ns > heat->end_ns)
		heatmap_advance(&heat->map, begin_ns);
	heatmap_advance(&heat->map, r->end_ns);
	heat->end_ns = r->end_ns;
	for (i = 0; i < r->rows[table].count; i++) {
		row = report_row(r, table, i);
		report_fold(heat->slots, row, powers);
		heatmap_count(&heat->map, field_of(heat, row), powers);
	}
}

bool heat_write(struct heat *heat, const char *path)
{
	bool good = heatmap_draw(&heat->map, path);
	size_t i;

	heatmap_free(&heat->map);
	for (i = 0; i < MAX_FIELDS; i++)
		free(heat->rows[i]);
	free(heat);
	return good;
}
