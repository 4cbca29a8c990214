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
#include "top/catalogue.h"
#include "top/columns.h"
#include "top/lines.h"
#include "top/live.h"
#include "top/outcome.h"
#include "top/screen.h"
#include "top/table.h"
#include "top/totals.h"

enum {
	MAX_COLUMNS = 32, SPAN_WIDTH = 30, SUM_WIDTH = 14, NAME_WIDTH = 24,
	MAX_LINES = 5, MAX_NOTES = 10, NOTE_SIZE = 512,
};

/* A row of the screen: of a span, or of a probe, which has span NULL. */
struct live_row {
	struct sample_row row;
	size_t probe;
};

static struct {
	struct screen *screen;
	struct table table;
	struct table_column columns[MAX_COLUMNS];
	struct live_row *rows;
	const void **pointers;
	struct totals totals;
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

static void print_span(const struct table_column *column, const void *data,
		       char *cell, size_t size)
{
	const struct live_row *r = data;
	const struct span *span = r->row.span;
	const char *name = span != NULL ? span->text->name :
		catalogue.probe[r->probe].name;

	(void)column;
	if (live.one_provider)
		snprintf(cell, size, "%s", name);
	else
		snprintf(cell, size, "%s:%s", span != NULL ? span->provider :
			 catalogue.probe[r->probe].provider, name);
}

static void print_name(const struct table_column *column, const void *data,
		       char *cell, size_t size)
{
	const struct live_row *r = data;

	(void)column;
	snprintf(cell, size, "%s",
		 r->row.name[0] != '\0' ? r->row.name : "-");
}

/* A probe has numbers of hits only. */
static bool has_value(const struct column *column, const struct live_row *r)
{
	return r->row.span != NULL || column->unit == UNIT_PER_SECOND ||
	       strcmp(column->key, "count") == 0;
}

static void print_number(const struct table_column *column, const void *data,
			 char *cell, size_t size)
{
	const struct live_row *r = data;
	char buffer[32];

	snprintf(cell, size, "%s", !has_value(column->data, r) ? "-" :
		 column_short(column->data, &r->row, buffer));
}

static double get_number(const struct table_column *column, const void *data)
{
	const struct column *number = column->data;
	const struct live_row *r = data;

	return has_value(number, r) ? number->value(&r->row) : -1;
}

/* The sum of the argument that a column is for; false if the span lacks it. */
static bool has_sum(const struct table_column *column,
		    const struct live_row *r, long long *sum)
{
	const struct span *span = r->row.span;
	int i;

	for (i = 0; span != NULL && i < span->num_sums; i++) {
		if (strcmp(span->sum[i].name, column->data) != 0)
			continue;
		*sum = (long long)r->row.sum[i];
		return true;
	}
	return false;
}

static double get_sum(const struct table_column *column, const void *data)
{
	long long sum = 0;

	has_sum(column, data, &sum);
	return (double)sum;
}

static void print_sum(const struct table_column *column, const void *data,
		      char *cell, size_t size)
{
	long long sum;

	if (has_sum(column, data, &sum))
		snprintf(cell, size, "%lld", sum);
	else
		snprintf(cell, size, "-");
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
	struct live_row r = { .probe = 0 };
	char cell[TABLE_CELL];
	size_t width = strlen("SPAN");
	size_t i;

	for (i = 0; i < plan->spans.count + plan->num_rates; i++) {
		bool is_span = i < plan->spans.count;

		r.row.span = is_span ? &plan->spans.span[i] : NULL;
		r.probe = is_span ? 0 : plan->rate[i - plan->spans.count];
		print_span(NULL, &r, cell, sizeof(cell));
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

/* Returns the column to sort by: what takes most of the time. */
static size_t add_columns(const struct plan *plan)
{
	bool has_names = false;
	size_t sort_by;
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
	sort_by = live.table.num_columns;
	for (i = 0; i < num_columns; i++) {
		const struct column *c = &columns[i];

		if (!column_is_shown(c, plan) ||
		    (plan->spans.count == 0 && c->unit == UNIT_US))
			continue;
		if (strcmp(c->key, "sum_us") == 0)
			sort_by = live.table.num_columns;
		add_column((struct table_column){ c->title, c->doc,
			column_short_width(c), false, print_number, get_number,
			c });
	}
	for (i = 0; i < plan->spans.count; i++)
		add_sums(&plan->spans.span[i]);
	return sort_by;
}

static bool begin(const struct view_context *context)
{
	static const char *const help[] = {
		"t                 totals since the beginning, and back",
	};
	size_t sort_by = add_columns(context->plan);

	live.table.columns = live.columns;
	live.table.headings = live.headings;
	live.table.num_headings = 1;
	live.table.notes = live.notes;
	live.table.help = help;
	live.table.num_help = sizeof(help) / sizeof(help[0]);
	live.headings[0] = live.heading;
	snprintf(live.heading, sizeof(live.heading), "sdtkit top: %s",
		 context->target);
	if (screen_open(&live.screen, sort_by) < 0)
		return false;
	screen_show(live.screen, &live.table);
	return true;
}

/* "3 under way"; spans without a start are not among them. */
static void under_way_text(const struct plan *plan,
			   const struct sample *sample, char *text,
			   size_t size)
{
	unsigned long long sum = 0;
	size_t unknown = 0;
	size_t i;

	for (i = 0; i < plan->spans.count; i++) {
		sum += sample->under_way[i];
		unknown += plan_is_alone(plan, i);
	}
	if (unknown == 0)
		snprintf(text, size, "%llu under way", sum);
	else if (sum > 0)
		snprintf(text, size, "%llu or more under way", sum);
	else
		snprintf(text, size, "under way: not known");
}

static void set_heading(const struct view_context *context,
			const struct sample *sample)
{
	time_t now = time(NULL);
	char clock[16];
	char under_way[48];
	struct tm tm;

	under_way_text(context->plan, sample, under_way, sizeof(under_way));
	localtime_r(&now, &tm);
	strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	snprintf(live.heading, sizeof(live.heading),
		 "sdtkit top: %s  %s  %s %.1f s  %s",
		 context->target, clock, live.shows_totals ? "all of" : "last",
		 (double)sample->elapsed_ns / 1e9, under_way);
}

/* First the lines of --slow, the newest last, then what was lost. */
static void set_notes(const struct view_context *context,
		      const struct sample *sample)
{
	size_t first = live.num_lines > MAX_LINES ?
		live.num_lines - MAX_LINES : 0;
	size_t count = 0;
	size_t i;

	for (i = first; i < live.num_lines; i++)
		live.notes[count++] = live.line[i % MAX_LINES];
	for (i = 0; i < context->plan->spans.count && count < MAX_NOTES; i++) {
		char *text = live.note[count];

		if (outcome_text(&context->plan->spans.span[i],
				 &sample->stats[i], 0, text, NOTE_SIZE))
			live.notes[count++] = text;
	}
	live.table.num_notes = count;
}

/* The rows of the screen last until the next report. */
static void set_rows(const struct sample *sample)
{
	size_t count = sample->num_rows + sample->num_rates;
	size_t i;

	free(live.rows);
	free(live.pointers);
	live.rows = calloc(count + 1, sizeof(*live.rows));
	live.pointers = calloc(count + 1, sizeof(*live.pointers));
	if (live.rows == NULL || live.pointers == NULL)
		tool_no_memory();
	for (i = 0; i < sample->num_rows; i++)
		live.rows[i].row = sample->row[i];
	for (; i < count; i++) {
		const struct sample_rate *rate =
			&sample->rate[i - sample->num_rows];

		live.rows[i].probe = rate->probe;
		live.rows[i].row.count = rate->count;
		live.rows[i].row.elapsed_ns = rate->elapsed_ns;
	}
	for (i = 0; i < count; i++)
		live.pointers[i] = &live.rows[i];
	live.table.rows = live.pointers;
	live.table.num_rows = count;
}

static void show_sample(const struct view_context *context,
			const struct sample *sample)
{
	set_rows(sample);
	set_heading(context, sample);
	set_notes(context, sample);
	screen_show(live.screen, &live.table);
}

static void show(const struct view_context *context,
		 const struct sample *sample, bool last)
{
	totals_add(&live.totals, sample);
	if (last) {
		view_table.show(context, totals_sample(&live.totals), true);
		totals_free(&live.totals);
		return;
	}
	if (!screen_is_paused(live.screen))
		show_sample(context, live.shows_totals ? &live.totals.sample :
			    sample);
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
			show_sample(context, &live.totals.sample);
	}
	return wish == SCREEN_GOES_ON;
}

static void end(const struct view_context *context)
{
	(void)context;
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
