/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lines.c - a line for each span that took long.
 *
 *	12:03:04.123456 4711 smb2:request 12345.6 us mid=7 opcode=SMB2_CREATE
 *		-> mid=7 status=0		(all on one line)
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

#include "common/out.h"
#include "top/catalog.h"
#include "top/lines.h"

void lines_clock(unsigned long long time_ns, char *text, size_t size)
{
	unsigned long long now = engine_now();
	unsigned long long ago = now > time_ns ? now - time_ns : 0;
	unsigned long long wall;
	struct timespec ts;
	struct tm tm;
	time_t seconds;
	size_t used;

	clock_gettime(CLOCK_REALTIME, &ts);
	wall = (unsigned long long)ts.tv_sec * 1000000000ULL +
		(unsigned long long)ts.tv_nsec - ago;
	seconds = (time_t)(wall / 1000000000ULL);
	localtime_r(&seconds, &tm);
	used = strftime(text, size, "%H:%M:%S", &tm);
	snprintf(text + used, size - used, ".%06llu",
		 wall % 1000000000ULL / 1000);
}

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
	probe = &catalog.probe[site->probe];
	for (i = 0; i < site->arguments.count; i++) {
		const struct span_argument *a = &probe->arguments[i];
		const struct top_place *place = &site->arguments.place[i];
		struct line_argument argument = {
			a->name, text, place->is_text };
		const struct span_label label = {
			.names = a->names,
			.is_text = place->is_text,
			.is_address = a->wire[0] == 'p',
			.is_signed = a->wire[0] == 's',
		};

		if (place->kind == TOP_ABSENT)
			continue;
		snprintf(number, sizeof(number), "arg%u", i);
		if (a->name[0] == '\0')
			argument.name = number;
		sample_value(context->engine, &label, values->value[i], text,
			     sizeof(text));
		each(&argument, data);
	}
}

static void print_argument(const struct line_argument *argument, void *data)
{
	(void)data;
	out_char(' ');
	out_escaped(argument->name, false);
	out_char('=');
	if (argument->quoted)
		out_char('"');
	out_escaped(argument->text, argument->quoted);
	if (argument->quoted)
		out_char('"');
}

void lines_print(const struct view_context *context,
		 const struct top_line *line)
{
	const struct span *span = &context->plan->spans.span[line->span];
	char clock[32];

	lines_clock(line->time, clock, sizeof(clock));
	out_format("%s %u ", clock, line->tid);
	out_escaped(span->provider, false);
	out_char(':');
	out_escaped(span->text->name, false);
	out_format(" %.1f us", (double)line->total_ns / 1000);
	if (span->suspends)
		out_format(" running %.1f us", (double)line->running_ns / 1000);
	if (line->error)
		out_text(" error");
	lines_arguments(context, &line->start, print_argument, NULL);
	out_text(" ->");
	lines_arguments(context, &line->end, print_argument, NULL);
	out_char('\n');
}
