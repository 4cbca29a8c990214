/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages of sdtkit trace when COMMAND begins. */
#ifndef SDTKIT_TOOL_START_H
#define SDTKIT_TOOL_START_H

struct sdtkit_trace_control;
struct tracing;

/*
 * Says how much is traced, and which pattern matches nothing, as soon as it is
 * known. To be called repeatedly.
 */
void tracing_say_start(const struct tracing *tracing,
		       struct sdtkit_trace_control *control);

#endif /* SDTKIT_TOOL_START_H */
