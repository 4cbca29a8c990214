/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.c - a report as text, for people, of incidents, replay and merge:
 *
 *	2026-11-28 10:15:00: 60.0 s of alpha
 *
 *	PROGRAM:SPAN                        Count  Errors ...
 *	postgres postgresql:query           12034       0 ...
 *
 * and the same as one JSON object on a line.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/out.h"
#include "lib/base/memory.h"
#include "lib/base/text.h"
#include "lib/base/when.h"
#include "lib/report/json.h"
#include "lib/report/text.h"
#include "lib/settings/values.h"
#include "serve/options.h"
#include "serve/print.h"
#include "serve/rows.h"
#include "top/hit.h"

enum { LABEL = sizeof(struct serve_span) + SERVE_NAME + SERVE_WORD,
	MOST_WIDTH = 60, LEAST_WIDTH = 24,
	LEAST_COLUMNS = 5 };		/* of numbers, in a narrow table */

/* The column that the first name of a list is; NULL: there is none. */
static const struct report_column *span_column(const char *list)
{
	bool scales;

	return report_column_named(&serve_tables.table[SERVE_SPANS], list,
				   &scales);
}

void serve_sort(const void *options, struct report *report)
{
	const struct serve_options *o = options;
	const char *by = o->printed.sort == NULL ? "sum" : o->printed.sort;
	const char *key = strcmp(by, "name") == 0 ? NULL : span_column(by)->key;

	report_sort(report, SERVE_PROGRAMS, "cpu_us");
	report_sort(report, SERVE_SPANS, key);
	report_sort(report, SERVE_NAMES, key);
	report_sort(report, SERVE_SUMS, NULL);
	report_sort(report, SERVE_PARTS, NULL);
	report_sort(report, SERVE_PROBES, "hits");
}

/* All keys that are texts: "postgres postgresql:query SELECT 1". */
static const char *label(const struct report_table *table, const void *row,
			 char text[LABEL])
{
	static const char *const before[] = { "", " ", ":", " ", " ", " ",
		" " };
	char plain[SERVE_NAME];
	size_t used = 0;
	size_t i;

	for (i = 0; i < table->num_keys; i++) {
		const char *key = report_key_text(&table->keys[i], row, NULL);

		if (table->keys[i].optional && key[0] == '\0')
			continue;
		used += (size_t)snprintf(text + used, LABEL - used, "%s%s",
					 before[i], text_plain(key, plain,
							       sizeof(plain)));
	}
	return text;
}

/* Shortens numbers, and then names, and leaves out the last columns. */
static void fit(struct report_text *columns, size_t *width, size_t limit)
{
	size_t least = columns->num_columns < LEAST_COLUMNS ?
		       columns->num_columns : LEAST_COLUMNS;

	if (limit == 0 || *width + report_text_width(
				columns, columns->num_columns) <= limit)
		return;
	report_text_brief(columns);
	while (*width > LEAST_WIDTH &&
	       *width + report_text_width(columns, least) > limit)
		--*width;
	while (columns->num_columns > least && *width + report_text_width(
				columns, columns->num_columns) > limit)
		columns->num_columns--;
}

/* The text that begins or ends a style; "" if the output has no colours. */
static const char *style(FILE *out, enum out_style style)
{
	return out_has_colour(fileno(out)) ? out_style_text(style) : "";
}

static void print_styled(FILE *out, enum out_style of, const char *text,
			 size_t width)
{
	bool fits = strlen(text) <= width;
	int shown = (int)(fits ? width : width - 3);

	fprintf(out, "%s%-*.*s%s", style(out, of), shown, shown, text,
		fits ? "" : "...");
}

static const char *next_name(const char *list)
{
	list += strcspn(list, ",");
	return *list == ',' ? list + 1 : NULL;
}

/* Adds those of the list that the table has. */
static void add_chosen(struct report_text *columns, const char *list)
{
	const struct report_column *column;
	bool scales;

	for (; list != NULL; list = next_name(list)) {
		column = report_column_named(columns->table, list, &scales);
		if (column != NULL && column->title != NULL)
			report_text_column(columns, column, scales);
	}
}

__attribute__((noreturn))
static void refuse_column(const char *option, const char *name,
			  const char *others)
{
	const struct report_table *table = &serve_tables.table[SERVE_SPANS];
	char names[512] = "", word[VALUES_WORD];
	const struct report_column *column;
	size_t used = 0, i;

	for (i = 0; i < table->num_columns; i++) {
		column = &table->columns[i];
		if (column->key != NULL && column->title != NULL)
			used += (size_t)snprintf(
				names + used, sizeof(names) - used, "%.*s, ",
				(int)(strstr(column->key, "_us") != NULL ?
				      strlen(column->key) - 3 :
				      strlen(column->key)), column->key);
	}
	values_refuse("invalid value '%s' for %s: use %s%s",
		      values_word(name, word), option, names, others);
}

void serve_check_columns(const char *list)
{
	const struct report_column *column = NULL;
	char name[REPORT_NAME];
	bool scales;
	size_t t;

	for (; list != NULL; list = next_name(list)) {
		column = NULL;
		for (t = 0; t < serve_tables.count && (column == NULL ||
		     column->title == NULL); t++)
			column = report_column_named(&serve_tables.table[t],
						     list, &scales);
		if (column != NULL && column->title != NULL)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(list, ","),
			 list);
		refuse_column("--columns", name, "running, hits, or of "
			      "programs processes, recorders, cpu or cost");
	}
}

void serve_check_sort(const char *name)
{
	if (strcmp(name, "name") != 0 && (strchr(name, ',') != NULL ||
					  span_column(name) == NULL))
		refuse_column("--sort", name, "or name");
}

static void print_table(FILE *out, const struct serve_options *o,
			const struct report *report, size_t t,
			const char *title, size_t lines)
{
	const struct report_table *table = report_table(report, t);
	size_t all = report->rows[t].count;
	size_t count = lines != 0 && all > lines ? lines : all;
	char line[REPORT_LINE], text[LABEL];
	struct report_text columns;
	size_t width = strlen(title);
	unsigned int group;
	size_t i;

	if (count == 0)
		return;
	for (i = 0; i < count; i++) {
		size_t length = strlen(label(table, report_row(report, t, i),
					     text));

		if (length > width)
			width = length < MOST_WIDTH ? length : MOST_WIDTH;
	}
	report_text_begin(&columns, report, t, count);
	add_chosen(&columns, o->printed.columns);
	if (o->printed.columns != NULL && columns.num_columns == 0)
		return;
	for (group = 0; group < table->num_groups &&
	     o->printed.columns == NULL; group++)
		report_text_group(&columns, group);
	fit(&columns, &width, o->printed.width);
	putc('\n', out);
	print_styled(out, OUT_HEADING, title, width);
	fprintf(out, "%s%s\n", report_text_titles(&columns, line),
		style(out, OUT_PLAIN));
	for (i = 0; i < count; i++) {
		label(table, report_row(report, t, i), text);
		print_styled(out, OUT_NAME, text, width);
		fprintf(out, "%s%s\n", style(out, OUT_PLAIN), report_text_row(
				&columns, report_row(report, t, i), line));
	}
	/* spans that only waited are left out on purpose */
	if (all > count && t != SERVE_SPANS)
		fprintf(out, "... and %zu more: --lines=%zu\n", all - count,
			all);
}

static void print_distributions(FILE *out, const struct report *r)
{
	const struct report_table *table = report_table(r, SERVE_SPANS);
	const struct span_sum *span;
	char text[LABEL];

	REPORT_FOR_EACH_ROW(span, r, SERVE_SPANS)
		report_text_distribution(out, table, span,
					 label(table, span, text),
					 "microseconds", TOP_UNIT / 1000.0);
}

/* Of programs that only waited, or have ended, nothing is to be read. */
static void print_spans(FILE *out, const struct serve_options *o,
			const struct report *r)
{
	const struct report_table *table = report_table(r, SERVE_SPANS);
	const struct span_sum *span;
	size_t count = r->rows[SERVE_SPANS].count;
	char text[LABEL];

	for (; count > 0; count--) {
		span = report_row(r, SERVE_SPANS, count - 1);
		if (span->times.count > 0 || span->in_progress > 0 ||
		    span->let_go_ns > 0)
			break;
	}
	if (count > 0)
		print_table(out, o, r, SERVE_SPANS, "PROGRAM SPAN", count);
	REPORT_FOR_EACH_ROW(span, r, SERVE_SPANS) {
		if (span->let_go_ns > 0)
			fprintf(out, "%s: not counted for %.1f s, because of "
				"the budget\n", label(table, span, text),
				(double)span->let_go_ns / 1e9);
	}
}

static void print_lost(FILE *out, const struct report *r)
{
	const struct report_table *table = report_table(r, SERVE_LOST);
	const struct report_column *column;
	unsigned long long number;
	size_t i;

	if (r->rows[SERVE_LOST].count == 0)
		return;
	for (i = 0; i < table->num_columns; i++) {
		column = &table->columns[i];
		number = report_get(column, report_row(r, SERVE_LOST, 0));
		if (number > 0)
			fprintf(out, "\n%s: %llu\n", column->title, number);
	}
}

void serve_print(FILE *out, const void *options, const struct report *r,
		 bool again)
{
	const struct serve_options *o = options;
	size_t lines = o->printed.lines;
	char when[WHEN_SIZE];

	if (again)
		putc('\n', out);
	fprintf(out, "%s: %.1f s", when_report(r->end_ns, when),
		(double)r->elapsed_ns / 1e9);
	if (r->hosts[0] != '\0')
		fprintf(out, " of %s", r->hosts);
	putc('\n', out);
	print_table(out, o, r, SERVE_PROGRAMS, "PROGRAM", 0);
	print_spans(out, o, r);
	print_table(out, o, r, SERVE_NAMES, "PROGRAM SPAN NAME", lines);
	print_table(out, o, r, SERVE_SUMS, "PROGRAM SPAN ARGUMENT NAME", lines);
	print_table(out, o, r, SERVE_PARTS, "PROGRAM SPAN PART", 0);
	print_table(out, o, r, SERVE_PROBES, "PROGRAM PROBE", 0);
	print_lost(out, r);
	if (o->printed.distribution)
		print_distributions(out, r);
}

json_t *serve_json(const void *options, const struct report *r)
{
	const struct serve_options *o = options;
	char *const *word = o->printed.words;
	static const struct report_view all;
	char host[REPORT_HOSTS] = "";
	char when[WHEN_SIZE];
	json_t *object, *filters;

	if (r->hosts[0] == '\0')
		gethostname(host, sizeof(host) - 1);
	object = json_pack("{ss so}", "time", when_json(r->end_ns, when),
			   "host", text_json(r->hosts[0] != '\0' ? r->hosts :
					     host));
	report_to_json(r, &all, memory_of(object));
	if (word == NULL || *word == NULL)
		return object;
	filters = json_array();
	while (*word != NULL)
		json_array_append_new(filters, text_json(*word++));
	json_object_set_new(object, "filters", filters);
	return object;
}

static void print_text(FILE *out, const struct slow_span *slow)
{
	char when[WHEN_SIZE], name[SERVE_NAME], arguments[SERVE_ARGUMENTS];

	fprintf(out, "%s %s %llu %s:%s %s%s%.3f ms waiting %.3f ms%s %s\n",
		when_exact(slow->end_ns, when), slow->of.at.program, slow->tid,
		slow->of.provider, slow->of.span,
		text_plain(slow->name, name, sizeof(name)),
		slow->name[0] != '\0' ? " " : "", (double)slow->total_ns / 1e6,
		(double)slow->waiting_ns / 1e6, slow->error ? " error" : "",
		text_plain(slow->arguments, arguments, sizeof(arguments)));
}

void serve_line(FILE *out, const void *options,
		const struct report_table *table, const void *row)
{
	const struct serve_options *o = options;
	const struct slow_span *slow = row;
	char when[WHEN_SIZE];
	json_t *object, *members;

	if (row == NULL)
		return;
	if (!o->printed.json) {
		print_text(out, slow);
		return;
	}
	members = report_row_json(table, row);
	object = memory_of(json_pack("{ss ss}", "event", "slow", "time",
				     when_json(slow->end_ns, when)));
	json_object_update(object, members);
	json_dumpf(object, out, JSON_COMPACT);
	putc('\n', out);
	json_decref(members);
	json_decref(object);
}
