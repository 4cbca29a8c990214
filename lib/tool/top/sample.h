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
 * last call. end_ns is the time of engine_now().
 */
struct report *sample_take(struct engine *engine, const struct plan *plan);

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

#endif /* SDTKIT_TOOL_TOP_SAMPLE_H */
