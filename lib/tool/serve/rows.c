/* SPDX-License-Identifier: BSD-2-Clause */
/* rows.c - the tables of sdtkit serve: tables.def as arrays, and their keys. */
#include <stdio.h>

#include "serve/rows.h"
#include "top/hit.h"

static unsigned long long percentile(size_t number, const void *row,
				     double part)
{
	return (unsigned long long)(0.5 + TOP_UNIT * report_quantile(
		&serve_tables.table[number], row, part));
}

static unsigned long long mean(const struct span_times *times)
{
	return times->count > 0 ? times->total_ns / times->count : 0;
}

#define REPORT_DEF "serve/tables.def"
#define REPORT_SLOTS_NS TOP_UNIT
#include "lib/report/define.h"

#define PROGRAM(type)							\
	REPORT_TEXT(type, at.program, "program", "the program")
#define OPTIONAL(type, member, key_, doc_) {				\
	.key = key_, .doc = doc_, .optional = true,			\
	.offset = offsetof(type, member),				\
	.size = sizeof(((type *)NULL)->member) }
/* Behind the span: conditions and words of replay are about what is before. */
#define PLACE(type, at)							\
	OPTIONAL(type, at.container, "container",			\
		 "the container that it runs in"),			\
	OPTIONAL(type, at.pod, "pod", "the UID of its pod")
#define SPAN(type)							\
	REPORT_TEXT(type, of.at.program, "program", "the program"),	\
	REPORT_TEXT(type, of.provider, "provider",			\
		    "the provider of its probes"),			\
	REPORT_TEXT(type, of.span, "span", "the span"),			\
	PLACE(type, of.at)
/* What it says may be private: file names, addresses, queries. */
#define PRIVATE(type, member, doc_) {					\
	.key = #member, .doc = doc_, .offset = offsetof(type, member),	\
	.size = sizeof(((type *)NULL)->member), .private = 'n' }
#define NAME(type)	PRIVATE(type, name, "its name, or \"\"")
#define NUMBER(member, key_, doc_) {					\
	.key = key_, .doc = doc_, .wide = true, .most = ~0U,		\
	.offset = offsetof(struct slow_span, member) }

static const struct report_key program_keys[] = {
	PROGRAM(struct program_row), PLACE(struct program_row, at),
};
static const struct report_key span_keys[] = { SPAN(struct span_sum) };
static const struct report_key name_keys[] = {
	SPAN(struct name_row), NAME(struct name_row),
};
/* The name is last: it becomes "other" in metrics if there are too many. */
static const struct report_key sum_keys[] = {
	SPAN(struct sum_row),
	REPORT_TEXT(struct sum_row, argument, "argument",
		    "the argument that is added up"),
	NAME(struct sum_row),
};
static const struct report_key part_keys[] = {
	SPAN(struct part_row),
	REPORT_TEXT(struct part_row, part, "part", "a span within it"),
};
static const struct report_key probe_keys[] = {
	PROGRAM(struct probe_row),
	REPORT_TEXT(struct probe_row, provider, "provider", "its provider"),
	REPORT_TEXT(struct probe_row, probe, "probe", "the probe"),
	PLACE(struct probe_row, at),
};
static const struct report_key slow_keys[] = {
	SPAN(struct slow_span), NAME(struct slow_span),
	PRIVATE(struct slow_span, arguments,
		"the arguments of its end and its start"),
	NUMBER(pid, "pid", "the process"),
	NUMBER(tid, "tid", "the thread that ended it"),
	NUMBER(error, "error", "1 if it is an error"),
};

static const struct report_group span_groups[SPAN_GROUPS];
static const struct report_group lost_groups[] = { { .object = "lost" } };

#define COUNT_OF(array)	(sizeof(array) / sizeof((array)[0]))
#define TABLE(type, name, groups_, num_groups_)			\
	.row_size = sizeof(type), .columns = name##_columns,		\
	.num_columns = COUNT_OF(name##_columns), .groups = groups_,	\
	.num_groups = num_groups_
#define KEYED(type, name, groups)					\
	TABLE(type, name, span_groups, groups), .keys = name##_keys,	\
	.num_keys = COUNT_OF(name##_keys)

static const struct report_table tables[SERVE_TABLES] = {
	[SERVE_PROGRAMS] = { .name = "programs", .doc = "The programs.",
		KEYED(struct program_row, program, 1) },
	[SERVE_SPANS] = { .name = "spans", .doc = "Spans of the programs.",
		KEYED(struct span_sum, span, SPAN_GROUPS) },
	[SERVE_NAMES] = { .name = "names",
		.doc = "Spans by their names.", .limit = 2048,
		.other = "name",
		.orders = { "count", "sum_us", "max_us" },
		KEYED(struct name_row, name, NAME_GROUPS) },
	[SERVE_SUMS] = { .name = "sums", .doc = "Arguments that are added up.",
		.limit = 2048, .orders = { "sum" }, .other = "name",
		KEYED(struct sum_row, sum, 1) },
	[SERVE_PARTS] = { .name = "parts", .doc = "Spans within others.",
		KEYED(struct part_row, part, 1) },
	[SERVE_PROBES] = { .name = "probes", .doc = "Probes without a span.",
		KEYED(struct probe_row, probe, 1) },
	[SERVE_LOST] = { .name = "lost", .shape = REPORT_INLINE,
		.doc = "What could not be counted.",
		TABLE(struct lost_sum, lost, lost_groups, 1) },
	[SERVE_SLOW] = { .name = "slow", .shape = REPORT_HIDDEN,
		.doc = "Spans that took long.",
		KEYED(struct slow_span, slow, 1) },
};

const struct report_tables serve_tables = { tables, SERVE_TABLES };
