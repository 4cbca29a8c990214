/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lines.c - a line for each span that took long.
 *
 *	12:03:04.123456 4711 smb2:request SMB2_CREATE 12345.6 us mid=7 status=0
 *		<- mid=7 opcode=SMB2_CREATE ; req=0x55d45cfd2370   (on one line)
 *
 * The arguments of the end come first, since they tell how the span went, and
 * addresses come last, which only another line can be searched by.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#include "common/out.h"
#include "lib/base/when.h"
#include "top/catalogue.h"
#include "top/lines.h"
#include "top/sample.h"

void lines_arguments(const struct view_context *context,
		     const struct top_values *values,
		     void (*each)(const struct line_argument *argument,
				  void *data), void *data)
{
	const struct span_probe *probe;
	const struct plan_site *site;
	char text[TOP_TEXT + 32];
	char number[16];
	unsigned int i;

	if (values->site == TOP_NO_SITE)
		return;
	site = &context->plan->site[values->site];
	probe = &catalogue.probe[site->probe];
	for (i = 0; i < site->arguments.count; i++) {
		const struct sdtkit_argument *a = &probe->arguments[i];
		const struct uprobe_source *source = &site->arguments.source[i];
		struct line_argument argument = {
			a->name, text, source->is_text, a->wire[0] == 'p' };
		const struct span_label label = {
			.names = a->names,
			.is_text = source->is_text,
			.is_address = argument.is_address,
			.is_signed = a->wire[0] == 's',
		};

		if (source->kind == UPROBE_ABSENT)
			continue;
		snprintf(number, sizeof(number), "arg%u", i);
		if (a->name[0] == '\0')
			argument.name = number;
		sample_value(context->engine, &label, values->value[i], text,
			     sizeof(text));
		each(&argument, data);
	}
}

/* Text that grows, and what belongs into it now. */
struct growing {
	char *text;
	size_t size;
	size_t used;
	bool addresses;			/* only those, or only the others */
};

__attribute__((format(printf, 2, 3)))
static void add_text(struct growing *to, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	to->used += (size_t)vsnprintf(to->text + to->used, to->size - to->used,
				      format, args);
	va_end(args);
	if (to->used >= to->size)
		to->used = to->size - 1;
}

static void add_argument(const struct line_argument *argument, void *data)
{
	const char *quote = argument->quoted ? "\"" : "";
	struct growing *to = data;

	if (argument->is_address == to->addresses)
		add_text(to, " %s=%s%s%s", argument->name, quote,
			 argument->text, quote);
}

/* " ; req=0x55d45cfd2370", or nothing */
static void add_addresses(const struct view_context *context,
			  const struct top_line *line, struct growing *to)
{
	size_t before = to->used;
	size_t first;

	add_text(to, " ;");
	first = to->used;
	to->addresses = true;
	lines_arguments(context, &line->end, add_argument, to);
	lines_arguments(context, &line->start, add_argument, to);
	if (to->used == first)
		to->text[to->used = before] = '\0';
}

void lines_text(const struct view_context *context,
		const struct top_line *line, char *text, size_t size)
{
	const struct span *span = &context->plan->spans.span[line->span];
	struct growing to = { .text = text, .size = size };
	char name[TOP_NAMES * (TOP_TEXT + 32)];
	char clock[WHEN_SIZE];

	sample_name(context->engine, span, line->name, name, sizeof(name));
	add_text(&to, "%s %u %.99s:%.99s%s%s %.1f us",
		 when_exact(line->time, clock), line->tid,
		 span->provider, span->text->name,
		 name[0] != '\0' ? " " : "", name,
		 (double)line->total_ns / 1000);
	if (span->suspends)
		add_text(&to, " running %.1f us",
			 (double)line->running_ns / 1000);
	if (line->error)
		add_text(&to, " error");
	lines_arguments(context, &line->end, add_argument, &to);
	add_text(&to, " <-");
	lines_arguments(context, &line->start, add_argument, &to);
	add_addresses(context, line, &to);
}

void lines_print(const struct view_context *context,
		 const struct top_line *line)
{
	char text[8192];

	lines_text(context, line, text, sizeof(text));
	out_escaped(text, true);
	out_char('\n');
}
