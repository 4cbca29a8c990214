/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table.c - a report as plain text, for people and for awk.
 *
 *	SPAN          NAME            COUNT    AVG us ...
 *	smb2:request  SMB2_READ         756      81.3 ...
 *
 *	smb2:lock: none
 *
 *	PROBE              RATE/s      COUNT
 *	smb2:session_end      0.2          1
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
#include "lib/slots/slots.h"
#include "top/catalogue.h"
#include "top/columns.h"
#include "top/lines.h"
#include "top/table.h"

enum { NAME_MAX_WIDTH = 64, NAME_LEAST = 8, GAP = 2, BAR = 30, LEAST = 5 };

/* How the rows of a report are laid out. */
struct form {
	bool brief;
	bool one_provider;		/* whose name is left out */
	size_t span;			/* widths */
	size_t name;			/* 0: no row has one */
	const struct column *column[32];
	size_t num_columns;
};

static void span_name(const struct form *form, const struct span *span,
		      char *text, size_t size)
{
	if (form->brief && form->one_provider)
		snprintf(text, size, "%s", span->text->name);
	else
		snprintf(text, size, "%s:%s", span->provider,
			 span->text->name);
}

static void widen(size_t *width, size_t length)
{
	if (length > NAME_MAX_WIDTH)
		length = NAME_MAX_WIDTH;
	if (length > *width)
		*width = length;
}

static void measure_names(struct form *form, const struct sample *sample)
{
	char name[256];
	size_t i;

	form->span = sizeof("SPAN") - 1;
	form->name = 0;
	for (i = 0; i < sample->num_rows; i++) {
		span_name(form, sample->row[i].span, name, sizeof(name));
		widen(&form->span, out_escaped_length(name, true));
		widen(&form->name,
		      out_escaped_length(sample->row[i].name, true));
	}
	if (form->name > 0)
		widen(&form->name, sizeof("NAME") - 1);
}

static size_t column_width(const struct form *form,
			   const struct column *column)
{
	return form->brief ? (size_t)column_short_width(column) + 1 :
			     (size_t)column->width;
}

static size_t names_width(const struct form *form)
{
	return form->span + GAP + (form->name > 0 ? form->name + GAP : 0);
}

/* The width of the first columns. */
static size_t line_width(const struct form *form, size_t columns)
{
	size_t width = names_width(form);
	size_t i;

	for (i = 0; i < columns; i++)
		width += column_width(form, form->column[i]);
	return width;
}

/* Leaves out what does not fit. */
static void make_brief(struct form *form, const struct sample *sample,
		       size_t limit)
{
	size_t least = form->num_columns < LEAST ? form->num_columns : LEAST;
	size_t beyond;

	form->brief = true;
	measure_names(form, sample);
	beyond = line_width(form, least);
	beyond = beyond > limit ? beyond - limit : 0;
	if (form->name > NAME_LEAST && beyond > 0)
		form->name = form->name > beyond + NAME_LEAST ?
			     form->name - beyond : NAME_LEAST;
	while (form->num_columns > least &&
	       line_width(form, form->num_columns) > limit)
		form->num_columns--;
}

static struct form make_form(const struct plan *plan,
			     const struct sample *sample)
{
	struct form form = { .one_provider = true };
	size_t limit = fold_width();
	size_t i;

	for (i = 1; i < plan->spans.count; i++)
		form.one_provider = form.one_provider &&
			strcmp(plan->spans.span[i].provider,
			       plan->spans.span[0].provider) == 0;
	for (i = 0; i < num_columns; i++) {
		if (column_is_shown(&columns[i], plan) &&
		    column_differs(&columns[i], sample))
			form.column[form.num_columns++] = &columns[i];
	}
	measure_names(&form, sample);
	if (limit > 0 && line_width(&form, form.num_columns) > limit)
		make_brief(&form, sample, limit);
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

static void print_right(const char *text, size_t width)
{
	size_t length = strlen(text);

	out_blanks(length < width ? width - length : 1);
	out_text(text);
}

static void print_titles(const struct plan *plan, const struct form *form)
{
	size_t i;

	out_style(OUT_HEADING);
	print_left(form, "SPAN", form->span);
	if (form->name > 0)
		print_left(form, "NAME", form->name);
	for (i = 0; i < form->num_columns; i++)
		print_right(form->column[i]->title,
			    column_width(form, form->column[i]));
	if (plan->max_sums > 0 && !form->brief)
		out_text("  SUMS");
	out_style(OUT_PLAIN);
	out_char('\n');
}

static void print_sums(const struct form *form, const struct sample_row *row)
{
	struct fold fold = fold_from(line_width(form, form->num_columns),
				     2 * GAP);
	char number[32];
	int i;

	if (form->brief && row->span->num_sums > 0) {
		out_text("\n  ");
		fold.column = GAP;
	}
	fold.blanks = GAP;
	for (i = 0; i < row->span->num_sums; i++) {
		snprintf(number, sizeof(number), "=%lld",
			 (long long)row->sum[i]);
		fold_next(&fold, out_escaped_length(row->span->sum[i].name,
						    false) + strlen(number));
		out_escaped(row->span->sum[i].name, false);
		out_text(number);
	}
}

static void print_row(const struct form *form, const struct sample_row *row)
{
	char buffer[256];
	size_t i;

	span_name(form, row->span, buffer, sizeof(buffer));
	out_style(OUT_NAME);
	print_left(form, buffer, form->span);
	if (form->name > 0)
		print_left(form, row->name[0] != '\0' ? row->name : "-",
			   form->name);
	out_style(OUT_PLAIN);
	for (i = 0; i < form->num_columns; i++)
		print_right(form->brief ?
			    column_short(form->column[i], row, buffer) :
			    column_cell(form->column[i], row, buffer),
			    column_width(form, form->column[i]));
	print_sums(form, row);
	out_char('\n');
}

/* Powers of two of 64 ns, as the kernel's tools print them. */
static void print_histogram(const struct sample_row *row)
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

static void print_rates(const struct plan *plan, const struct sample *sample)
{
	size_t width = sizeof("PROBE") - 1;
	const struct span_probe *probe;
	char name[256];
	size_t i;

	(void)plan;
	for (i = 0; i < sample->num_rates; i++) {
		probe = &catalogue.probe[sample->rate[i].probe];
		widen(&width, strlen(probe->provider) + 1 +
		      strlen(probe->name));
	}
	out_style(OUT_HEADING);
	out_text("PROBE");
	pad(5, width);
	out_text("   RATE/s      COUNT");
	out_style(OUT_PLAIN);
	out_char('\n');
	for (i = 0; i < sample->num_rates; i++) {
		probe = &catalogue.probe[sample->rate[i].probe];
		snprintf(name, sizeof(name), "%s:%s", probe->provider,
			 probe->name);
		pad(out_escaped(name, true), width);
		out_format("%9.1f %10llu\n",
			   (double)sample->rate[i].count * 1e9 /
			   (double)(sample->elapsed_ns + 1),
			   sample->rate[i].count);
	}
}

static bool has_row(const struct sample *sample, const struct span *span)
{
	size_t i;

	for (i = 0; i < sample->num_rows; i++) {
		if (sample->row[i].span == span)
			return true;
	}
	return false;
}

/* Names the spans that were asked for and have no row beside those of others. */
static void print_missing(const struct plan *plan, const struct form *form,
			  const struct sample *sample)
{
	char name[256];
	size_t i;

	for (i = 0; i < plan->spans.count; i++) {
		const struct span *span = &plan->spans.span[i];

		if ((!plan->asked && !span->text->option) ||
		    has_row(sample, span))
			continue;
		span_name(form, span, name, sizeof(name));
		out_escaped(name, true);
		out_text(": none\n");
	}
}

static void show(const struct view_context *context,
		 const struct sample *sample, bool last)
{
	struct form form = make_form(context->plan, sample);
	size_t i;

	(void)last;
	if (context->plan->spans.count > 0 && sample->num_rows == 0)
		out_text("no span has ended\n");
	if (sample->num_rows > 0)
		print_titles(context->plan, &form);
	for (i = 0; i < sample->num_rows; i++) {
		print_row(&form, &sample->row[i]);
		if (context->histograms)
			print_histogram(&sample->row[i]);
	}
	if (sample->num_rows > 0)
		print_missing(context->plan, &form, sample);
	if (context->plan->num_rates > 0)
		print_rates(context->plan, sample);
	if (context->several && !last)
		out_char('\n');
}

const struct view view_table = {
	.show = show,
	.line = lines_print,
	.fd = -1,
};
