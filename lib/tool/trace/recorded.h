/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said about a recording, on standard error. */
#ifndef SDTKIT_TOOL_RECORDED_H
#define SDTKIT_TOOL_RECORDED_H

#include <stdbool.h>

struct sdtkit_record_reader;
struct tracing;

/*
 * Whether a snapshot has probes that match the patterns. False after a
 * complaint; a process that is followed has looked at the patterns itself.
 */
bool tracing_is_recorded(struct tracing *tracing,
			 struct sdtkit_record_reader *reader);

/* At the beginning: what is recorded, and which pattern matches nothing. */
void tracing_say_recorded(struct tracing *tracing,
			  struct sdtkit_record_reader *reader);

/* At the end: what is missing, and why. */
void tracing_complain_of_recording(const struct tracing *tracing,
				   struct sdtkit_record_reader *reader);

#endif /* SDTKIT_TOOL_RECORDED_H */
