/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reports: what has happened since the one before, as rows of the tables in
 * rows.h. Tables, JSON and the screen are made of them.
 */
#ifndef SDTKIT_TOOL_TOP_SAMPLE_H
#define SDTKIT_TOOL_TOP_SAMPLE_H

#include <stddef.h>

#include "top/engine.h"
#include "top/plan.h"
#include "top/rows.h"

/*
 * Ends a report and begins the next one: returns what has happened since the
 * last call. end_ns is the time of engine_now(). on_span gets the rows of spans
 * one by one, and those with the same name are not added up; NULL: they are in
 * the report, where thousands of names may take 2 KiB each.
 */
struct report *sample_take(struct engine *engine, const struct plan *plan,
			   void (*on_span)(const struct span_row *row,
					   void *context), void *context);

/* Sets it from the stats, which have to be those since the beginning. */
void sample_under_way(const struct plan *plan, struct total_row *total);

/* Makes the text of a name as rows and lines show it. */
void sample_name(const struct engine *engine, const struct span *span,
		 const unsigned long long name[TOP_NAMES], char *text,
		 size_t size);

/* Sets what is between the two values of a name: " | " if this is not called. */
void sample_separate_by(const char *text);

/*
 * The same for one value: its enumerator, its text, or its number. The name of
 * the label is not used.
 */
void sample_value(const struct engine *engine, const struct span_label *label,
		  unsigned long long value, char *text, size_t size);

#endif /* SDTKIT_TOOL_TOP_SAMPLE_H */
