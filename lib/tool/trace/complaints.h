/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages at the end of a trace: what the lines do not show. */
#ifndef SDTKIT_TOOL_COMPLAINTS_H
#define SDTKIT_TOOL_COMPLAINTS_H

#include <stdbool.h>

struct sdtkit_record_info;
struct sdtkit_trace_control;
struct tracing;

/* Whether COMMAND has overwritten the memory: then its numbers mean nothing. */
bool tracing_is_overwritten(const struct sdtkit_trace_control *control);

/* Says what was not traced or was lost, and why there were no hits. */
void tracing_complain(const struct tracing *tracing,
		      struct sdtkit_trace_control *control,
		      const struct sdtkit_record_info *info);

/* Says how many threads' rings the program has overwritten, if any. */
void tracing_complain_of_damage(const struct sdtkit_record_info *info);

/* Says that the output has failed with this error. */
void tracing_complain_of_output(const struct tracing *tracing, int error);

#endif /* SDTKIT_TOOL_COMPLAINTS_H */
