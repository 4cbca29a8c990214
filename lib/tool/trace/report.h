/* SPDX-License-Identifier: BSD-2-Clause */
/* What is reported of a trace, in the form that was asked for. */
#ifndef SDTKIT_TOOL_REPORT_H
#define SDTKIT_TOOL_REPORT_H

#include <stdint.h>

struct sdtkit_tap_event;
struct tracing;

void tracing_begin(struct tracing *tracing);

/* Prints or counts a hit, in the order of calls. */
void tracing_hit(struct tracing *tracing,
		 const struct sdtkit_tap_event *event);

/* A line about hits that were lost before the time of the next one. */
void tracing_gap(const struct tracing *tracing, uint64_t lost, uint64_t time);

/* status: that of COMMAND; the counts, if they are wanted. */
void tracing_end(struct tracing *tracing, int status, uint64_t left_out);

#endif /* SDTKIT_TOOL_REPORT_H */
