/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs COMMAND with the library in it. */
#ifndef SDTKIT_TOOL_RUN_H
#define SDTKIT_TOOL_RUN_H

struct tracing;

/* Returns the exit status. */
int tracing_run(struct tracing *tracing);

#endif /* SDTKIT_TOOL_RUN_H */
