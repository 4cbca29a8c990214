/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of sdtkit serve's reports, and the structs of their rows.
 * tables.def describes the numbers that are in them.
 *
 * A row names its program and its span by texts: rows of many programs, of
 * other hosts and of last week are added up. The same program in another
 * container has other rows.
 */
#ifndef SDTKIT_TOOL_SERVE_ROWS_H
#define SDTKIT_TOOL_SERVE_ROWS_H

#include "lib/report/report.h"
#include "lib/slots/slots.h"

enum {
	SERVE_PROGRAMS,			/* struct program_row */
	SERVE_SPANS,			/* struct span_sum */
	SERVE_NAMES,			/* struct name_row */
	SERVE_SUMS,			/* struct sum_row */
	SERVE_PARTS,			/* struct part_row */
	SERVE_PROBES,			/* struct probe_row */
	SERVE_LOST,			/* struct lost_sum: one */
	SERVE_SLOW,			/* struct slow_span: events */
	SERVE_TABLES,
};

/*
 * Names of a program in a report of a second; the others are REPORT_OTHER in it.
 * Metrics have half as many.
 */
enum { SERVE_MOST_NAMES = 400 };

/* Groups of columns; tables without have one. */
enum { SPAN_COUNT, SPAN_NOW, SPAN_LOST, SPAN_GROUPS };
enum { NAME_COUNT, NAME_GROUPS };

enum {
	SERVE_PROGRAM = 64, SERVE_WORD = 64, SERVE_NAME = 192,
	SERVE_ARGUMENTS = 512, SERVE_CONTAINER = 64, SERVE_POD = 40,
};

/* What is counted, and where. */
struct serve_place {
	char program[SERVE_PROGRAM];
	char container[SERVE_CONTAINER];	/* or "" */
	char pod[SERVE_POD];			/* or "" */
};

struct serve_span {
	struct serve_place at;
	char provider[SERVE_WORD];
	char span[SERVE_WORD];
};

struct program_row {
	struct serve_place at;
	unsigned long long processes;
	unsigned long long recorders;
	unsigned long long hits;
	unsigned long long cpu_ns;
	unsigned long long cost_ns;
};

/* What is counted of spans. */
struct span_times {
	unsigned long long count;
	unsigned long long errors;
	unsigned long long total_ns;
	unsigned long long waiting_ns;
	unsigned long long self_ns;
	unsigned long long max_ns;
	unsigned long long slots[SLOTS_FINE];	/* of TOP_UNIT */
};

struct span_sum {
	struct serve_span of;
	struct span_times times;
	unsigned long long in_progress;
	unsigned long long unmatched;
	unsigned long long restarted;
	unsigned long long abandoned;
	unsigned long long lost;
	unsigned long long unread;
	unsigned long long let_go_ns;
};

struct name_row {
	struct serve_span of;
	char name[SERVE_NAME];		/* "": the span has none */
	struct span_times times;
};

struct sum_row {
	struct serve_span of;
	char name[SERVE_NAME];
	char argument[SERVE_WORD];
	unsigned long long sum;
};

struct part_row {
	struct serve_span of;		/* the parent */
	char part[2 * SERVE_WORD];	/* "postgresql:plan" */
	unsigned long long count;
	unsigned long long running_ns;
};

struct probe_row {
	struct serve_place at;
	char provider[SERVE_WORD];
	char probe[SERVE_WORD];
	unsigned long long hits;
};

struct lost_sum {
	unsigned long long lines;
	unsigned long long reports;
	unsigned long long samples;
	unsigned long long hits;
	unsigned long long strings;
};

struct slow_span {
	unsigned long long end_ns;
	struct serve_span of;
	char name[SERVE_NAME];
	char arguments[SERVE_ARGUMENTS];	/* "path="/a" length=4096" */
	unsigned long long pid;
	unsigned long long tid;
	unsigned long long error;	/* 1: it is one */
	unsigned long long total_ns;
	unsigned long long waiting_ns;
	unsigned long long self_ns;
};

extern const struct report_tables serve_tables;

#endif /* SDTKIT_TOOL_SERVE_ROWS_H */
