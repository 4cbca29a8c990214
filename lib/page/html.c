/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html.c - fills the template with tables and with the data.
 *
 * The tables are for browsers without JavaScript; page.js makes its own from
 * the same data. Whatever a client chose passes put_text() or data_write().
 */
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "tsmbd/names.h"
#include "html.h"
#include "page/page_parts.h"
#include "pool.h"
#include "tree.h"

struct page {
	FILE *file;
	const struct page_view *view;
	void (*around)(void *context);
	void *context;
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

static void put_path(const struct page *p, unsigned int share,
		     unsigned int file)
{
	const char *name = pool_name(share);

	fputs("<td class=\"name\"><bdi>", p->file);
	if (*name != '\0') {
		put_text(p, name);
		putc('/', p->file);
	}
	name = pool_name(file);
	put_text(p, *name != '\0' ? name : "-");
	fputs("</bdi></td>", p->file);
}

/* Titles are separated by a bar; those of numbers begin with '#'. */
static void begin_table(const struct page *p, const char *caption,
			const char *titles)
{
	size_t length;

	fprintf(p->file, "<div class=\"scroll\"><table><caption>%s</caption><thead><tr>", caption);
	for (; *titles != '\0'; titles += length + (titles[length] != '\0')) {
		length = strcspn(titles, "|");
		if (*titles == '#')
			fprintf(p->file, "<th scope=\"col\" class=\"number\">"
				"%.*s</th>", (int)length - 1, titles + 1);
		else
			fprintf(p->file, "<th scope=\"col\">%.*s</th>",
				(int)length, titles);
	}
	fputs("</tr></thead><tbody>\n", p->file);
}

static void end_table(const struct page *p)
{
	fputs("</tbody></table></div>\n", p->file);
}

static void put_empty(const struct page *p, const char *text)
{
	fprintf(p->file, "<p class=\"empty\">%s</p>\n", text);
}

static const json_t *report(const struct page *p, const char *key)
{
	return json_object_get(p->view->report, key);
}

static const struct page_detail *overall(const struct page *p)
{
	return &p->view->store->overall;
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
	const char *before = "<p class=\"lost\">Lost, see tsmbd(1): ";
	const char *after = "";
	const json_t *value;
	const char *key;

	json_object_foreach((json_t *)report(p, "lost"), key, value) {
		if (number_of(value) == 0)
			continue;
		fprintf(p->file, "%s%lld %s", before, number_of(value), key);
		before = ", ";
		after = ".</p>\n";
	}
	fputs(after, p->file);
}

static void put_summary(const struct page *p)
{
	static const char *const keys[][2] = {
		{ "requests", "Requests" }, { "bytes_in", "Bytes received" },
		{ "bytes_out", "Bytes sent" },
		{ "processes", "smbd with clients" },
		{ "ctdb_requests", "ctdb requests" },
	};
	const json_t *now = report(p, "now");
	const json_t *value;
	const char *key;
	size_t i;

	begin_table(p, "Since the start", "What|#Number");
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		fprintf(p->file, "<tr><th scope=\"row\">%s</th>", keys[i][1]);
		put_number(p, number_of(report(p, keys[i][0])));
		fputs("</tr>\n", p->file);
	}
	json_object_foreach((json_t *)now, key, value) {
		fprintf(p->file, "<tr><th scope=\"row\">now: %s</th>", key);
		put_number(p, number_of(value));
		fputs("</tr>\n", p->file);
	}
	end_table(p);
}

static void put_commands(const struct page *p)
{
	static const char *const keys[] = { "count", "errors", "p50_us",
		"p95_us", "p99_us", "max_us", "total_us", "bytes_in",
		"bytes_out" };
	const json_t *row;
	size_t i, k;

	if (json_array_size(report(p, "operations")) == 0) {
		put_empty(p, "No request yet.");
		return;
	}
	begin_table(p, "Requests since the start", "Command|#Count|#Errors|"
		    "#p50 us|#p95 us|#p99 us|#Max us|#Total us|#Bytes in|"
		    "#Bytes out");
	json_array_foreach((json_t *)report(p, "operations"), i, row) {
		fputs("<tr>", p->file);
		put_name(p, json_string_value(json_object_get(row, "name")));
		for (k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
			put_number(p, number_of(json_object_get(row,
								keys[k])));
		fputs("</tr>\n", p->file);
	}
	end_table(p);
}

static void put_errors(const struct page *p)
{
	const json_t *row;
	size_t i;

	if (json_array_size(report(p, "errors")) == 0) {
		put_empty(p, "No request failed.");
		return;
	}
	begin_table(p, "Answers that are not OK, since the start",
		    "Command|Status|#Count|Failure");
	json_array_foreach((json_t *)report(p, "errors"), i, row) {
		fputs("<tr>", p->file);
		put_name(p, json_string_value(json_object_get(row,
							      "command")));
		put_name(p, json_string_value(json_object_get(row, "name")));
		put_number(p, number_of(json_object_get(row, "count")));
		put_name(p, json_is_true(json_object_get(row, "benign")) ?
			 "no" : "yes");
		fputs("</tr>\n", p->file);
	}
	end_table(p);
}

static void put_phases(const struct page *p)
{
	const json_t *value;
	const char *key;

	begin_table(p, "Time of the processes since the start", "Phase|#ms");
	json_object_foreach((json_t *)report(p, "phases_us"), key, value) {
		fprintf(p->file, "<tr><th scope=\"row\">%s</th>", key);
		put_ms(p, number_of(value));
		fputs("</tr>\n", p->file);
	}
	end_table(p);
}

/* Nanoseconds as milliseconds. */
static void put_ns(const struct page *p, unsigned long long ns)
{
	put_ms(p, (long long)((ns + 500) / 1000));
}

/* A row of clients, users, shares or files. */
static void put_top_row(const struct page *p, const struct page_top *row,
			const char *name)
{
	fputs("<tr>", p->file);
	if (name != NULL)
		put_name(p, name);
	else
		put_path(p, row->share, row->name);
	put_number(p, (long long)row->requests);
	put_number(p, (long long)row->errors);
	put_number(p, (long long)row->bytes);
	put_ns(p, row->ns);
	put_ns(p, row->max);
	fputs("</tr>\n", p->file);
}

static void put_top(const struct page *p, int kind, const char *title)
{
	const struct page_top *rows = overall(p)->tops[kind];
	const struct page_top *others = &overall(p)->others[kind];
	char titles[80];
	int i;

	if (rows[0].requests == 0)
		return;
	snprintf(titles, sizeof(titles), "%s|#Requests|#Errors|#Bytes|"
		 "#Time ms|#Longest ms", title);
	begin_table(p, "Most time since the start", titles);
	for (i = 0; i < PAGE_TOP && rows[i].requests > 0; i++)
		put_top_row(p, &rows[i], NULL);
	if (others->requests > 0)
		put_top_row(p, others, "(others)");
	end_table(p);
}

static void put_tops(const struct page *p)
{
	put_top(p, TSMBD_CLIENTS, "Client");
	put_top(p, TSMBD_USERS, "User");
	put_top(p, TSMBD_SHARES, "Share");
	put_top(p, TSMBD_FILES, "File");
	if (overall(p)->tops[TSMBD_CLIENTS][0].requests == 0)
		put_empty(p, "No request yet.");
}

static void put_slow_row(const struct page *p, const struct page_slow *row)
{
	char status[NAME_SIZE];
	char when[WHEN_SIZE];
	int i;

	fprintf(p->file, "<tr><td>%s</td>", when_report(row->end_ns, when));
	put_name(p, name_of_op(row->opcode));
	put_name(p, name_of_status(row->status, status));
	put_name(p, pool_name(row->client));
	put_name(p, pool_name(row->user));
	put_path(p, row->share, row->file);
	for (i = 0; i < PAGE_TIMES; i++)
		put_ms(p, (long long)(row->ns[i] / 1000));
	fputs("</tr>\n", p->file);
}

static void put_slow(const struct page *p)
{
	const struct page_slow *rows = overall(p)->slow;
	int i;

	if (rows[0].end_ns == 0) {
		put_empty(p, "No request was slow.");
		return;
	}
	begin_table(p, "The slowest requests since the start",
		    "Time|Command|Status|Client|User|File|#Total ms|"
		    "#Running ms|#vfs ms|#ctdb ms|#oplock ms|#lock ms|"
		    "#Send ms|#Waited ms");
	for (i = 0; i < PAGE_SLOW && rows[i].end_ns != 0; i++)
		put_slow_row(p, &rows[i]);
	end_table(p);
}

static void put_waits(const struct page *p)
{
	const struct page_wait *w = overall(p)->waits;
	const struct page_wait *end = w + PAGE_WAITS;

	if (w->count == 0) {
		put_empty(p, "No client waited for another one.");
		return;
	}
	begin_table(p, "Longest waits since the start", "Client|waited for|"
		    "File|#Waits|#Time ms|#Longest ms");
	for (; w < end && w->count > 0; w++) {
		fputs("<tr>", p->file);
		put_name(p, pool_name(w->client));
		put_name(p, pool_name(w->holder));
		put_path(p, w->share, w->file);
		put_number(p, (long long)w->count);
		put_ns(p, w->ns);
		put_ns(p, w->max);
		fputs("</tr>\n", p->file);
	}
	end_table(p);
}

static void put_flame(const struct page *p)
{
	const struct page_flame *flame = p->view->flame;
	unsigned int i;

	if (flame == NULL) {
		put_empty(p, "What the CPUs execute is shown with "
			  "--flame=FILE, or with --html-flame while somebody "
			  "looks at the page that --listen serves.");
		return;
	}
	begin_table(p, "Samples", "Command or phase|#Samples");
	for (i = 0; i < flame->num_roots; i++) {
		fputs("<tr>", p->file);
		put_name(p, flame->roots[i].name);
		put_number(p, (long long)flame->roots[i].count);
		fputs("</tr>\n", p->file);
	}
	end_table(p);
}

static const struct {
	const char *name;
	void (*put)(const struct page *page);
} fields[] = {
	{ "host", put_host }, { "time", put_time }, { "lost", put_lost },
	{ "summary", put_summary }, { "commands", put_commands },
	{ "errors", put_errors }, { "phases", put_phases },
	{ "tops", put_tops }, { "slow", put_slow }, { "waits", put_waits },
	{ "flame", put_flame }, { "data", put_data },
};

void html_write(FILE *file, const struct page_view *view,
		void (*around)(void *context), void *context)
{
	const struct page page = { file, view, around, context };
	size_t i, k;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		fwrite(parts[i].text, 1, parts[i].length, file);
		for (k = 0; k < sizeof(fields) / sizeof(fields[0]); k++) {
			if (strcmp(parts[i].field, fields[k].name) == 0)
				fields[k].put(&page);
		}
	}
}
