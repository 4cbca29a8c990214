/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table.c - a report as plain text, for people and for awk.
 *
 *	SPAN          NAME            COUNT    AVG us ...
 *	smb2:request  SMB2_READ         756      81.3 ...
 *	smb2:request  SMB2_CLOSE         12      11.9 ...
 *	smb2:request  TOTAL             768      80.2 ...
 *
 *	smb2:lock: none
 *
 *	PROBE              RATE/s      COUNT
 *	smb2:session_end      0.2          1
 *
 * If recorders have counted, a line before the titles says so.
 *
 * A span that was asked for and did not end has a line that says so.
 * A column with a name is as wide as the longest one, within limits. Blanks in
 * names are printed, so those columns are the first ones.
 *
 * If a line has a limit (--width, or a terminal's) and not all of it fits, it is
 * brief: names of spans without their provider if there is only one, short
 * numbers, and as many columns as there is room for, at least LEAST. Sums of
 * arguments go to lines of their own. A long name is cut for that.
 */
#include <stdio.h>
#include <string.h>

#include "common/escape.h"
#include "common/fold.h"
#include "common/out.h"
#include "lib/report/text.h"
#include "top/lines.h"
#include "top/table.h"

enum { NAME_MAX_WIDTH = 64, NAME_LEAST = 8, GAP = 2, BAR = 30, LEAST = 5 };

/* How the rows of a report are laid out. */
struct form {
	bool brief;
	bool one_provider;		/* whose name is left out */
	size_t span;			/* widths */
	size_t name;			/* 0: no row has one */
	struct report_text numbers;
};

static void span_name(const struct form *form, const struct span_row *row,
		      char *text, size_t size)
{
	rows_text(ROWS_SPANS, row, !form->brief || !form->one_provider, text,
		  size);
}

static void widen(size_t *width, size_t length)
{
	if (length > NAME_MAX_WIDTH)
		length = NAME_MAX_WIDTH;
	if (length > *width)
		*width = length;
}

static void measure_names(struct form *form, const struct report *report)
{
	const struct span_row *row;
	char name[256];
	size_t i;

	form->span = sizeof("SPAN") - 1;
	form->name = 0;
	for (i = 0; i < report->rows[ROWS_SPANS].count; i++) {
		row = report_row(report, ROWS_SPANS, i);
		span_name(form, row, name, sizeof(name));
		widen(&form->span, out_escaped_length(name, true));
		widen(&form->name, out_escaped_length(row->name, true));
	}
	if (form->name > 0)
		widen(&form->name, sizeof("NAME") - 1);
}

static size_t names_width(const struct form *form)
{
	return form->span + GAP + (form->name > 0 ? form->name + GAP : 0);
}

/* The width of the first columns. */
static size_t line_width(const struct form *form, size_t columns)
{
	return names_width(form) + report_text_width(&form->numbers, columns);
}

/* Leaves out what does not fit. */
static void make_brief(struct form *form, const struct report *report,
		       size_t limit)
{
	size_t *columns = &form->numbers.num_columns;
	size_t least = *columns < LEAST || rows_choice.count > 0 ? *columns :
								   LEAST;
	size_t beyond;

	form->brief = true;
	report_text_brief(&form->numbers);
	measure_names(form, report);
	beyond = line_width(form, least);
	beyond = beyond > limit ? beyond - limit : 0;
	if (form->name > NAME_LEAST && beyond > 0)
		form->name = form->name > beyond + NAME_LEAST ?
			     form->name - beyond : NAME_LEAST;
	while (*columns > least && line_width(form, *columns) > limit)
		--*columns;
}

/* Whether any span has more in it than the other columns say. */
static bool has_nested(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->rows[ROWS_SPANS].count; i++) {
		const struct span_row *row = report_row(report, ROWS_SPANS, i);

		if (row->self_ns != row->running_ns)
			return true;
	}
	return false;
}

static struct form make_form(const struct plan *plan,
			     const struct report *report)
{
	struct form form = { .one_provider = true };
	size_t limit = fold_width();
	unsigned int group;
	size_t i;

	for (i = 1; i < plan->spans.count; i++)
		form.one_provider = form.one_provider &&
			strcmp(plan->spans.span[i].provider,
			       plan->spans.span[0].provider) == 0;
	report_text_begin(&form.numbers, report, ROWS_SPANS, 0);
	for (i = 0; i < rows_choice.count; i++)
		report_text_column(&form.numbers, rows_choice.column[i].column,
				   rows_choice.column[i].scales);
	for (group = 0; group < SPANS_GROUPS && rows_choice.count == 0;
	     group++) {
		if (group != SPANS_SELF || has_nested(report))
			report_text_group(&form.numbers, group);
	}
	measure_names(&form, report);
	if (limit > 0 && line_width(&form, form.numbers.num_columns) > limit)
		make_brief(&form, report, limit);
	return form;
}

static void pad(size_t length, size_t width)
{
	out_blanks((length < width ? width - length : 0) + GAP);
}

/* "a name that is t...", at the left of a column. */
static void print_left(const struct form *form, const char *text, size_t width)
{
	char escaped[4 * 256 + 1];
	size_t length = escape_into(escaped, sizeof(escaped), text,
				    ESCAPE_TEXT);

	if (form->brief && length > width) {
		memcpy(escaped + width - 3, "...", sizeof("..."));
		length = width;
	}
	out_text(escaped);
	pad(length, width);
}

static void print_titles(const struct plan *plan, const struct form *form)
{
	char line[REPORT_LINE];

	out_style(OUT_HEADING);
	print_left(form, "SPAN", form->span);
	if (form->name > 0)
		print_left(form, "NAME", form->name);
	out_text(report_text_titles(&form->numbers, line));
	if (plan->max_sums > 0 && rows_choice.sums && !form->brief)
		out_text("  SUMS");
	out_style(OUT_PLAIN);
	out_char('\n');
}

static void print_sums(const struct form *form, const struct span_row *row)
{
	struct fold fold = fold_from(
		line_width(form, form->numbers.num_columns), 2 * GAP);
	const struct span *span = rows_span(row);
	char number[32];
	int i;

	if (!rows_choice.sums)
		return;
	if (form->brief && span->num_sums > 0) {
		out_text("\n  ");
		fold.column = GAP;
	}
	fold.blanks = GAP;
	for (i = 0; i < span->num_sums; i++) {
		snprintf(number, sizeof(number), "=%lld",
			 (long long)row->sum[i]);
		fold_next(&fold, out_escaped_length(span->sum[i].name,
						    false) + strlen(number));
		out_escaped(span->sum[i].name, false);
		out_text(number);
	}
}

static void print_row(const struct form *form, const struct span_row *row)
{
	char line[REPORT_LINE];

	span_name(form, row, line, sizeof(line));
	out_style(OUT_NAME);
	print_left(form, line, form->span);
	if (form->name > 0)
		print_left(form, row->name[0] != '\0' ? row->name : "-",
			   form->name);
	out_style(OUT_PLAIN);
	out_text(report_text_row(&form->numbers, row, line));
	print_sums(form, row);
	out_char('\n');
}

/* Powers of two of 64 ns, as the kernel's tools print them. */
static void print_histogram(const struct span_row *row)
{
	unsigned long long powers[SLOTS_POWERS];
	unsigned long long most = 1;
	int first = -1, last = -1;
	int i;

	slots_fold(row->slots, powers);
	for (i = 0; i < (int)(sizeof(powers) / sizeof(powers[0])); i++) {
		if (powers[i] == 0)
			continue;
		first = first < 0 ? i : first;
		last = i;
		most = powers[i] > most ? powers[i] : most;
	}
	for (i = first < 0 ? 0 : first; i <= last; i++) {
		out_format("  %12.3f us ... %12.3f us %10llu |",
			   i == 0 ? 0 : TOP_UNIT * (double)(1ULL << i) / 1000,
			   TOP_UNIT * (double)(2ULL << i) / 1000, powers[i]);
		for (first = 0; first < (int)(powers[i] * BAR / most); first++)
			out_char('@');
		out_text("\n");
	}
}

static void print_probes(const struct report *report)
{
	size_t count = report->rows[ROWS_PROBES].count;
	size_t width = sizeof("PROBE") - 1;
	struct report_text text;
	char line[REPORT_LINE];
	size_t i;

	for (i = 0; i < count; i++) {
		rows_text(ROWS_PROBES, report_row(report, ROWS_PROBES, i),
			  true, line, sizeof(line));
		widen(&width, strlen(line));
	}
	report_text_begin(&text, report, ROWS_PROBES, 0);
	report_text_group(&text, PROBE_HITS);
	out_style(OUT_HEADING);
	out_text("PROBE");
	pad(5, width);
	out_text(report_text_titles(&text, line));
	out_style(OUT_PLAIN);
	out_char('\n');
	for (i = 0; i < count; i++) {
		const void *row = report_row(report, ROWS_PROBES, i);

		rows_text(ROWS_PROBES, row, true, line, sizeof(line));
		pad(out_escaped(line, true), width);
		out_text(report_text_row(&text, row, line));
		out_char('\n');
	}
}

/* Names the spans that were asked for and have no row, while others have. */
static void print_missing(const struct plan *plan, const struct form *form,
			  const struct report *report)
{
	bool has_row[TOP_SPANS] = { false };
	struct span_row row;
	char name[256];
	size_t i;

	for (i = 0; i < report->rows[ROWS_SPANS].count; i++) {
		const struct span_row *r = report_row(report, ROWS_SPANS, i);

		has_row[r->key.span] = true;
	}
	for (i = 0; i < plan->spans.count; i++) {
		if (has_row[i] || (!plan->asked &&
				   !plan->spans.span[i].text->option))
			continue;
		row.key.span = (unsigned int)i;
		span_name(form, &row, name, sizeof(name));
		out_escaped(name, true);
		out_text(": none\n");
	}
}

/* Appends a row for each span that has several, with the sum of them. */
static void append_totals(struct report *report)
{
	size_t count = report->rows[ROWS_SPANS].count, i;
	struct span_row *row, *total;
	size_t rows[TOP_SPANS] = { 0 };
	unsigned int span;

	for (i = 0; i < count; i++) {
		row = report_row(report, ROWS_SPANS, i);
		rows[row->key.span]++;
	}
	for (span = 0; span < TOP_SPANS; span++) {
		if (rows[span] < 2)
			continue;
		total = report_append(report, ROWS_SPANS);
		total->key.span = span;
		strcpy(total->name, "TOTAL");
		total->elapsed_ns = report->elapsed_ns;
		for (i = 0; i < count; i++) {
			row = report_row(report, ROWS_SPANS, i);
			if (row->key.span == span)
				report_sum_row(&top_table[ROWS_SPANS], total,
					       row);
		}
	}
}

static void show_table(const struct view_context *context,
		       const struct report *report, bool last)
{
	struct form form = make_form(context->plan, report);
	size_t count = report->rows[ROWS_SPANS].count;
	size_t i;

	if (context->engine->source != NULL)
		out_text("counted by recorders, without the kernel\n");
	if (context->plan->spans.count > 0 && count == 0)
		out_text(context->plan->num_filters > 0 ?
			 "no span has ended that passes its filter\n" :
			 "no span has ended\n");
	if (count > 0)
		print_titles(context->plan, &form);
	for (i = 0; i < count; i++) {
		print_row(&form, report_row(report, ROWS_SPANS, i));
		if (context->histograms)
			print_histogram(report_row(report, ROWS_SPANS, i));
	}
	if (count > 0)
		print_missing(context->plan, &form, report);
	if (context->plan->num_rates > 0)
		print_probes(report);
	if (context->several && !last)
		out_char('\n');
}

static void show(const struct view_context *context,
		 const struct report *report, bool last)
{
	struct report *with_totals = report_new(&top_tables);

	report_copy(with_totals, report);
	append_totals(with_totals);
	show_table(context, with_totals, last);
	report_free(with_totals);
}

const struct view view_table = {
	.show = show,
	.line = lines_print,
	.fd = -1,
};
