/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The numbers of one report: what has happened since the one before. Tables,
 * JSON and the screen are made of it, with the columns of columns.def.
 */
#ifndef SDTKIT_TOOL_TOP_SAMPLE_H
#define SDTKIT_TOOL_TOP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/slots/slots.h"
#include "top/engine.h"
#include "top/hit.h"
#include "top/plan.h"

enum { SAMPLE_NAME = 2 * TOP_TEXT + 64 };

/* A span and a name: a row. */
struct sample_row {
	const struct span *span;
	unsigned int number;		/* of the span, in the plan */
	struct top_row_key key;
	char name[SAMPLE_NAME];		/* "" if the span has none */
	unsigned long long elapsed_ns;	/* of the report */
	unsigned long long count;
	unsigned long long errors;
	unsigned long long total_ns;
	unsigned long long running_ns;
	unsigned long long self_ns;
	unsigned long long sum[TOP_SUMS];
	unsigned long long max_ns;
	unsigned long long slots[SLOTS_FINE];	/* of 64 ns and more */
};

/* A probe without a span. */
struct sample_rate {
	size_t probe;			/* in the catalogue */
	unsigned long long elapsed_ns;
	unsigned long long count;
};

struct sample {
	unsigned long long time_ns;	/* its end */
	unsigned long long elapsed_ns;
	struct sample_row *row;		/* those whose count is not 0 */
	size_t num_rows;
	struct sample_rate *rate;	/* all */
	size_t num_rates;
	/* Since the beginning, by number of the span. */
	struct top_stats stats[TOP_SPANS];
	unsigned long long under_way[TOP_SPANS];
	unsigned long long lost_lines;
};

/*
 * Ends a report and begins the next one: sample becomes what has happened since
 * the last call. Rows are sorted by span and time.
 */
void sample_take(struct engine *engine, const struct plan *plan,
		 struct sample *sample);

void sample_free(struct sample *sample);

/* Orders of rows, for qsort(): that of samples is by span and time. */
int sample_by_key(const void *a, const void *b);
int sample_by_time(const void *a, const void *b);

/* Counts spans under way whose process is gone, and were removed: sweep.c. */
void sample_purged(unsigned int span, unsigned long long count);

/* Makes the text of a name as rows and lines show it. */
void sample_name(const struct engine *engine, const struct span *span,
		 const unsigned long long name[TOP_NAMES], char *text,
		 size_t size);

/*
 * The same for one value: its enumerator, its text, or its number. The name of
 * the label is not used.
 */
void sample_value(const struct engine *engine, const struct span_label *label,
		  unsigned long long value, char *text, size_t size);

/* A percentile of a row in nanoseconds. */
double sample_percentile(const struct sample_row *row, double part);

#endif /* SDTKIT_TOOL_TOP_SAMPLE_H */
