/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit trace --ctf: a trace in the Common Trace Format 1.8. */
#ifndef SDTKIT_TOOL_CTF_H
#define SDTKIT_TOOL_CTF_H

#include <stdbool.h>
#include <stdint.h>

struct sdtkit_tap_event;
struct tracing;

/* Opens the directory, and changes nothing there. False after a complaint. */
bool tracing_ctf_open(const struct tracing *tracing);

/* Begins the trace; what was in the directory is removed. */
void tracing_ctf_begin(const struct tracing *tracing);
void tracing_ctf_hit(const struct sdtkit_tap_event *event);
void tracing_ctf_gap(uint64_t lost);
/* To be called several times a second, with the time. */
void tracing_ctf_settle(uint64_t now);
void tracing_ctf_end(uint64_t now);

/* Returns 0, or -errno of the first write that failed. */
int tracing_ctf_error(void);

/* How many hits could not be written. */
uint64_t tracing_ctf_unwritten(void);

#endif /* SDTKIT_TOOL_CTF_H */
