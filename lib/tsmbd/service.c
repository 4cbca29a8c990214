/* SPDX-License-Identifier: BSD-2-Clause */
/* service.c - what the service needs to know of tsmbd. */
#include "settings/values.h"
#include "attach.h"
#include "options.h"
#include "parse.h"
#include "report.h"
#include "service.h"
#include "signals.h"

static bool differs(const void *context_a, const void *context_b)
{
	const struct options *a = context_a, *b = context_b;
	int i;

	for (i = 0; i < OWN_SETTINGS; i++) {
		if (settings_differ(all_settings, a, b,
				    all_settings[i].heading))
			return true;
	}
	return a->slow != b->slow;
}

static void print_traced(FILE *out, const struct options *o)
{
	char word[VALUES_WORD];
	int i;

	fputs("  traces ", out);
	if (o->pid != 0)
		fprintf(out, "process %d and its children", (int)o->pid);
	else if (o->files.count == 0)
		fprintf(out, "processes that are called %s",
			values_word(o->name, word));
	for (i = 0; o->pid == 0 && i < o->files.count; i++)
		fprintf(out, "%s%s", i == 0 ? "" : ", ",
			values_word(o->files.items[i], word));
	fputc('\n', out);
}

static void print_filters(FILE *out, const struct options *o)
{
	static const char *const kinds[TSMBD_KINDS] = {
		[TSMBD_CLIENTS] = "clients",
		[TSMBD_USERS] = "users of clients",
		[TSMBD_SHARES] = "shares",
	};
	const struct texts *filter;
	char word[VALUES_WORD];
	int kind;
	int i;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		filter = &o->filters[kind];
		if (filter->count == 0)
			continue;
		fprintf(out, "  counts only requests of these %s: ",
			kinds[kind]);
		for (i = 0; i < filter->count; i++)
			fprintf(out, "%s%s", i == 0 ? "" : ", ",
				values_word(filter->items[i], word));
		fputc('\n', out);
	}
	if (o->commands != ~0U)
		fputs("  counts only requests of some commands\n", out);
}

static void print_plan(FILE *out, const void *options)
{
	print_traced(out, options);
	print_filters(out, options);
}

static const char *traced(const void *options)
{
	return ((const struct options *)options)->name;
}

const struct service_program smbd_service = {
	.report = &smbd_program,
	.load = options_load,
	.parse = options_parse_loaded,
	.need = options_need,
	.differs = differs,
	.plan = print_plan,
	.traced = traced,
	.uses_perf_events = attach_uses_perf_events,
	.is_ending = signals_ended,
};
