/* SPDX-License-Identifier: BSD-2-Clause */
/* Prepares tracing, before COMMAND is started. */
#ifndef SDTKIT_TOOL_SETUP_H
#define SDTKIT_TOOL_SETUP_H

struct sdtkit_record_reader;
struct sdtkit_trace_control;
struct tracing;

/*
 * Returns the control, with the environment set for it, and the reader of the
 * hits; or NULL after a complaint.
 */
struct sdtkit_trace_control *
tracing_set_up(const struct tracing *tracing,
	       struct sdtkit_record_reader **reader);

#endif /* SDTKIT_TOOL_SETUP_H */
