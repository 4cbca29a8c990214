/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table.c - a report as plain text, for people and for awk.
 *
 *	SPAN          NAME        RATE/s      COUNT   AVG us ...
 *	smb2:request  SMB2_READ    151.2        756     81.3 ...
 *
 *	PROBE              RATE/s      COUNT
 *	smb2:session_end      0.2          1
 *
 * A column with a name is as wide as the longest one, within limits. Blanks in
 * names are printed, so those columns are the first ones.
 */
#include <stdio.h>
#include <string.h>

#include "common/out.h"
#include "lib/slots/slots.h"
#include "top/catalog.h"
#include "top/columns.h"
#include "top/lines.h"
#include "top/table.h"

enum { NAME_MAX_WIDTH = 64, GAP = 2, BAR = 40 };

struct widths {
	size_t span;
	size_t name;
};

static void span_name(const struct span *span, char *text, size_t size)
{
	snprintf(text, size, "%s:%s", span->provider, span->text->name);
}

static void widen(size_t *width, size_t length)
{
	if (length > NAME_MAX_WIDTH)
		length = NAME_MAX_WIDTH;
	if (length > *width)
		*width = length;
}

static struct widths measure(const struct sample *sample)
{
	struct widths widths = { sizeof("SPAN") - 1, 0 };
	char name[256];
	size_t i;

	for (i = 0; i < sample->num_rows; i++) {
		span_name(sample->row[i].span, name, sizeof(name));
		widen(&widths.span, out_escaped_length(name, true));
		widen(&widths.name,
		      out_escaped_length(sample->row[i].name, true));
	}
	if (widths.name > 0)
		widen(&widths.name, sizeof("NAME") - 1);
	return widths;
}

static void pad(size_t length, size_t width)
{
	out_blanks((length < width ? width - length : 0) + GAP);
}

static void print_right(const char *text, size_t width)
{
	size_t length = strlen(text);

	out_blanks(length < width ? width - length : 1);
	out_text(text);
}

static void print_titles(const struct plan *plan, const struct widths *widths)
{
	size_t i;

	out_style(OUT_HEADING);
	out_text("SPAN");
	pad(4, widths->span);
	if (widths->name > 0) {
		out_text("NAME");
		pad(4, widths->name);
	}
	for (i = 0; i < num_columns; i++) {
		if (column_is_shown(&columns[i], plan))
			print_right(columns[i].title,
				    (size_t)columns[i].width);
	}
	if (plan->max_sums > 0)
		out_text("  SUMS");
	out_style(OUT_PLAIN);
	out_char('\n');
}

static void print_row(const struct plan *plan, const struct sample_row *row,
		      const struct widths *widths)
{
	char buffer[256];
	size_t i;
	int j;

	span_name(row->span, buffer, sizeof(buffer));
	out_style(OUT_NAME);
	pad(out_escaped(buffer, true), widths->span);
	if (widths->name > 0)
		pad(out_escaped(row->name[0] != '\0' ? row->name : "-", true),
		    widths->name);
	out_style(OUT_PLAIN);
	for (i = 0; i < num_columns; i++) {
		if (column_is_shown(&columns[i], plan))
			print_right(column_cell(&columns[i], row, buffer),
				    (size_t)columns[i].width);
	}
	for (j = 0; j < row->span->num_sums; j++) {
		out_text(j == 0 ? "  " : " ");
		out_escaped(row->span->sum[j].name, false);
		out_format("=%lld", (long long)row->sum[j]);
	}
	out_char('\n');
}

/* Powers of two of 64 ns, as the kernel's tools print them. */
static void print_histogram(const struct sample_row *row)
{
	unsigned long long powers[TOP_FINE / 8 + 2];
	unsigned long long most = 1;
	int first = -1, last = -1;
	int i;

	slots_fold(row->slots, TOP_FINE, powers);
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
		probe = &catalog.probe[sample->rate[i].probe];
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
		probe = &catalog.probe[sample->rate[i].probe];
		snprintf(name, sizeof(name), "%s:%s", probe->provider,
			 probe->name);
		pad(out_escaped(name, true), width);
		out_format("%9.1f %10llu\n",
			   (double)sample->rate[i].count * 1e9 /
			   (double)(sample->elapsed_ns + 1),
			   sample->rate[i].count);
	}
}

static void show(const struct view_context *context,
		 const struct sample *sample, bool last)
{
	struct widths widths = measure(sample);
	size_t i;

	(void)last;
	if (context->plan->spans.count > 0 && sample->num_rows == 0)
		out_text("no span has ended\n");
	if (sample->num_rows > 0)
		print_titles(context->plan, &widths);
	for (i = 0; i < sample->num_rows; i++) {
		print_row(context->plan, &sample->row[i], &widths);
		if (context->histograms)
			print_histogram(&sample->row[i]);
	}
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
