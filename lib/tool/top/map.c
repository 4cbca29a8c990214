/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * map.c - reports -> lib/picture, with a field for each span and name.
 *
 * Names may be many, such as the texts of queries: those that come late share
 * the field of their span.
 */
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "lib/picture/heatmap.h"
#include "lib/slots/slots.h"
#include "top/map.h"

enum { MAX_FIELDS = 32 };

_Static_assert((int)SLOTS_POWERS <= (int)HEATMAP_SLOTS,
	       "slots of the heat map");

static struct heatmap map = {
	.title = "How long spans took, and when",
	.description = "A field for each span and name: time to the right, "
		"duration upwards, the number of spans as colour.",
	.noun = "span",
	.unit_ns = TOP_UNIT,
	.slots = SLOTS_POWERS,
};

void map_begin(unsigned long long now, unsigned long long sample_ns)
{
	heatmap_begin(&map, now, sample_ns);
}

static struct heatmap_field *find_field(const char *name)
{
	size_t i;

	for (i = 0; i < map.num_fields; i++) {
		if (strcmp(map.fields[i]->name, name) == 0)
			return map.fields[i];
	}
	return NULL;
}

/* "smb2:request", or "smb2:request READ". */
static bool is_of(const struct heatmap_field *field, const char *span)
{
	size_t length = strlen(span);

	return strncmp(field->name, span, length) == 0 &&
	       (field->name[length] == ' ' || field->name[length] == '\0');
}

/* Moves the last field behind the others of its span, if there are any. */
static void move_to_span(const char *span)
{
	struct heatmap_field **fields = map.fields;
	size_t last = map.num_fields - 1;
	struct heatmap_field *field = fields[last];
	size_t at = last;

	while (at > 0 && !is_of(fields[at - 1], span))
		at--;
	if (at == 0)
		return;
	memmove(&fields[at + 1], &fields[at], (last - at) * sizeof(*fields));
	fields[at] = field;
}

static struct heatmap_field *field_of(const struct span_row *row)
{
	struct heatmap_field *field;
	char span[256];
	char name[ROW_NAME + sizeof(span)];

	rows_text(ROWS_SPANS, row, true, span, sizeof(span));
	snprintf(name, sizeof(name), "%s%s%s", span,
		 row->name[0] != '\0' ? " " : "", row->name);
	field = find_field(name);
	if (field != NULL)
		return field;
	if (map.num_fields >= MAX_FIELDS) {
		snprintf(name, sizeof(name), "%s (other)", span);
		field = find_field(name);
	}
	if (field == NULL) {
		field = heatmap_add_field(&map, name);
		if (field == NULL)
			tool_no_memory();
		move_to_span(span);
	}
	return field;
}

void map_add(const struct report *report)
{
	unsigned long long powers[SLOTS_POWERS];
	const struct span_row *row;
	size_t i;

	heatmap_advance(&map, report->end_ns);
	for (i = 0; i < report->rows[ROWS_SPANS].count; i++) {
		row = report_row(report, ROWS_SPANS, i);
		slots_fold(row->slots, powers);
		heatmap_count(&map, field_of(row), powers);
	}
}

bool map_write(const char *path)
{
	return heatmap_draw(&map, path);
}
