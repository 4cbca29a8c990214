/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of sdtkit top's reports, and the structs of their rows. tables.def
 * describes the numbers that are in them.
 */
#ifndef SDTKIT_TOOL_TOP_ROWS_H
#define SDTKIT_TOOL_TOP_ROWS_H

#include "lib/report/text.h"
#include "lib/slots/slots.h"
#include "top/hit.h"
#include "top/plan.h"

enum {
	ROWS_SPANS,			/* struct span_row: those that ended */
	ROWS_PROBES,			/* the same, of probes: all */
	ROWS_TOTALS,			/* struct total_row: of all spans */
	ROWS_LOST,			/* struct lost_row: one */
	ROWS_SLOW,			/* struct top_line: events */
	ROWS_TABLES,
};

/* Groups of columns. */
enum { SPANS_COUNT, SPANS_ERRORS, SPANS_TIMES, SPANS_RATE, SPANS_LIMITS,
	SPANS_RUNNING, SPANS_SELF, SPANS_KEPT, SPANS_GROUPS };
enum { PROBE_HITS, PROBE_GROUPS };
enum { TOTAL_THERE, TOTAL_LOST, TOTAL_GROUPS };
enum { LOST_LINES, LOST_GROUPS };
enum { SLOW_TIMES, SLOW_GROUPS };

enum { ROW_NAME = 2 * TOP_TEXT + 64 };

/* A span and a name; or a probe without a span, which has a count only. */
struct span_row {
	/* key.span: of the plan, or TOP_SPANS + a probe of the catalogue */
	struct top_row_key key;
	char name[ROW_NAME];		/* "" if the span has none */
	unsigned long long elapsed_ns;	/* of the report */
	unsigned long long count;
	unsigned long long errors;
	unsigned long long total_ns;
	unsigned long long running_ns;
	unsigned long long self_ns;
	unsigned long long sum[TOP_SUMS];
	unsigned long long max_ns;
	unsigned long long slots[SLOTS_FINE];	/* of TOP_UNIT */
};

/* What has come of the hits of a span since the beginning. */
struct total_row {
	unsigned int span;		/* in the plan */
	struct top_stats stats;
	unsigned long long under_way;
};

struct lost_row {
	unsigned long long lines;	/* of --slow */
	unsigned long long strings;	/* for filters of probes */
};

/* A view may set what it adds to JSON. */
extern struct report_table top_table[ROWS_TABLES];
extern const struct report_tables top_tables;

/*
 * Leaves out what no span of the plan has. The plan, from which rows have their
 * names, has to remain.
 */
void rows_describe(const struct plan *plan);

/* What --columns and --sort say. */
struct rows_choice {
	struct rows_column {
		const struct report_column *column;
		bool scales;		/* "avg", and not "avg_us" */
	} column[REPORT_COLUMNS];
	size_t count;			/* 0: as many as there is room for */
	bool sums;			/* of arguments */
	const char *sort;		/* a key; NULL: by names */
	bool is_sorted;			/* by what --sort says, over all spans */
};
extern struct rows_choice rows_choice;

/* Take the values of these options. They return false after a complaint. */
bool rows_choose_columns(const char *list);
bool rows_choose_order(const char *name);

/* The span of a row; NULL: it is a probe. */
const struct span *rows_span(const struct span_row *row);

/*
 * Returns the longest time of a row, in nanoseconds. Of the given times, it is
 * the longest that is in the highest slot which the row uses. If none is in that
 * slot, the longest time is not known: returns where the slot ends, or, as the
 * last slot has no end, where it begins.
 */
unsigned long long rows_longest(const struct span_row *row,
				const unsigned long long *ns, int count);

/* To be called when nothing is added: sorts rows, by span or as --sort says. */
void rows_finish(struct report *report);

/* Writes "smb2:request", or "request", for a row of a span or of a probe. */
void rows_text(size_t table, const void *row, bool provider, char *text,
	       size_t size);

#endif /* SDTKIT_TOOL_TOP_ROWS_H */
