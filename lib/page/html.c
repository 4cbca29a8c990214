/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html.c - fills the template with the sections and with the data. Whatever a
 * client chose passes body_text() or data_write().
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "html.h"
#include "page/page_parts.h"

static void put_data(const struct page *p)
{
	if (p->around != NULL)
		p->around(p->context);
	data_write(p->file, p->view);
	if (p->around != NULL)
		p->around(p->context);
}

static void put_time(const struct page *p)
{
	const char *time = json_string_value(body_report(p, "time"));

	if (p->view->store->end_ns == 0 ||
	    json_integer_value(body_report(p, "elapsed_us")) == 0)
		fputs("no report yet", p->file);
	else
		body_text(p, time);
}

static void put_host(const struct page *p)
{
	body_text(p, p->view->host);
}

static void put_lost(const struct page *p)
{
	const char *before = "";
	const char *member = body_described(p)->lost, *key;
	const json_t *value;
	long long lost;

	json_object_foreach((json_t *)body_report(p, member), key, value) {
		lost = json_integer_value(value);
		if (lost == 0)
			continue;
		if (*before == '\0')
			fprintf(p->file, "<p class=\"lost\">Lost, see %s(1): ",
				p->view->store->program->name);
		fprintf(p->file, "%s%lld %s", before, lost, key);
		before = ", ";
	}
	fputs(*before != '\0' ? ".</p>\n" : "", p->file);
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

static void put_section(const struct page *p,
			const struct page_section *section)
{
	bool is_drawn = section->kind == PAGE_CHARTS ||
			section->kind == PAGE_HEAT;

	fprintf(p->file, "<section id=\"%s\" aria-labelledby=\"%s-title\"%s>\n"
		"<h2 id=\"%s-title\">", section->key, section->key,
		is_drawn ? " hidden" : "", section->key);
	body_text(p, section->title);
	fputs("</h2>\n", p->file);
	if (section->kind == PAGE_CHARTS)
		fputs(charts_hint, p->file);
	if (section->kind == PAGE_HEAT)
		fprintf(p->file, heat_hint,
			p->view->store->program->heat->noun);
	fprintf(p->file, "<div class=\"body%s\">", is_drawn ? " grid" : "");
	body_write(p, section);
	fputs("</div>\n", p->file);
	fputs(section->kind == PAGE_HEAT ? heat_more : "", p->file);
	fputs("</section>\n", p->file);
}

static void put_sections(const struct page *p)
{
	const struct page_section *section = body_described(p)->sections;

	for (; section->key != NULL; section++)
		put_section(p, section);
}

static void put_program(const struct page *p)
{
	body_text(p, p->view->store->program->name);
}

static void put_server(const struct page *p)
{
	body_text(p, body_described(p)->server);
}

static void put_footer(const struct page *p)
{
	body_text(p, body_described(p)->footer);
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
	const struct page page = { file, view, lists_of(view->store), around,
		context };
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
