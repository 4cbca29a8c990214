/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports a trace in the form that was asked for: lines, JSON or counts. */
#ifndef SDTKIT_TOOL_REPORT_H
#define SDTKIT_TOOL_REPORT_H

#include <stdint.h>

struct sdtkit_tap_event;
struct tracing;

void tracing_begin(struct tracing *tracing);

/* Prints or counts a hit, in the order of calls. */
void tracing_hit(struct tracing *tracing,
		 const struct sdtkit_tap_event *event);

/* Reports that hits were lost before the time of the next one. */
void tracing_gap(const struct tracing *tracing, uint64_t lost, uint64_t time);

/*
 * Reports the end. status is the exit status of COMMAND, left_out the number of
 * sites that could not be traced.
 */
void tracing_end(struct tracing *tracing, int status, uint64_t left_out);

#endif /* SDTKIT_TOOL_REPORT_H */
