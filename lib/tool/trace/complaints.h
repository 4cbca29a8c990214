/* SPDX-License-Identifier: BSD-2-Clause */
/* What those who read the lines have to know when COMMAND has ended. */
#ifndef SDTKIT_TOOL_COMPLAINTS_H
#define SDTKIT_TOOL_COMPLAINTS_H

#include <stdbool.h>

struct sdtkit_ring;
struct tracing;

/* Whether COMMAND has written to what it should not: then nothing is known. */
bool tracing_is_overwritten(const struct sdtkit_ring *ring);

/* What was not traced or was lost, and why there were no hits. */
void tracing_complain(const struct tracing *tracing, struct sdtkit_ring *ring);

/* The output has failed with this error. */
void tracing_complain_of_output(const struct tracing *tracing, int error);

#endif /* SDTKIT_TOOL_COMPLAINTS_H */
