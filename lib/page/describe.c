/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * describe.c - section.h as JSON. Members have the names that they have there;
 * what is NULL is left out.
 */
#include <string.h>

#include "describe.h"
#include "fields.h"
#include "points.h"

static const char *const kinds[] = {
	[PAGE_TILES] = "tiles", [PAGE_CHARTS] = "charts", [PAGE_HEAT] = "heat",
	[PAGE_TABLE] = "table", [PAGE_RANKED] = "ranked", [PAGE_SLOW] = "slow",
	[PAGE_FLAME] = "flame", [PAGE_PARTS] = "parts",
};
static const char *const forms[] = {
	[PAGE_NAME] = "name", [PAGE_WORD] = "word", [PAGE_NUMBER] = "number",
	[PAGE_MS] = "ms", [PAGE_CLOCK] = "clock", [PAGE_FLAG] = "flag",
	[PAGE_BARS] = "bars",
};
static const char *const hows[] = {
	[PAGE_IS_NAME] = "name", [PAGE_IS_KEY] = "key",
	[PAGE_IS_NAMED] = "named", [PAGE_IS_END] = "end",
	[PAGE_IS_SUM] = "sum", [PAGE_IS_MOST] = "most",
	[PAGE_IS_SLOTS] = "slots",
};

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *items_of(const struct page_item *i)
{
	json_t *list = json_array();

	for (; i != NULL && i->key != NULL; i++)
		json_array_append_new(list, json_pack(
			"{ss ss* ss* ss* ss* ss* ss* ss* ss* ss* ss* ss* ss* "
			"ss* ss* ss sb so}", "key", i->key, "title", i->title,
			"unit", i->unit, "color", i->color, "series",
			i->series, "member", i->member, "column", i->column,
			"more", i->more, "more_title", i->more_title, "before",
			i->before, "none", i->none, "cut", i->cut, "yes",
			i->yes, "no", i->no, "minus", i->minus, "form",
			forms[i->form], "stacked", i->stacked, "curves",
			items_of(i->curves)));
	return list;
}

static json_t *section_of(const struct report_program *program,
			  const struct page_section *s)
{
	json_t *lists = json_array();
	size_t i;

	for (i = 0; i < PAGE_LISTS; i++) {
		if (s->lists & 1U << i)
			json_array_append_new(lists, json_string(
				program->page->lists[i].key));
	}
	return json_pack(
		"{ss ss ss ss* ss* ss* ss* ss* ss* ss* ss* si so so so}",
		"key", s->key, "title", s->title, "kind", kinds[s->kind],
		"caption", s->caption, "none", s->none, "member", s->member,
		"order", s->order, "sum", s->sum, "part", s->part, "root",
		s->root, "own", s->own, "rows", (int)s->rows, "lists", lists,
		"items", items_of(s->items), "bars", items_of(s->bars));
}

/* [["name", "name"], ["total_us", "sum"], ...] */
static json_t *names_of(size_t number)
{
	const struct page_field *field = fields_of(number);
	json_t *fields = json_array();

	for (; field->name != NULL; field++)
		json_array_append_new(fields, json_pack(
			"[ss]", field->name, hows[field->how]));
	return fields;
}

static json_t *lists_of(const struct page_list *lists)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; lists[i].key != NULL; i++) {
		const struct page_list *l = &lists[i];

		set(object, l->key, json_pack(
			"{ss ss ss* ss* ss ss* sb so}", "key", l->key, "title",
			l->title, "many", l->many, "caption", l->caption,
			"order", l->order, "row", l->row, "events", l->events,
			"fields", names_of(i)));
	}
	return object;
}

/* How the numbers of a series are shown. */
static json_t *series_of(const struct page_series *series)
{
	json_t *object = json_object();

	for (; series->key != NULL; series++) {
		const struct report_column *column = points_column(series, 0);

		set(object, series->key, json_string(
			column->kind == REPORT_GAUGE ? "gauge" :
			column->unit == REPORT_BYTES ? "bytes" :
			column->unit == REPORT_NS ? "time" : "count"));
	}
	return object;
}

const char *describe_label(const struct report_key *key)
{
	return key->name_key != NULL ? key->name_key : key->key;
}

static json_t *keyed_of(const struct report_program *program)
{
	const struct page_keyed *keyed = &program->page->keyed;
	const struct report_table *table =
		&program->tables->table[program->heat->table];
	const struct page_item *color = keyed->colors;
	json_t *colors = json_object(), *ids = json_array();
	json_t *labels = json_array();
	size_t i;

	for (; color != NULL && color->key != NULL; color++)
		set(colors, color->key, json_string(color->color));
	for (i = 0; i < table->num_keys; i++) {
		const struct report_key *key = &table->keys[i];
		const char *id = key->key != NULL ? key->key : key->name_key;

		json_array_append_new(ids, json_string(id));
		if (program->page->group.key == NULL ||
		    strcmp(id, program->page->group.key) != 0)
			json_array_append_new(labels, json_string(
				describe_label(key)));
	}
	return json_pack("{ss ss* ss so so ss so so sf}", "key", keyed->key,
		"cut", keyed->cut, "one", program->heat->row, "many",
		json_sprintf("%ss", program->heat->row), "colors", colors,
		"count", keyed->columns[0], "ids", ids, "labels", labels,
		"slot_us", report_slots_ns(report_column_find(
			table, program->heat->column)) / 1000.0);
}

json_t *page_describe(const struct report_program *program)
{
	const struct page_description *page = program->page;
	const struct page_section *section = page->sections;
	json_t *sections = json_array(), *group = NULL;

	for (; section->key != NULL; section++)
		json_array_append_new(sections, section_of(program, section));
	if (page->group.key != NULL)
		group = json_pack("{ss ss}", "key", page->group.key, "many",
				  page->group.many);
	return json_pack("{ss* ss* ss so so so so so so*}", "total", page->total,
		"lost", page->lost, "one", program->heat->noun, "many",
		json_sprintf("%ss", program->heat->noun), "sections", sections,
		"lists", lists_of(page->lists), "series",
		series_of(page->series), "keyed", keyed_of(program), "group",
		group);
}
