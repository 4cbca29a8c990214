/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * convert.c - rows of sdtkit top, which number the spans of a plan, become rows
 * that name them.
 *
 *	span 3, "SELECT * FROM a WHERE b = 5"
 *	-> postgres, postgresql, query, "SELECT * FROM a WHERE b = ?"
 *
 * Two queries of a client mostly differ in their values only, so numbers and
 * quoted strings in the text of a query become "?": one row counts both. The
 * kernel has the first 63 bytes of the text. Other names, such as "/srv/file1",
 * keep their numbers.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "serve/convert.h"
#include "top/catalogue.h"
#include "top/lines.h"
#include "top/sample.h"

static void copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

enum { FOLDED = 45 };		/* characters of a query that was cut */

#define COPY(member, from)	copy(member, sizeof(member), from)

static bool is_query(const struct span *span)
{
	static const char *const names[] = { "query", "sql", "statement" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (span->num_names == 1 && span->name[0].is_text &&
		    strcmp(span->name[0].name, names[i]) == 0)
			return true;
	}
	return false;
}

/* Returns what is behind a quoted string, or the end of the text. */
static const char *behind_quoted(const char *at)
{
	for (at++; *at != '\0'; at++) {
		if (*at == '\'' && at[1] == '\'')
			at++;
		else if (*at == '\'')
			return at + 1;
	}
	return at;
}

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/*
 * Returns where the minus sign of the number begins that is to stand at the end,
 * or the end if it has none: "a = -" has one, and "a -" is a difference.
 */
static char *before_sign(char *text, char *end)
{
	char *at = end - 2;

	if (end - text < 2 || end[-1] != '-')
		return end;
	while (at > text && *at == ' ')
		at--;
	return strchr("=<>+-*/%(,", *at) != NULL ? end - 1 : end;
}

/* Replaces numbers and quoted strings by "?"; "t1" and "$1" are none. */
static void fold_query(char *text)
{
	bool is_cut = strlen(text) >= TOP_TEXT - 1;
	const char *from = text;
	char before = ' ';
	char *to = text;

	while (*from != '\0') {
		char c = *from;

		if (c == '\'') {
			from = behind_quoted(from);
			c = '?';
		} else if (isdigit((unsigned char)c) && !is_of_word(before)) {
			while (is_of_word(*from) || *from == '.')
				from++;
			to = before_sign(text, to);
			c = '?';
		} else {
			from++;
		}
		*to++ = before = c;
	}
	*to = '\0';
	/* the kernel has cut a longer number earlier, and the rest differs */
	if (is_cut && to - text > FOLDED)
		memcpy(text + FOLDED, "...", sizeof("..."));
}

static void set_name(const struct span *span, const char *text,
		     char name[SERVE_NAME])
{
	copy(name, SERVE_NAME, text);
	if (is_query(span))
		fold_query(name);
}

static void set_times(const struct span_row *row, struct span_times *times)
{
	*times = (struct span_times){
		.count = row->count, .errors = row->errors,
		.total_ns = row->total_ns,
		.waiting_ns = row->total_ns - row->running_ns,
		.self_ns = row->self_ns, .max_ns = row->max_ns,
	};
	memcpy(times->slots, row->slots, sizeof(times->slots));
}

static void set_span(struct serve_span *of, const struct serve_place *at,
		     const struct span *span)
{
	of->at = *at;
	COPY(of->provider, span->provider);
	COPY(of->span, span->text->name);
}

static void add_sums(const struct span *span, const struct span_row *row,
		     const struct name_row *name, struct report *report)
{
	struct sum_row sum;
	int i;

	for (i = 0; i < span->num_sums; i++) {
		sum = (struct sum_row){ .sum = row->sum[i] };
		sum.of = name->of;
		COPY(sum.name, name->name);
		COPY(sum.argument, span->sum[i].name);
		report_add_row(report, SERVE_SUMS, &sum);
	}
}

static void add_part(const struct span *parent, const struct span *span,
		     const struct serve_place *at, const struct part_row *times,
		     struct report *report)
{
	struct part_row part = *times;

	set_span(&part.of, at, parent);
	snprintf(part.part, sizeof(part.part), "%s:%s", span->provider,
		 span->text->name);
	report_add_row(report, SERVE_PARTS, &part);
}

/*
 * The kernel has taken this time from that of the parent itself. Spans of a
 * thread may be in others of their kind, which have their time too: the sum of
 * what they and the spans within them did themselves has it once.
 */
static void add_parts(const struct plan *plan, const struct serve_place *at,
		      const struct span *span, const struct span_row *row,
		      struct report *report)
{
	struct part_row times = {
		.count = row->count, .running_ns = span->by_thread ?
			row->self_ns : row->running_ns,
	};

	while (span->parent >= 0) {
		const struct span *parent = &plan->spans.span[span->parent];

		add_part(parent, span, at, &times, report);
		if (!parent->by_thread)
			return;
		times.count = 0;
		span = parent;
	}
}

/* A name takes 2.4 KiB here, and in each of the processes behind this one. */
static void leave_out_names(struct report *report, size_t most)
{
	if (report->rows[SERVE_NAMES].count > most)
		report_shrink(report, SERVE_NAMES, SERVE_MOST_NAMES);
}

void convert_span(const struct plan *plan, const struct serve_place *at,
		  const struct span_row *row, struct report *report)
{
	const struct span *span = rows_span(row);
	struct span_sum sum = { .in_progress = 0 };
	struct name_row name = { .name = "" };

	set_span(&sum.of, at, span);
	set_times(row, &sum.times);
	report_add_row(report, SERVE_SPANS, &sum);
	name.of = sum.of;
	if (row->key.other)
		COPY(name.name, "other");	/* as metrics call it */
	else
		set_name(span, row->name, name.name);
	name.times = sum.times;
	report_add_row(report, SERVE_NAMES, &name);
	add_sums(span, row, &name, report);
	add_parts(plan, at, span, row, report);
	leave_out_names(report, 2 * SERVE_MOST_NAMES);
}

/* What has come of a span since the last report. */
static void add_total(const struct plan *plan, const struct serve_place *at,
		      const struct total_row *total, struct report *report)
{
	static struct top_stats before[TOP_SPANS];
	const struct span *span = &plan->spans.span[total->span];
	const struct top_stats *now = &total->stats;
	struct top_stats *old = &before[total->span];
	struct span_sum sum = {
		.in_progress = total->under_way,
		.unmatched = now->unmatched - old->unmatched,
		.restarted = now->restarted - old->restarted,
		.abandoned = now->left - old->left,
		.lost = now->lost - old->lost + now->deep - old->deep,
		.unread = now->unread - old->unread +
			  now->unkept - old->unkept,
	};

	set_span(&sum.of, at, span);
	report_add_row(report, SERVE_SPANS, &sum);
	*old = *now;
}

static void add_probe(const struct serve_place *at, const struct span_row *row,
		      struct report *report)
{
	const struct span_probe *probe =
		&catalogue.probe[row->key.span - TOP_SPANS];
	struct probe_row to = { .hits = row->count };

	to.at = *at;
	COPY(to.provider, probe->provider);
	COPY(to.probe, probe->name);
	report_add_row(report, SERVE_PROBES, &to);
}

static void add_lost(const struct lost_row *lost, struct report *report)
{
	static struct lost_row before;
	struct lost_sum *to = report_append(report, SERVE_LOST);

	to->lines = lost->lines - before.lines;
	to->strings = lost->strings - before.strings;
	before = *lost;
}

void convert_report(const struct plan *plan, const struct serve_place *at,
		    const struct report *sample, struct report *report)
{
	size_t i;

	report->end_ns = sample->end_ns;
	report->elapsed_ns = sample->elapsed_ns;
	leave_out_names(report, SERVE_MOST_NAMES);
	for (i = 0; i < sample->rows[ROWS_TOTALS].count; i++)
		add_total(plan, at, report_row(sample, ROWS_TOTALS, i), report);
	for (i = 0; i < sample->rows[ROWS_PROBES].count; i++)
		add_probe(at, report_row(sample, ROWS_PROBES, i), report);
	add_lost(report_row(sample, ROWS_LOST, 0), report);
}

/* Arguments, each with its zero: these become blanks when all are there. */
struct told {
	char *text;
	size_t used;
};

/* What the start has said as the end does, such as the query, is said once. */
static void add_argument(const struct line_argument *argument, void *data)
{
	const char *quote = argument->quoted ? "\"" : "";
	struct told *told = data;
	char *text = told->text + told->used;
	const char *other;

	/* addresses say nothing to those who have not the process */
	if (argument->is_address || told->used + 1 >= SERVE_ARGUMENTS)
		return;
	snprintf(text, SERVE_ARGUMENTS - told->used, "%s=%s%s%s",
		 argument->name, quote, argument->text, quote);
	for (other = told->text; other < text; other += strlen(other) + 1) {
		if (strcmp(other, text) == 0)
			return;
	}
	told->used += strlen(text) + 1;
}

static void end_arguments(const struct told *told)
{
	size_t i;

	for (i = 0; i + 1 < told->used; i++) {
		if (told->text[i] == '\0')
			told->text[i] = ' ';
	}
	if (told->used == 0)
		told->text[0] = '\0';
}

void convert_line(const struct engine *engine, const struct plan *plan,
		  const struct serve_place *at, const struct top_line *line,
		  struct slow_span *slow)
{
	const struct view_context context = { .engine = engine, .plan = plan };
	const struct span *span = &plan->spans.span[line->span];
	char name[ROW_NAME];
	struct told told = { .text = slow->arguments };

	*slow = (struct slow_span){
		.end_ns = line->time, .pid = line->pid, .tid = line->tid,
		.error = line->error, .total_ns = line->total_ns,
		.waiting_ns = line->total_ns - line->running_ns,
		.self_ns = line->self_ns,
	};
	set_span(&slow->of, at, span);
	sample_name(engine, span, line->name, name, sizeof(name));
	set_name(span, name, slow->name);
	lines_arguments(&context, &line->end, add_argument, &told);
	lines_arguments(&context, &line->start, add_argument, &told);
	end_arguments(&told);
}
