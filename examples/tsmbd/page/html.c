/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html.c - fills the template with tables and with the data.
 *
 * The tables are for browsers without JavaScript; page.js makes its own from
 * the same data. Whatever a client chose passes put_text() or put_data().
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../names.h"
#include "html.h"
#include "page_parts.h"

struct page {
	FILE *file;
	const json_t *data;
	const char *text;
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

/* Nothing within a script element may look like its end. */
static void put_data(const struct page *p)
{
	const char *text;

	for (text = p->text; *text != '\0'; text++) {
		if (strchr("<>&\x7f", *text) != NULL)
			fprintf(p->file, "\\u%04x", (unsigned int)*text);
		else
			putc(*text, p->file);
	}
}

static const json_t *at(const json_t *row, size_t i)
{
	return json_array_get(row, i);
}

static long long number_of(const json_t *value)
{
	return json_integer_value(value);
}

static const char *name_of(const struct page *p, const json_t *number)
{
	const char *name = json_string_value(json_array_get(
		json_object_get(p->data, "names"),
		(size_t)json_integer_value(number)));

	return name != NULL ? name : "";
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

static void put_path(const struct page *p, const json_t *share,
		     const json_t *file)
{
	const char *name = name_of(p, share);

	fputs("<td class=\"name\"><bdi>", p->file);
	if (*name != '\0') {
		put_text(p, name);
		putc('/', p->file);
	}
	name = name_of(p, file);
	put_text(p, *name != '\0' ? name : "-");
	fputs("</bdi></td>", p->file);
}

/* Titles are separated by a bar; those of numbers begin with '#'. */
static void begin_table(const struct page *p, const char *caption,
			const char *titles)
{
	size_t length;

	fprintf(p->file, "<table><caption>%s</caption><thead><tr>", caption);
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
	fputs("</tbody></table>\n", p->file);
}

static void put_empty(const struct page *p, const char *text)
{
	fprintf(p->file, "<p class=\"empty\">%s</p>\n", text);
}

static const json_t *report(const struct page *p, const char *key)
{
	return json_object_get(json_object_get(p->data, "report"), key);
}

static const json_t *overall(const struct page *p, const char *key)
{
	return json_object_get(json_object_get(p->data, "overall"), key);
}

static void put_time(const struct page *p)
{
	const char *time = json_string_value(report(p, "time"));

	if (number_of(json_object_get(p->data, "end_ms")) == 0 ||
	    number_of(report(p, "elapsed_us")) == 0)
		fputs("no report yet", p->file);
	else
		put_text(p, time);
}

static void put_host(const struct page *p)
{
	put_text(p, json_string_value(json_object_get(p->data, "host")));
}

static void put_lost(const struct page *p)
{
	const json_t *lost = report(p, "lost");
	const json_t *value;
	const char *key;

	json_object_foreach((json_t *)lost, key, value) {
		if (number_of(value) > 0)
			fprintf(p->file, "<p class=\"lost\">%lld %s were lost: "
				"see tsmbd(1).</p>\n", number_of(value), key);
	}
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

/* A row of clients, users, shares or files. */
static void put_top_row(const struct page *p, const json_t *row,
			const char *name)
{
	fputs("<tr>", p->file);
	if (name != NULL)
		put_name(p, name);
	else
		put_path(p, at(row, 1), at(row, 0));
	put_number(p, number_of(at(row, 2)));
	put_number(p, number_of(at(row, 3)));
	put_number(p, number_of(at(row, 4)));
	put_ms(p, number_of(at(row, 5)));
	put_ms(p, number_of(at(row, 6)));
	fputs("</tr>\n", p->file);
}

static void put_tops(const struct page *p)
{
	static const char *const kinds[][2] = {
		{ "clients", "Client" }, { "users", "User" },
		{ "shares", "Share" }, { "files", "File" },
	};
	const json_t *row;
	char titles[80];
	size_t i, k;

	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		const json_t *others = json_object_get(overall(p, "others"),
						       kinds[k][0]);

		if (json_array_size(overall(p, kinds[k][0])) == 0)
			continue;
		snprintf(titles, sizeof(titles), "%s|#Requests|#Errors|"
			 "#Bytes|#Time ms|#Longest ms", kinds[k][1]);
		begin_table(p, "Most time since the start", titles);
		json_array_foreach((json_t *)overall(p, kinds[k][0]), i, row)
			put_top_row(p, row, NULL);
		if (number_of(at(others, 2)) > 0)
			put_top_row(p, others, "(others)");
		end_table(p);
	}
	if (json_array_size(overall(p, "clients")) == 0)
		put_empty(p, "No request yet.");
}

static void put_slow_row(const struct page *p, const json_t *row)
{
	time_t second = (time_t)(number_of(at(row, 6)) / 1000);
	char when[32];
	struct tm tm;
	size_t i;

	localtime_r(&second, &tm);
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(p->file, "<tr><td>%s</td>", when);
	put_name(p, name_of_op((unsigned int)number_of(at(row, 4))));
	put_name(p, json_string_value(at(row, 5)));
	put_name(p, name_of(p, at(row, 0)));
	put_name(p, name_of(p, at(row, 1)));
	put_path(p, at(row, 2), at(row, 3));
	for (i = 7; i < json_array_size(row); i++)
		put_ms(p, number_of(at(row, i)));
	fputs("</tr>\n", p->file);
}

static void put_slow(const struct page *p)
{
	const json_t *row;
	size_t i;

	if (json_array_size(overall(p, "slow")) == 0) {
		put_empty(p, "No request was slow.");
		return;
	}
	begin_table(p, "The slowest requests since the start",
		    "Time|Command|Status|Client|User|File|#Total ms|"
		    "#Running ms|#vfs ms|#ctdb ms|#oplock ms|#lock ms|"
		    "#Send ms|#Waited ms");
	json_array_foreach((json_t *)overall(p, "slow"), i, row)
		put_slow_row(p, row);
	end_table(p);
}

static void put_waits(const struct page *p)
{
	const json_t *row;
	size_t i;

	if (json_array_size(overall(p, "waits")) == 0) {
		put_empty(p, "No client waited for another one.");
		return;
	}
	begin_table(p, "Longest waits since the start", "Client|waited for|"
		    "File|#Waits|#Time ms|#Longest ms");
	json_array_foreach((json_t *)overall(p, "waits"), i, row) {
		fputs("<tr>", p->file);
		put_name(p, name_of(p, at(row, 0)));
		put_name(p, name_of(p, at(row, 1)));
		put_path(p, at(row, 2), at(row, 3));
		put_number(p, number_of(at(row, 4)));
		put_ms(p, number_of(at(row, 5)));
		put_ms(p, number_of(at(row, 6)));
		fputs("</tr>\n", p->file);
	}
	end_table(p);
}

static void put_flame(const struct page *p)
{
	const json_t *flame = json_object_get(p->data, "flame");
	const json_t *row;
	size_t i;

	if (json_is_null(flame)) {
		put_empty(p, "What the CPUs execute is kept if tsmbd is "
			  "started with --flame=FILE. A service keeps it for "
			  "incidents: see --save.");
		return;
	}
	begin_table(p, "Samples since the start", "Command or phase|#Samples");
	json_array_foreach(json_object_get(json_object_get(flame, "tree"),
					   "children"), i, row) {
		fputs("<tr>", p->file);
		put_name(p, json_string_value(json_object_get(row, "name")));
		put_number(p, number_of(json_object_get(row, "count")));
		fputs("</tr>\n", p->file);
	}
	end_table(p);
}

static const struct {
	const char *name;
	void (*put)(const struct page *page);
} places[] = {
	{ "host", put_host }, { "time", put_time }, { "lost", put_lost },
	{ "summary", put_summary }, { "commands", put_commands },
	{ "errors", put_errors }, { "phases", put_phases },
	{ "tops", put_tops }, { "slow", put_slow }, { "waits", put_waits },
	{ "flame", put_flame }, { "data", put_data },
};

void html_write(FILE *file, const json_t *data, const char *text)
{
	const struct page page = { file, data, text };
	size_t i, k;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		fwrite(parts[i].text, 1, parts[i].length, file);
		for (k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
			if (strcmp(parts[i].place, places[k].name) == 0)
				places[k].put(&page);
		}
	}
}
