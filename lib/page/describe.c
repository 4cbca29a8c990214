/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * describe.c - section.h as JSON. Members have the names that they have there;
 * what is NULL is left out.
 */
#include <string.h>

#include "describe.h"
#include "section.h"
#include "fields.h"
#include "points.h"

struct member {
	const char *key;
	size_t offset;
};

#define MEMBER(type, name)	{ #name, offsetof(struct type, name) }
#define ITEM(name)		MEMBER(page_item, name)
#define SECTION(name)		MEMBER(page_section, name)

static const struct member of_item[] = {
	ITEM(key), ITEM(title), ITEM(unit), ITEM(color), ITEM(series),
	ITEM(member), ITEM(column), ITEM(more), ITEM(more_title), ITEM(before),
	ITEM(none), ITEM(cut), ITEM(yes), ITEM(no), ITEM(minus),
	{ .key = NULL },
};
static const struct member of_section[] = {
	SECTION(key), SECTION(title), SECTION(caption), SECTION(none),
	SECTION(member), SECTION(order), SECTION(sum), SECTION(part),
	SECTION(root), SECTION(own), { .key = NULL },
};
static const struct member of_list[] = {
	MEMBER(page_list, key), MEMBER(page_list, title),
	MEMBER(page_list, many), MEMBER(page_list, caption),
	MEMBER(page_list, order), MEMBER(page_list, row), { .key = NULL },
};
static const struct member of_keyed[] = {
	MEMBER(page_keyed, key), MEMBER(page_keyed, cut), { .key = NULL },
};
static const struct member of_page[] = {
	MEMBER(page_description, total), MEMBER(page_description, lost),
	{ .key = NULL },
};

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

static const char *text_at(const void *from, size_t offset)
{
	const char *text;

	memcpy(&text, (const char *)from + offset, sizeof(text));
	return text;
}

static json_t *texts(const void *from, const struct member *members)
{
	json_t *object = json_object();

	for (; members->key != NULL; members++) {
		const char *text = text_at(from, members->offset);

		if (text != NULL)
			set(object, members->key, json_string(text));
	}
	return object;
}

static json_t *items_of(const struct page_item *item)
{
	json_t *list = json_array();

	for (; item != NULL && item->key != NULL; item++) {
		json_t *one = texts(item, of_item);

		set(one, "form", json_string(forms[item->form]));
		if (item->stacked)
			set(one, "stacked", json_true());
		if (item->curves != NULL)
			set(one, "curves", items_of(item->curves));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *section_of(const struct report_program *program,
			  const struct page_section *section)
{
	json_t *one = texts(section, of_section), *lists = json_array();
	size_t i;

	for (i = 0; i < PAGE_LISTS; i++) {
		if (section->lists & 1U << i)
			json_array_append_new(lists, json_string(
				program->page->lists[i].key));
	}
	set(one, "kind", json_string(kinds[section->kind]));
	set(one, "rows", json_integer(section->rows));
	set(one, "lists", lists);
	set(one, "items", items_of(section->items));
	set(one, "bars", items_of(section->bars));
	return one;
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
		json_t *one = texts(&lists[i], of_list);

		set(one, "events", json_boolean(lists[i].events));
		set(one, "fields", names_of(i));
		set(object, lists[i].key, one);
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
	const struct report_key *key =
		&program->tables->table[program->heat->table].keys[0];
	const struct page_item *color = keyed->colors;
	json_t *object = texts(keyed, of_keyed), *colors = json_object();

	for (; color != NULL && color->key != NULL; color++)
		set(colors, color->key, json_string(color->color));
	set(object, "one", json_string(program->heat->row));
	set(object, "many", json_sprintf("%ss", program->heat->row));
	set(object, "colors", colors);
	set(object, "count", json_string(keyed->columns[0]));
	set(object, "id", json_string(key->key != NULL ? key->key :
						     key->name_key));
	set(object, "label", json_string(describe_label(key)));
	return object;
}

json_t *describe(const struct report_program *program)
{
	const struct page_section *section = program->page->sections;
	json_t *object = texts(program->page, of_page);
	json_t *sections = json_array();

	for (; section->key != NULL; section++)
		json_array_append_new(sections, section_of(program, section));
	set(object, "one", json_string(program->heat->noun));
	set(object, "many", json_sprintf("%ss", program->heat->noun));
	set(object, "sections", sections);
	set(object, "lists", lists_of(program->page->lists));
	set(object, "series", series_of(program->page->series));
	set(object, "keyed", keyed_of(program));
	return object;
}
