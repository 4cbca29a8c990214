/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * body.c - tables of the sections, for browsers without JavaScript: the scripts
 * make their own from the same data.
 */
#include "base/when.h"
#include "body.h"
#include "fields.h"
#include "pool.h"
#include "tree.h"

void body_text(const struct page *p, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '<')
			fputs("&lt;", p->file);
		else if (*text == '>')
			fputs("&gt;", p->file);
		else if (*text == '&')
			fputs("&amp;", p->file);
		else if (*text == '"')
			fputs("&quot;", p->file);
		else if (*text == '\'')
			fputs("&#39;", p->file);
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			fputs("&#xfffd;", p->file);
		else
			putc(*text, p->file);
	}
}

const json_t *body_report(const struct page *p, const char *key)
{
	return json_object_get(p->view->report, key);
}

const struct page_description *body_described(const struct page *p)
{
	return p->view->store->page;
}

static long long number_of(const json_t *value)
{
	return json_integer_value(value);
}

static void put_number(const struct page *p, long long value)
{
	fprintf(p->file, "<td class=\"number\">%lld</td>", value);
}

/* Microseconds as milliseconds. */
static void put_ms(const struct page *p, long long us)
{
	fprintf(p->file, "<td class=\"number\">%lld.%03lld</td>", us / 1000,
		us % 1000);
}

/* The direction of a name must not turn the rest of its line. */
static void put_name(const struct page *p, const char *name)
{
	fputs("<td class=\"name\"><bdi>", p->file);
	body_text(p, *name != '\0' ? name : "-");
	fputs("</bdi></td>", p->file);
}

/* A title of a table. */
static void put_title(const struct page *p, const char *title, bool is_number,
		      const char *unit)
{
	fprintf(p->file, "<th scope=\"col\"%s>", is_number ?
		" class=\"number\"" : "");
	body_text(p, title);
	fprintf(p->file, "%s</th>", unit);
}

static void end_row(const struct page *p)
{
	fputs("</tr>\n", p->file);
}

/* Its titles follow, and then end_titles(). */
static void begin_table(const struct page *p, const char *caption)
{
	fputs("<div class=\"scroll\"><table><caption>", p->file);
	body_text(p, caption);
	fputs("</caption><thead><tr>", p->file);
}

static void end_titles(const struct page *p)
{
	fputs("</tr></thead><tbody>\n", p->file);
}

static void end_table(const struct page *p)
{
	fputs("</tbody></table></div>\n", p->file);
}

static void put_empty(const struct page *p, const char *text)
{
	fputs("<p class=\"empty\">", p->file);
	body_text(p, text);
	fputs("</p>\n", p->file);
}

/* A table of names and numbers; or of times in microseconds. */
static void begin_pairs(const struct page *p, const char *caption,
			const char *what, const char *number)
{
	begin_table(p, caption);
	put_title(p, what, false, "");
	put_title(p, number, true, "");
	end_titles(p);
}

static void put_pair(const struct page *p, const char *name, long long value,
		     bool is_time)
{
	fputs("<tr><th scope=\"row\">", p->file);
	body_text(p, name);
	fputs("</th>", p->file);
	(is_time ? put_ms : put_number)(p, value);
	end_row(p);
}

/* What reports have, and what exists now. */
static void put_tiles(const struct page *p, const struct page_section *section)
{
	const struct page_item *item;
	char name[REPORT_NAME];
	const char *now = body_described(p)->now, *key;
	const json_t *value;

	begin_pairs(p, "Since the start", "What", "Number");
	for (item = section->bars; item->key != NULL; item++)
		put_pair(p, item->title, number_of(body_report(p, item->key)),
			 false);
	json_object_foreach((json_t *)body_report(p, now), key, value) {
		snprintf(name, sizeof(name), "now: %s", key);
		put_pair(p, name, number_of(value), false);
	}
	end_table(p);
}

static void put_parts(const struct page *p, const struct page_section *section)
{
	const json_t *parts = body_report(p, section->member), *value;
	const char *key;

	begin_pairs(p, section->since, section->part, "ms");
	json_object_foreach((json_t *)parts, key, value)
		put_pair(p, key, number_of(value), true);
	end_table(p);
}

static bool put_flame(const struct page *p, const struct page_section *section)
{
	const struct page_flame *flame = p->view->flame;
	unsigned int i;

	if (flame == NULL)
		return false;
	begin_pairs(p, "Samples", section->caption, "Samples");
	for (i = 0; i < flame->num_roots; i++)
		put_pair(p, flame->roots[i].name,
			 (long long)flame->roots[i].count, false);
	end_table(p);
	return true;
}

/* A table, whose rows are objects of the report, or arrays of a list. */
struct table {
	const struct page_section *section;
	const struct page_list *list;	/* or NULL */
	size_t number;			/* of the list */
	struct page_item group;		/* its column, if it has a key */
};

static const json_t *value_of(const struct table *t, const json_t *row,
			      const char *key)
{
	return t->list == NULL ? json_object_get(row, key) :
	       json_array_get(row, (size_t)fields_find(t->number, key));
}

/* A text, the number of a name, or a number that has a name. */
static const char *text_of(const struct table *t, const json_t *row,
			   const char *key, char buffer[REPORT_NAME])
{
	const json_t *value = value_of(t, row, key);
	const struct page_field *field;

	if (!json_is_integer(value))
		return value == NULL ? "" : json_string_value(value);
	field = &fields_of(t->number)[fields_find(t->number, key)];
	if (field->how == PAGE_IS_NAME)
		return pool_name((unsigned int)number_of(value));
	return field->key->name((unsigned long long)number_of(value), buffer);
}

static void put_path(const struct page *p, const struct table *t,
		     const json_t *row, const struct page_item *item)
{
	char buffer[REPORT_NAME];
	const char *name = item->before == NULL ? "" :
			   text_of(t, row, item->before, buffer);

	fputs("<td class=\"name\"><bdi>", p->file);
	body_text(p, name);
	fputs(*name != '\0' ? "/" : "", p->file);
	name = text_of(t, row, item->key, buffer);
	body_text(p, *name != '\0' ? name : "-");
	fputs("</bdi></td>", p->file);
}

/* Times of the report are in microseconds. */
static void put_cell(const struct page *p, const struct table *t,
		     const json_t *row, const struct page_item *item)
{
	const json_t *value = value_of(t, row, item->key);
	const struct page_item *bar = t->section->bars;
	char when[WHEN_SIZE];

	if (item->form == PAGE_MS && t->list != NULL)
		put_ms(p, number_of(value));
	else if (item->form == PAGE_NUMBER || item->form == PAGE_MS)
		put_number(p, number_of(value));
	else if (item->form == PAGE_CLOCK)
		fprintf(p->file, "<td>%s</td>", when_report(
			(unsigned long long)number_of(value) * 1000000 -
			when_offset(), when));
	else if (item->form == PAGE_FLAG)
		put_name(p, json_is_true(value) ? item->yes : item->no);
	else if (item->form != PAGE_BARS)
		put_path(p, t, row, item);
	for (; item->form == PAGE_BARS && bar->key != NULL; bar++)
		put_ms(p, number_of(value_of(t, row, bar->key)));
}

static void put_titles(const struct page *p, const struct table *t)
{
	const struct page_item *item, *bar = t->section->bars;

	if (t->group.key != NULL)
		put_title(p, t->group.title, false, "");
	for (item = t->section->items; item->key != NULL; item++) {
		for (; item->form == PAGE_BARS && bar->key != NULL; bar++)
			put_title(p, bar->title, true, " ms");
		if (item->form != PAGE_BARS)
			put_title(p, item->title != NULL ? item->title :
				  t->list->title, item->form == PAGE_NUMBER ||
				  item->form == PAGE_MS,
				  item->form != PAGE_MS ? "" :
				  t->list != NULL ? " ms" : " us");
	}
	end_titles(p);
}

static void put_row(const struct page *p, const struct table *t,
		    const json_t *row)
{
	const struct page_item *item;

	fputs("<tr>", p->file);
	if (t->group.key != NULL)
		put_cell(p, t, row, &t->group);
	for (item = t->section->items; item->key != NULL; item++)
		put_cell(p, t, row, item);
	end_row(p);
}

/* Rows that are not in the list have this name together. */
static void put_others(const struct page *p, const struct table *t)
{
	const struct page_item *item = t->section->items;
	const json_t *row = json_object_get(json_object_get(
		p->overall, "others"), t->list->key);

	if (item->title != NULL ||
	    number_of(value_of(t, row, item[1].key)) == 0)
		return;
	fputs("<tr>", p->file);
	if (t->group.key != NULL)
		put_name(p, "");
	put_name(p, "(others)");
	for (item++; item->key != NULL; item++)
		put_cell(p, t, row, item);
	end_row(p);
}

/* Returns whether there is a row. */
static bool put_table(const struct page *p, struct table *t,
		      const char *caption, const json_t *rows)
{
	const struct page_group *group = &body_described(p)->group;
	const json_t *row;
	size_t i;

	if (json_array_size(rows) == 0)
		return false;
	t->group = (struct page_item){ .title = group->title };
	if (group->key != NULL &&
	    value_of(t, json_array_get(rows, 0), group->key) != NULL)
		t->group.key = group->key;
	begin_table(p, caption);
	put_titles(p, t);
	json_array_foreach((json_t *)rows, i, row)
		put_row(p, t, row);
	if (t->list != NULL)
		put_others(p, t);
	end_table(p);
	return true;
}

static bool put_lists(const struct page *p, const struct page_section *section)
{
	struct table t = { .section = section };
	bool any = false;

	for (; t.number < PAGE_LISTS; t.number++) {
		if (!(section->lists & 1U << t.number))
			continue;
		t.list = &body_described(p)->lists[t.number];
		any |= put_table(p, &t, section->since, json_object_get(
			p->overall, t.list->key));
	}
	return any;
}

void body_write(const struct page *p, const struct page_section *section)
{
	const json_t *rows = body_report(p, section->member);
	struct table table = { .section = section };
	bool any = true;

	if (section->kind == PAGE_TILES)
		put_tiles(p, section);
	else if (section->kind == PAGE_PARTS && json_is_object(rows))
		put_parts(p, section);
	else if (section->kind == PAGE_TABLE || section->kind == PAGE_PARTS)
		any = put_table(p, &table, section->kind == PAGE_TABLE ?
				section->caption : section->since, rows);
	else if (section->kind == PAGE_FLAME)
		any = put_flame(p, section);
	else if (section->kind == PAGE_RANKED || section->kind == PAGE_SLOW)
		any = put_lists(p, section);
	if (!any)
		put_empty(p, section->none);
}
