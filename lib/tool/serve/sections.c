/* SPDX-License-Identifier: BSD-2-Clause */
/* sections.c - what the page shows of programs: see page/section.h. */
#include "serve/sections.h"
#include "serve/options.h"
#include "serve/rows.h"

static const struct page_series series[] = {
	{ .key = "lost", .table = SERVE_LOST },
	{ .key = NULL },
};

enum { NAMES, SLOW };
static const struct page_list lists[] = {
	[NAMES] = { .key = "names", .table = SERVE_NAMES, .title = "Name",
		.many = "Names", .order = "sum_us",
		.fields = { "program", "provider", "span", "container", "pod",
			"name", "count", "errors", "sum_us", "max_us",
			"slots" } },
	[SLOW] = { .key = "slow", .table = SERVE_SLOW, .title = "Span",
		.events = true, .row = "span", .order = "total_us",
		.fields = { "program", "provider", "span", "container", "pod",
			"name", "arguments", "end_ms", "total_us", "waiting_us",
			"self_us" } },
	{ .key = NULL },
};

#define ITEMS(...)	(const struct page_item[]){			\
	__VA_ARGS__, { .key = NULL } }
#define NAME(key_, title_)	{					\
	.key = key_, .title = title_, .form = PAGE_NAME }
#define NUMBER(key_, title_)	{					\
	.key = key_, .title = title_, .form = PAGE_NUMBER }
#define MS(key_, title_)	{					\
	.key = key_, .title = title_, .form = PAGE_MS }
#define SPAN	NAME("provider", "Provider"), NAME("span", "Span"),	\
		NAME("container", "Container")
#define TIMES	NUMBER("count", "Count"), NUMBER("errors", "Errors"),	\
	MS("sum_us", "Time"), MS("max_us", "Longest")

static const struct page_item nothing[] = { { .key = NULL } };

static const struct page_section sections[] = {
	{ "now", "Now", PAGE_TILES, .bars = nothing,
	  .items = ITEMS({ .key = "spans", .title = "Spans", .column = "count" },
			 { .key = "errors", .title = "Errors",
			   .column = "errors" }, { .key = "p99" }) },
	{ "charts", "Rates", PAGE_CHARTS,
	  .items = ITEMS({ .key = "spans", .title = "Spans", .column = "count",
			   .unit = "per second", .stacked = true },
			 { .key = "errors", .title = "Errors",
			   .column = "errors", .unit = "per second",
			   .stacked = true }) },
	{ "heat", "Latency", PAGE_HEAT, .lists = 1 << NAMES,
	  .items = ITEMS(NAME("span", "Span"), NAME("name", NULL),
			 NUMBER("inside", "In these latencies"),
			 NUMBER("count", "All"), MS("max_us", "Longest")) },
	{ "spans", "Spans", PAGE_TABLE, "Spans since the start",
	  .none = "No span has ended.", .member = "spans", .order = "sum_us",
	  .items = ITEMS(SPAN, NUMBER("count", "Count"),
			 NUMBER("errors", "Errors"), MS("p50_us", "p50"),
			 MS("p95_us", "p95"), MS("p99_us", "p99"),
			 MS("max_us", "Max"), MS("sum_us", "Total"),
			 MS("waiting_us", "Waiting"), MS("self_us", "Self"),
			 NUMBER("in_progress", "Now"),
			 MS("let_go_us", "Not counted")) },
	{ "flame", "What the CPUs execute", PAGE_FLAME, "Program",
	  .root = "program and span", .own = "the program",
	  .none = "What the CPUs execute is shown with --html-flame while "
		"somebody looks at the page that --listen serves." },
	{ "parts", "Spans within spans", PAGE_PARTS,
	  "Their time since the start",
	  "Spans within others since the start", "No span has a part.",
	  .part = "Span", .member = "parts", .sum = "spans",
	  .order = "sum_us",
	  .bars = ITEMS({ .key = "self_us", .title = "itself", .color = "f7" },
			{ .key = "waiting_us", .title = "waiting",
			  .color = "f6" }),
	  .items = ITEMS(SPAN, NUMBER("count", "Count"), NAME("part", "Part"),
			 MS("running_us", "Running")) },
	{ "slow", "Slow spans", PAGE_SLOW, .lists = 1 << SLOW, .rows = 50,
	  .since = "The slowest spans since the start",
	  .none = "No span was slow. Recorders do not tell of slow spans.",
	  .bars = ITEMS({ .key = "self_us", .title = "Running", .color = "f0" },
			{ .key = "waiting_us", .title = "Waiting",
			  .color = "f1" }),
	  .items = ITEMS({ .key = "end_ms", .title = "Time",
			   .form = PAGE_CLOCK }, SPAN, MS("total_us", "Total"),
			 { .key = "bars", .title = "Parts", .form = PAGE_BARS },
			 NAME("name", "Name"),
			 NAME("arguments", "Arguments")) },
	{ "names", "By name", PAGE_RANKED, .lists = 1 << NAMES, .rows = 30,
	  .since = "Most time since the start", .none = "No span has ended.",
	  .items = ITEMS(SPAN, NAME("name", "Name"), TIMES) },
	{ "programs", "The program", PAGE_TABLE, "Since the start",
	  .none = "No program with spans runs.", .member = "programs",
	  .order = "cpu_us",
	  .items = ITEMS(NAME("container", "Container"), NAME("pod", "Pod"),
			 NUMBER("processes", "Processes"),
			 NUMBER("recorders", "By their recorders"),
			 MS("cpu_us", "Processor time"),
			 MS("cost_us", "of this, for probes")) },
	{ .key = NULL },
};

static bool filtered(const void *options)
{
	return ((const struct serve_options *)options)->only.count > 0;
}

static bool names(const void *options)
{
	return ((const struct serve_options *)options)->metrics.privacy == 0;
}

const struct page_description serve_page = {
	.server = "sdtkit",
	.lost = "lost",
	.footer = "Names and arguments are those that the programs have told.",
	.group = { .key = "program", .title = "Program",
		.many = "Programs" },
	.series = series,
	.keyed = { .key = "spans", .columns = { "count", "errors",
						"sum_us" } },
	.lists = lists, .sections = sections,
	.filtered = filtered, .slow_ms = serve_options_slow_ms,
	.names = names,
};
