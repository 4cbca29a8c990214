/* SPDX-License-Identifier: BSD-2-Clause */
/* program.c - what rooms of lib need to know of sdtkit serve. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/capability.h>

#include "lib/base/memory.h"
#include "lib/history/sink.h"
#include "lib/incident/incident.h"
#include "lib/metrics/metrics.h"
#include "lib/page/page.h"
#include "lib/settings/values.h"
#include "serve/flames.h"
#include "serve/measures.h"
#include "serve/metrics.h"
#include "serve/options.h"
#include "serve/print.h"
#include "serve/program.h"
#include "serve/rows.h"
#include "serve/sections.h"
#include "serve/supervise.h"

static const struct sink *const sinks[] = {
	&history_sink,
	&metrics_sink,
	&incident_sink,
	&page_sink,
	NULL,
};

static unsigned int shown(const void *options)
{
	(void)options;
	return 0;
}

static const char *asked(const void *options)
{
	(void)options;
	return "";
}

static void *complete(const void *from, bool json)
{
	struct serve_options *o = memory_of(malloc(sizeof(*o)));

	*o = *(const struct serve_options *)from;
	o->printed = (struct serve_printed){
		.json = json, .lines = SERVE_LINES };
	return o;
}

static void add_lost(struct report *r, unsigned long long spans)
{
	struct lost_sum *lost = report_want(r, SERVE_LOST, NULL);

	lost->lines += spans;
}

static const struct report_file no_files[] = { { .name = NULL } };

const struct report_program serve_program = {
	.name = "sdtkit",
	.version = TOOL_VERSION,
	.tables = &serve_tables,
	.flames = &serve_flames,
	.settings = serve_settings,
	.options_size = sizeof(struct serve_options),
	.page = &serve_page,
	.sinks = sinks,
	.metrics = &serve_metrics,
	.shown = shown,
	.slow = SERVE_SLOW,
	.measures = &serve_measures,
	.heat = &serve_heat,
	.files = no_files,
	.complete = complete,
	.sort = serve_sort,
	.asked = asked,
	.add_lost = add_lost,
	.print = serve_print,
	.json = serve_json,
	.line = serve_line,
};

static void need(void *options, const struct sink_needs *needs)
{
	struct serve_options *o = options;

	o->sink_slow = needs->slow;
	o->sink_slow_ms = needs->slow_ms;
	o->sink_samples = needs->samples;
}

static bool differs(const void *context_a, const void *context_b)
{
	const struct serve_options *a = context_a, *b = context_b;

	return settings_differ(serve_settings, a, b,
			       serve_settings[0].heading);
}

/* A file that is not there may be installed later. */
static void print_file(FILE *out, const char *what, const char *path)
{
	char word[VALUES_WORD];

	if (path != NULL)
		fprintf(out, "; its %s %s%s", what, values_word(path, word),
			access(path, F_OK) == 0 ? "" :
			" does not exist so far");
}

static void print_section(FILE *out, const struct serve_section *section)
{
	char word[VALUES_WORD];

	if (section->enable == SERVE_DISABLED) {
		fprintf(out, "  does not count %s\n",
			values_word(section->name, word));
		return;
	}
	fprintf(out, "  for %s, takes what its section says",
		values_word(section->name, word));
	print_file(out, "file", section->file);
	print_file(out, "description", section->description);
	putc('\n', out);
}

static void print_plan(FILE *out, const void *options)
{
	const struct serve_options *o = options;
	const struct serve_section *sections = o->sections.items;
	char word[VALUES_WORD];
	int i;

	fputs("  counts the spans of ", out);
	if (o->only.count == 0)
		fputs("all programs that have some", out);
	for (i = 0; i < o->only.count; i++)
		fprintf(out, "%s%s", i == 0 ? "" : ", ",
			values_word(o->only.items[i], word));
	putc('\n', out);
	for (i = 0; i < (int)o->sections.count; i++)
		print_section(out, &sections[i]);
}

static const char *traced(const void *options)
{
	const struct serve_options *o = options;
	static char names[64];

	if (o->only.count == 1) {
		snprintf(names, sizeof(names), "programs called %s",
			 o->only.items[0]);
		return names;
	}
	if (o->only.count > 1)
		return "the programs of --only";
	return o->kernel ? "all programs with spans" :
		"all programs of this user that have a recorder";
}

/* Workers load their programs when all else has been given up. */
const struct service_program serve_service = {
	.report = &serve_program,
	.capabilities = 1ULL << CAP_BPF | 1ULL << CAP_PERFMON |
		1ULL << CAP_CHECKPOINT_RESTORE,
	.load = serve_options_load,
	.parse = serve_options_parse,
	.need = need,
	.differs = differs,
	.plan = print_plan,
	.traced = traced,
	.uses_perf_events = supervise_uses_perf_events,
	.is_ending = supervise_is_ending,
};
