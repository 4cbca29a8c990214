/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html.c - fills the template with tables and with the data.
 *
 * The tables are for browsers without JavaScript; page.js makes its own from
 * the same data. Whatever a client chose passes put_text() or data_write().
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "fields.h"
#include "html.h"
#include "page/page_parts.h"
#include "pool.h"
#include "tree.h"

struct page {
	FILE *file;
	const struct page_view *view;
	void (*around)(void *context);
	void *context;
	json_t *overall;		/* the lists since the start */
};

/* Escapes text for HTML; a control character becomes U+FFFD. */
static void put_text(const struct page *p, const char *text)
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

static void put_data(const struct page *p)
{
	if (p->around != NULL)
		p->around(p->context);
	data_write(p->file, p->view);
	if (p->around != NULL)
		p->around(p->context);
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
	put_text(p, *name != '\0' ? name : "-");
	fputs("</bdi></td>", p->file);
}

/* A title of a table. */
static void put_title(const struct page *p, const char *title, bool is_number,
		      const char *unit)
{
	fprintf(p->file, "<th scope=\"col\"%s>", is_number ?
		" class=\"number\"" : "");
	put_text(p, title);
	fprintf(p->file, "%s</th>", unit);
}

static void put_heading(const struct page *p, const char *title)
{
	fputs("<tr><th scope=\"row\">", p->file);
	put_text(p, title);
	fputs("</th>", p->file);
}

static void end_row(const struct page *p)
{
	fputs("</tr>\n", p->file);
}

/* Its titles follow, and then end_titles(). */
static void begin_table(const struct page *p, const char *caption)
{
	fputs("<div class=\"scroll\"><table><caption>", p->file);
	put_text(p, caption);
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
	put_text(p, text);
	fputs("</p>\n", p->file);
}

static const json_t *report(const struct page *p, const char *key)
{
	return json_object_get(p->view->report, key);
}

static const struct page_description *described(const struct page *p)
{
	return p->view->store->page;
}

static void put_time(const struct page *p)
{
	const char *time = json_string_value(report(p, "time"));

	if (p->view->store->end_ns == 0 ||
	    number_of(report(p, "elapsed_us")) == 0)
		fputs("no report yet", p->file);
	else
		put_text(p, time);
}

static void put_host(const struct page *p)
{
	put_text(p, p->view->host);
}

static void put_lost(const struct page *p)
{
	const char *before = "";
	const json_t *value;
	const char *key;

	json_object_foreach((json_t *)report(p, described(p)->lost), key,
			    value) {
		if (number_of(value) == 0)
			continue;
		if (*before == '\0')
			fprintf(p->file, "<p class=\"lost\">Lost, see %s(1): ",
				p->view->store->program->name);
		fprintf(p->file, "%s%lld %s", before, number_of(value), key);
		before = ", ";
	}
	fputs(*before != '\0' ? ".</p>\n" : "", p->file);
}

/* What reports have, and what exists now. */
static void put_tiles(const struct page *p, const struct page_section *section)
{
	const struct page_item *item;
	const json_t *value;
	const char *key;

	begin_table(p, "Since the start");
	put_title(p, "What", false, "");
	put_title(p, "Number", true, "");
	end_titles(p);
	for (item = section->bars; item->key != NULL; item++) {
		put_heading(p, item->title);
		put_number(p, number_of(report(p, item->key)));
		end_row(p);
	}
	json_object_foreach((json_t *)report(p, described(p)->now), key,
			    value) {
		fprintf(p->file, "<tr><th scope=\"row\">now: %s</th>", key);
		put_number(p, number_of(value));
		end_row(p);
	}
	end_table(p);
}

static void put_parts(const struct page *p, const struct page_section *section)
{
	const json_t *value;
	const char *key;

	begin_table(p, section->since);
	put_title(p, section->part, false, "");
	put_title(p, "ms", true, "");
	end_titles(p);
	json_object_foreach((json_t *)report(p, section->member), key, value) {
		put_heading(p, key);
		put_ms(p, number_of(value));
		end_row(p);
	}
	end_table(p);
}

/* A table, whose rows are objects of the report, or arrays of a list. */
struct table {
	const struct page_section *section;
	const struct page_list *list;	/* or NULL */
	size_t number;			/* of the list */
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
	put_text(p, name);
	fputs(*name != '\0' ? "/" : "", p->file);
	name = text_of(t, row, item->key, buffer);
	put_text(p, *name != '\0' ? name : "-");
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
	for (item = t->section->items; item->key != NULL; item++)
		put_cell(p, t, row, item);
	end_row(p);
}

/* Those that are not in the list have no name but this. */
static void put_others(const struct page *p, const struct table *t)
{
	const struct page_item *item = t->section->items;
	const json_t *row = json_object_get(json_object_get(
		p->overall, "others"), t->list->key);

	if (item->title != NULL ||
	    number_of(value_of(t, row, item[1].key)) == 0)
		return;
	fputs("<tr>", p->file);
	put_name(p, "(others)");
	for (item++; item->key != NULL; item++)
		put_cell(p, t, row, item);
	end_row(p);
}

/* Returns whether there is a row. */
static bool put_table(const struct page *p, const struct table *t,
		      const char *caption, const json_t *rows)
{
	const json_t *row;
	size_t i;

	if (json_array_size(rows) == 0)
		return false;
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
		t.list = &described(p)->lists[t.number];
		any |= put_table(p, &t, section->since, json_object_get(
			p->overall, t.list->key));
	}
	return any;
}

static bool put_flame(const struct page *p, const struct page_section *section)
{
	const struct page_flame *flame = p->view->flame;
	unsigned int i;

	if (flame == NULL)
		return false;
	begin_table(p, "Samples");
	put_title(p, section->caption, false, "");
	put_title(p, "Samples", true, "");
	end_titles(p);
	for (i = 0; i < flame->num_roots; i++) {
		fputs("<tr>", p->file);
		put_name(p, flame->roots[i].name);
		put_number(p, (long long)flame->roots[i].count);
		end_row(p);
	}
	end_table(p);
	return true;
}

/* What a section needs besides: only the browser's script fills these. */
static const char charts_hint[] =
	"<p class=\"hint\">Point at a chart, or focus it and press the arrow "
	"keys, to\nread its values at that time.</p>\n";
static const char heat_hint[] =
	"<p class=\"hint\" id=\"heat-hint\">The color of a cell tells how many "
	"%ss took\nthat long at that time. Drag over cells to see whose they "
	"are. With the keyboard:\nfocus a map, move with the arrow keys, "
	"extend with Shift, clear with\nEscape.</p>\n"
	"<div id=\"heat-scale\" class=\"scale\"></div>\n";
static const char heat_more[] =
	"<details id=\"more-maps\" hidden><summary></summary>\n"
	"<div class=\"grid\"></div></details>\n"
	"<div id=\"selection\" role=\"region\" aria-label=\"Selection\"\n"
	"aria-live=\"polite\"></div>\n";

static void put_body(const struct page *p, const struct page_section *section)
{
	const struct table table = { .section = section };
	bool any = true;

	if (section->kind == PAGE_TILES)
		put_tiles(p, section);
	else if (section->kind == PAGE_PARTS)
		put_parts(p, section);
	else if (section->kind == PAGE_TABLE)
		any = put_table(p, &table, section->caption,
				report(p, section->member));
	else if (section->kind == PAGE_FLAME)
		any = put_flame(p, section);
	else if (section->kind == PAGE_RANKED || section->kind == PAGE_SLOW)
		any = put_lists(p, section);
	if (!any)
		put_empty(p, section->none);
}

static void put_section(const struct page *p,
			const struct page_section *section)
{
	bool is_drawn = section->kind == PAGE_CHARTS ||
			section->kind == PAGE_HEAT;

	fprintf(p->file, "<section id=\"%s\" aria-labelledby=\"%s-title\"%s>\n"
		"<h2 id=\"%s-title\">", section->key, section->key,
		is_drawn ? " hidden" : "", section->key);
	put_text(p, section->title);
	fputs("</h2>\n", p->file);
	if (section->kind == PAGE_CHARTS)
		fputs(charts_hint, p->file);
	if (section->kind == PAGE_HEAT)
		fprintf(p->file, heat_hint,
			p->view->store->program->heat->noun);
	fprintf(p->file, "<div class=\"body%s\">", is_drawn ? " grid" : "");
	put_body(p, section);
	fputs("</div>\n", p->file);
	fputs(section->kind == PAGE_HEAT ? heat_more : "", p->file);
	fputs("</section>\n", p->file);
}

static void put_sections(const struct page *p)
{
	const struct page_section *section = described(p)->sections;

	for (; section->key != NULL; section++)
		put_section(p, section);
}

static void put_program(const struct page *p)
{
	put_text(p, p->view->store->program->name);
}

static void put_server(const struct page *p)
{
	put_text(p, described(p)->server);
}

static void put_footer(const struct page *p)
{
	put_text(p, described(p)->footer);
}

static const struct {
	const char *name;
	void (*put)(const struct page *page);
} fields[] = {
	{ "program", put_program }, { "server", put_server },
	{ "host", put_host }, { "time", put_time }, { "lost", put_lost },
	{ "sections", put_sections }, { "footer", put_footer },
	{ "data", put_data },
};

static json_t *lists_of(const struct page_store *store)
{
	json_t *object;
	char *text;

	if (asprintf(&text, "{%s}", store->overall.text) < 0)
		err(1, NULL);
	object = json_loads(text, 0, NULL);
	free(text);
	return object;
}

void html_write(FILE *file, const struct page_view *view,
		void (*around)(void *context), void *context)
{
	const struct page page = { file, view, around, context,
		lists_of(view->store) };
	size_t i, k;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		fwrite(parts[i].text, 1, parts[i].length, file);
		for (k = 0; k < sizeof(fields) / sizeof(fields[0]); k++) {
			if (strcmp(parts[i].field, fields[k].name) == 0)
				fields[k].put(&page);
		}
	}
	json_decref(page.overall);
}
