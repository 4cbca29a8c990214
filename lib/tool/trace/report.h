/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reports a trace in the form that was asked for: lines, JSON, counts or the
 * Common Trace Format.
 */
#ifndef SDTKIT_TOOL_REPORT_H
#define SDTKIT_TOOL_REPORT_H

#include <stdbool.h>
#include <stdint.h>

struct sdtkit_tap_event;
struct tracing;
struct tracing_ending;

/* Nanoseconds of CLOCK_MONOTONIC, as the times of hits. */
uint64_t tracing_now(void);

/*
 * Opens the output, and changes nothing there. Returns false after a complaint.
 */
bool tracing_open_report(const struct tracing *tracing);

void tracing_begin(struct tracing *tracing);

/* Prints or counts a hit, in the order of calls. */
void tracing_hit(struct tracing *tracing,
		 const struct sdtkit_tap_event *event);

/* Reports that hits were lost before the time of the next one. */
void tracing_gap(const struct tracing *tracing, uint64_t lost, uint64_t time);

/*
 * To be called when there are no hits now: writes what can wait no longer.
 */
void tracing_settle(const struct tracing *tracing);

/*
 * Returns 0, or the error of the first write that failed; -EINTR if the output
 * was given up.
 */
int tracing_report_error(const struct tracing *tracing);

/* How many hits could not be written. */
uint64_t tracing_report_unwritten(const struct tracing *tracing);

/* Reports the end. */
void tracing_end(struct tracing *tracing, const struct tracing_ending *ending);

#endif /* SDTKIT_TOOL_REPORT_H */
