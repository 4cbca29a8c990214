/* SPDX-License-Identifier: BSD-2-Clause */
/* measures.c - what --when can compare: docs/sdtkit-serve.8 has the list. */
#include "serve/measures.h"
#include "serve/rows.h"

static const struct measure_subject span = {
	.keys = 3, .noun = "span", .example = "postgres:query",
	.use = "a span, PROVIDER:SPAN or PROGRAM:SPAN",
};

#define OF_SPAN(name, kind, how)					\
	name, &span, MEASURE_##kind, MEASURE_##how, SERVE_SPANS, .of = "count"
#define PERCENTILE(name, part_)	{					\
	OF_SPAN(name, TIME, PERCENTILE), .column = "slots", .part = part_ }

static const struct measure measures[] = {
	PERCENTILE("p50", 0.5),
	PERCENTILE("p95", 0.95),
	PERCENTILE("p99", 0.99),
	PERCENTILE("p999", 0.999),
	{ OF_SPAN("max", TIME, MOST), .column = "max_us" },
	{ OF_SPAN("avg", TIME, MEAN), .column = "sum_us" },
	{ OF_SPAN("rate", RATE, SUM), .column = "count" },
	{ OF_SPAN("count", NUMBER, SUM), .column = "count" },
	{ OF_SPAN("errors", FAILURES, SUM), .column = "errors" },
	{ "in_progress", &span, MEASURE_NUMBER, MEASURE_SUM, SERVE_SPANS,
	  .column = "in_progress" },
	{ "lost", NULL, MEASURE_NUMBER, MEASURE_SUM, SERVE_LOST,
	  .object = "lost" },
};

const struct measures serve_measures = {
	.manual = "sdtkit-serve(8), Measures",
	.tables = &serve_tables,
	.list = measures,
	.count = sizeof(measures) / sizeof(measures[0]),
	.examples = "p99(postgres:query), rate(*), errors(smb2:request)",
	.noun = "spans",
	.under_way = "in_progress",
};

const struct report_heat serve_heat = {
	.table = SERVE_SPANS, .column = "slots", .title = "Spans",
	.row = "kind", .noun = "span",
};
