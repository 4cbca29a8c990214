/* SPDX-License-Identifier: BSD-2-Clause */
/* What sdtkit trace says when COMMAND begins. */
#ifndef SDTKIT_TOOL_START_H
#define SDTKIT_TOOL_START_H

struct sdtkit_ring;
struct tracing;

/*
 * Says, once it is known, how much is traced, and which pattern matches
 * nothing.  To be called again and again.
 */
void tracing_say_start(const struct tracing *tracing,
		       struct sdtkit_ring *ring);

#endif /* SDTKIT_TOOL_START_H */
