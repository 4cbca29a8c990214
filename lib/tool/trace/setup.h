/* SPDX-License-Identifier: BSD-2-Clause */
/* What is there before COMMAND is. */
#ifndef SDTKIT_TOOL_SETUP_H
#define SDTKIT_TOOL_SETUP_H

struct sdtkit_ring;
struct tracing;

/* The ring and the environment for it, or NULL after telling why not. */
struct sdtkit_ring *tracing_set_up(const struct tracing *tracing);

#endif /* SDTKIT_TOOL_SETUP_H */
