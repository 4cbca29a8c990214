/* SPDX-License-Identifier: BSD-2-Clause */
/* metrics.c - what of the tables becomes metrics: docs/serve.md. */
#include "lib/text/unit.h"
#include "serve/metrics.h"
#include "serve/rows.h"

enum { MOST_NAMES = SERVE_MOST_NAMES / 2, MOST_IN_ALL = 2000 };

static const struct metrics_table tables[] = {
	{ .table = SERVE_PROGRAMS },
	{ .table = SERVE_SPANS },
	{ .table = SERVE_NAMES, .way = METRICS_TOP, .most = MOST_NAMES,
	  .in_all = MOST_IN_ALL },
	{ .table = SERVE_SUMS, .way = METRICS_TOP, .most = MOST_NAMES,
	  .in_all = MOST_IN_ALL },
	{ .table = SERVE_PROBES },
	{ .table = SERVE_LOST },
};

#define FAMILY(table_, name_, help_)					\
	.table = table_, .name = "sdtkit_" name_, .help = help_
#define PROGRAM		{ .name = "program" }
#define PLACE		{ .name = "container" }, { .name = "pod" }
#define SPAN		PROGRAM, { .name = "provider" }, { .name = "span" }, \
			PLACE
#define COLUMN(key)	.values = { { .column = key } }
#define PROGRAMS(name_, key, help) {					\
	FAMILY(SERVE_PROGRAMS, name_, help), .labels = { PROGRAM, PLACE },	\
	COLUMN(key) }
#define NAMES(name_, help)						\
	FAMILY(SERVE_NAMES, name_, help), .labels = { SPAN, { .name = "name" } }

/* "" if the name of the argument does not tell it. */
static const char *unit_of(const void *row)
{
	const struct sdtkit_unit *unit =
		sdtkit_unit_of(((const struct sum_row *)row)->argument);

	return unit != NULL ? unit->name : "";
}

#define REASON(key)	{ .column = key, .label = key, .rare = true }

static const struct metrics_family families[] = {
	{ NAMES("span_duration_seconds", "Time from the start of a span to its "
		"end."),
	  .values = { { .column = "slots" }, { .column = "count" },
		      { .column = "sum_us" } },
	  .exemplars = { SERVE_SLOW, "total_us", { "pid", "arguments" } } },
	{ NAMES("span_errors", "Spans that failed."), COLUMN("errors") },
	{ NAMES("span_waiting_seconds", "Time in which spans were suspended."),
	  COLUMN("waiting_us") },
	{ FAMILY(SERVE_SUMS, "span_sum", "Sums of arguments of spans."),
	  .labels = { SPAN, { .name = "argument" }, { .name = "name" } },
	  .by = "unit", .values = { { .column = "sum", .text = unit_of } } },
	{ FAMILY(SERVE_SPANS, "spans_in_progress",
		 "Spans that have begun and have not ended."),
	  .labels = { SPAN }, .group = SPAN_NOW, COLUMN("in_progress") },
	{ FAMILY(SERVE_SPANS, "spans_not_counted", "Spans without a time, by "
		 "reason."),
	  .labels = { SPAN }, .group = SPAN_LOST, .by = "reason",
	  .values = { REASON("unmatched"), REASON("restarted"),
		      REASON("abandoned"), REASON("lost"),
		      REASON("unread") } },
	{ FAMILY(SERVE_PROBES, "probe_hits", "Hits of probes without a span."),
	  .labels = { PROGRAM, { .name = "provider" }, { .name = "probe" },
		      PLACE },
	  COLUMN("hits") },
	PROGRAMS("program_processes", "processes", "Processes that run."),
	PROGRAMS("program_recorder_processes", "recorders", "Processes that "
		 "are counted by their recorders."),
	{ FAMILY(SERVE_SPANS, "span_let_go_seconds", "Time in which spans were "
		 "not counted, because of the budget."),
	  .labels = { SPAN }, .group = SPAN_LOST, COLUMN("let_go_us") },
	PROGRAMS("cost_seconds", "cost_us", "Processor time that probes took "
		 "from the processes: hits times the measured price of one."),
	PROGRAMS("program_cpu_seconds", "cpu_us", "Processor time of the "
		 "processes."),
};

static const struct metrics_family lost = {
	FAMILY(SERVE_LOST, "lost", "What could not be counted."), .by = "what",
};

const struct metrics_families serve_metrics = {
	tables, sizeof(tables) / sizeof(tables[0]),
	families, sizeof(families) / sizeof(families[0]), &lost,
};
