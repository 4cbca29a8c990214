/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit trace --totals: how often each probe has fired. */
#ifndef SDTKIT_TOOL_COUNT_H
#define SDTKIT_TOOL_COUNT_H

struct sdtkit_tap_event;
struct tracing;

/* Counts a hit. */
void tracing_count(const struct sdtkit_tap_event *event);

/* Prints the counts, most hits first. */
void tracing_print_counts(const struct tracing *tracing);

#endif /* SDTKIT_TOOL_COUNT_H */
