/* SPDX-License-Identifier: BSD-2-Clause */
/* Prepares tracing, before COMMAND is started. */
#ifndef SDTKIT_TOOL_SETUP_H
#define SDTKIT_TOOL_SETUP_H

struct sdtkit_ring;
struct tracing;

/*
 * Returns the ring, with the environment set for it, or NULL after a complaint.
 */
struct sdtkit_ring *tracing_set_up(const struct tracing *tracing);

#endif /* SDTKIT_TOOL_SETUP_H */
