/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c - reports -> struct table -> the screen.
 *
 *	sdtkit top: postgres  12:03:05  last 1.0 s  4 under way
 *	SPAN   NAME         RATE/s  COUNT  AVG us ...
 *	query  SELECT ...    812.0    812    93.1
 *	sort   HEAP          101.0    101    12.4
 *	postgresql:query: 1 ended whose start was not seen
 *
 * The columns are those of the plain table. Probes without a span are rows
 * that have a count only. The same table of all reports since the beginning is
 * one key away, and is what remains on the terminal at the end.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/tool.h"
#include "lib/report/text.h"
#include "top/catalogue.h"
#include "top/lines.h"
#include "top/live.h"
#include "top/outcome.h"
#include "top/screen.h"
#include "top/table.h"

enum {
	MAX_COLUMNS = 32, SPAN_WIDTH = 30, SUM_WIDTH = 14, NAME_WIDTH = 24,
	MAX_LINES = 5, MAX_NOTES = 10, NOTE_SIZE = 512,
};

/* A column of numbers, and its unit in the report that is shown. */
struct number {
	struct rows_column is;
	const struct report_time *unit;
	char title[REPORT_CELL];
};

static struct {
	struct screen *screen;
	struct table table;
	struct table_column columns[MAX_COLUMNS];
	struct number numbers[REPORT_COLUMNS];
	size_t num_numbers;
	size_t sort_by;			/* at the beginning */
	struct report *shown;		/* has the rows */
	const void **pointers;
	struct report *totals;		/* of the whole time */
	bool shows_totals;
	bool one_provider;		/* all are of the same */
	char heading[256];
	const char *headings[1];
	char note[MAX_NOTES][NOTE_SIZE];
	const char *notes[MAX_NOTES];
	/* The last lines of --slow; the oldest is overwritten. */
	char line[MAX_LINES][NOTE_SIZE];
	size_t num_lines;
} live;

static void print_span(const struct table_column *column, const void *row,
		       char *cell, size_t size)
{
	rows_text(ROWS_SPANS, row, !live.one_provider, cell, size);
}

static void print_name(const struct table_column *column, const void *data,
		       char *cell, size_t size)
{
	const struct span_row *row = data;

	snprintf(cell, size, "%s", row->name[0] != '\0' ? row->name : "-");
}

static void print_number(const struct table_column *column, const void *row,
			 char *cell, size_t size)
{
	const struct number *number = column->data;
	char buffer[REPORT_CELL];

	snprintf(cell, size, "%s", report_text_cell(
		&top_table[ROWS_SPANS], number->is.column, number->unit, row,
		true, buffer));
}

static double get_number(const struct table_column *column, const void *row)
{
	const struct report_column *number =
		((const struct number *)column->data)->is.column;
	const struct report_group *group =
		&top_table[ROWS_SPANS].groups[number->group];

	return group->has == NULL || group->has(row) ?
	       (double)report_get(number, row) : -1;
}

/* The sum of the argument that a column is for; NULL if the span lacks it. */
static const unsigned long long *sum_of(const struct table_column *column,
					const struct span_row *row)
{
	const struct span *span = rows_span(row);
	int i;

	for (i = 0; span != NULL && i < span->num_sums; i++) {
		if (strcmp(span->sum[i].name, column->data) == 0)
			return &row->sum[i];
	}
	return NULL;
}

static double get_sum(const struct table_column *column, const void *row)
{
	const unsigned long long *sum = sum_of(column, row);

	return sum != NULL ? (double)(long long)*sum : 0;
}

static void print_sum(const struct table_column *column, const void *row,
		      char *cell, size_t size)
{
	const unsigned long long *sum = sum_of(column, row);

	snprintf(cell, size, "-");
	if (sum != NULL)
		snprintf(cell, size, "%lld", (long long)*sum);
}

static void add_column(struct table_column column)
{
	if (live.table.num_columns < MAX_COLUMNS)
		live.columns[live.table.num_columns++] = column;
}

static const char *provider_of(const struct plan *plan, size_t i)
{
	return i < plan->spans.count ? plan->spans.span[i].provider :
		catalogue.probe[plan->rate[i - plan->spans.count]].provider;
}

static bool has_one_provider(const struct plan *plan)
{
	size_t i;

	for (i = 1; i < plan->spans.count + plan->num_rates; i++) {
		if (strcmp(provider_of(plan, i), provider_of(plan, 0)) != 0)
			return false;
	}
	return true;
}

static int span_width(const struct plan *plan)
{
	size_t num_spans = plan->spans.count;
	struct span_row row;
	char cell[TABLE_CELL];
	size_t width = strlen("SPAN");
	size_t i;

	for (i = 0; i < num_spans + plan->num_rates; i++) {
		row.key.span = (unsigned int)(i < num_spans ? i :
			TOP_SPANS + plan->rate[i - num_spans]);
		print_span(NULL, &row, cell, sizeof(cell));
		width = strlen(cell) > width ? strlen(cell) : width;
	}
	return width < SPAN_WIDTH ? (int)width : SPAN_WIDTH;
}

/* Spans that add an argument of the same name up share a column. */
static void add_sums(const struct span *span)
{
	size_t j;
	int i;

	for (i = 0; i < span->num_sums; i++) {
		const char *name = span->sum[i].name;

		for (j = 0; j < live.table.num_columns; j++) {
			if (strcmp(live.columns[j].title, name) == 0)
				break;
		}
		if (j == live.table.num_columns)
			add_column((struct table_column){ name,
				"the sum of this argument", SUM_WIDTH, false,
				print_sum, get_sum, name });
	}
}

static void add_number(const struct report_column *c, bool scales)
{
	struct number *number = &live.numbers[live.num_numbers];

	if (live.num_numbers == REPORT_COLUMNS)
		return;
	live.num_numbers++;
	number->is = (struct rows_column){ c, scales };
	snprintf(number->title, sizeof(number->title), "%s", c->title);
	if (rows_choice.sort != NULL && strcmp(c->key, rows_choice.sort) == 0)
		live.sort_by = live.table.num_columns;
	add_column((struct table_column){ number->title, c->doc,
		report_text_brief_width(c), false, print_number, get_number,
		number });
}

/* Numbers of spans; if there is no span, those that probes have, too. */
static void add_numbers(const struct plan *plan, unsigned int group)
{
	const struct report_table *table = &top_table[ROWS_SPANS];
	const struct report_column *c;

	if (table->groups[group].hidden ||
	    (plan->spans.count == 0 && table->groups[group].has != NULL))
		return;
	REPORT_FOR_EACH(c, table, group) {
		if (c->title != NULL)
			add_number(c, false);
	}
}

static void add_columns(const struct plan *plan)
{
	bool has_names = false;
	unsigned int group;
	size_t i;

	live.one_provider = has_one_provider(plan);
	add_column((struct table_column){ "SPAN", "the span, or a probe "
		"without one", span_width(plan), true, print_span, NULL,
		NULL });
	for (i = 0; i < plan->spans.count; i++)
		has_names = has_names || plan->spans.span[i].num_names > 0;
	if (has_names)
		add_column((struct table_column){ "NAME", "what name= says of "
			"the span", NAME_WIDTH, true, print_name, NULL, NULL });
	live.sort_by = rows_choice.sort == NULL ? live.table.num_columns - 1 :
						  live.table.num_columns;
	for (i = 0; i < rows_choice.count; i++)
		add_number(rows_choice.column[i].column,
			   rows_choice.column[i].scales);
	for (group = 0; group < SPANS_GROUPS && rows_choice.count == 0; group++)
		add_numbers(plan, group);
	for (i = 0; i < plan->spans.count && rows_choice.sums; i++)
		add_sums(&plan->spans.span[i]);
}

static bool begin(const struct view_context *context)
{
	static const char *const help[] = {
		"t                 totals since the beginning, and back",
	};

	add_columns(context->plan);
	live.shown = report_new(&top_tables);
	live.totals = report_new(&top_tables);
	live.table.columns = live.columns;
	live.table.headings = live.headings;
	live.table.num_headings = 1;
	live.table.notes = live.notes;
	live.table.help = help;
	live.table.num_help = sizeof(help) / sizeof(help[0]);
	live.headings[0] = live.heading;
	snprintf(live.heading, sizeof(live.heading), "sdtkit top: %s",
		 context->target);
	if (screen_open(&live.screen, live.sort_by) < 0)
		return false;
	screen_show(live.screen, &live.table);
	return true;
}

/* "3 under way"; spans without a start are not among them. */
static void under_way_text(const struct view_context *context, char *text,
			   size_t size)
{
	unsigned long long sum = 0;
	size_t unknown = 0;
	size_t i;

	for (i = 0; i < live.shown->rows[ROWS_TOTALS].count; i++) {
		const struct total_row *row =
			report_row(live.shown, ROWS_TOTALS, i);

		sum += row->under_way;
		unknown += plan_is_alone(context->plan, i);
	}
	if (unknown == 0)
		snprintf(text, size, "%llu under way", sum);
	else if (sum > 0)
		snprintf(text, size, "%llu or more under way", sum);
	else
		snprintf(text, size, "under way: not known");
}

static void set_heading(const struct view_context *context)
{
	time_t now = time(NULL);
	char clock[16];
	char under_way[48];
	struct tm tm;

	under_way_text(context, under_way, sizeof(under_way));
	localtime_r(&now, &tm);
	strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	snprintf(live.heading, sizeof(live.heading),
		 "sdtkit top: %s%s  %s  %s %.1f s  %s",
		 context->target, context->engine->source != NULL ?
		 " by recorders" : "", clock, live.shows_totals ? "all of" : "last",
		 (double)live.shown->elapsed_ns / 1e9, under_way);
}

/* First the lines of --slow, the newest last, then what was lost. */
static void set_notes(void)
{
	size_t first = live.num_lines > MAX_LINES ?
		live.num_lines - MAX_LINES : 0;
	size_t count = 0;
	size_t i;

	for (i = first; i < live.num_lines; i++)
		live.notes[count++] = live.line[i % MAX_LINES];
	for (i = 0; i < live.shown->rows[ROWS_TOTALS].count &&
	     count < MAX_NOTES; i++) {
		char *text = live.note[count];

		if (outcome_text(report_row(live.shown, ROWS_TOTALS, i), false,
				 text, NOTE_SIZE))
			live.notes[count++] = text;
	}
	live.table.num_notes = count;
}

static void set_units(void)
{
	char title[REPORT_CELL];
	struct report_text text;
	size_t i;

	report_text_begin(&text, live.shown, ROWS_SPANS, 0);
	for (i = 0; i < live.num_numbers; i++) {
		struct number *number = &live.numbers[i];

		if (!number->is.scales)
			continue;
		number->unit = report_text_unit(&text, number->is.column);
		strcpy(number->title, report_text_title(number->is.column,
							number->unit, title));
	}
}

/* The rows of the screen last until the next report. */
static void set_rows(void)
{
	size_t probes = live.shown->rows[ROWS_PROBES].count;
	size_t count, i;

	for (i = 0; i < probes; i++)
		*(struct span_row *)report_append(live.shown, ROWS_SPANS) =
			*(struct span_row *)report_row(live.shown, ROWS_PROBES,
						       i);
	count = live.shown->rows[ROWS_SPANS].count;
	free(live.pointers);
	live.pointers = tool_zeros(count + 1, sizeof(*live.pointers));
	for (i = 0; i < count; i++)
		live.pointers[i] = report_row(live.shown, ROWS_SPANS, i);
	live.table.rows = live.pointers;
	live.table.num_rows = count;
	set_units();
}

static void show_report(const struct view_context *context,
			const struct report *report)
{
	report_copy(live.shown, report);
	rows_finish(live.shown);
	set_rows();
	set_heading(context);
	set_notes();
	screen_show(live.screen, &live.table);
}

static void show(const struct view_context *context,
		 const struct report *report, bool last)
{
	report_add(live.totals, report);
	if (last) {
		rows_finish(live.totals);
		view_table.show(context, live.totals, true);
	} else if (!screen_is_paused(live.screen)) {
		show_report(context, live.shows_totals ? live.totals : report);
	}
}

static void add_line(const struct view_context *context,
		     const struct top_line *line)
{
	lines_text(context, line, live.line[live.num_lines++ % MAX_LINES],
		   NOTE_SIZE);
}

static bool key(const struct view_context *context)
{
	enum screen_wish wish = screen_input(live.screen);

	if (wish == SCREEN_GOES_ON && screen_other_key(live.screen) == 't') {
		live.shows_totals = !live.shows_totals;
		if (live.shows_totals)
			show_report(context, live.totals);
	}
	return wish == SCREEN_GOES_ON;
}

static void end(const struct view_context *context)
{
	screen_close(live.screen);
	live.screen = NULL;
}

const struct view view_live = {
	.begin = begin,
	.show = show,
	.line = add_line,
	.fd = 0,	/* standard input */
	.key = key,
	.end = end,
	.interval = 1,
};
