/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hits of programs that run without a recorder: programs in the kernel write
 * them to a file of a recorder, which is read like any other.
 */
#ifndef SDTKIT_TOOL_TRACE_KERNEL_H
#define SDTKIT_TOOL_TRACE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

struct sdtkit_tap_event;
struct tracing;

/* Whether this process may do it; text says why not: lib/uprobe/allowed.h. */
bool tracing_kernel_may(char *text);

/*
 * Attaches to the probes of the process, of those of a name, or of the file.
 * Returns the descriptor of the recorder's file, or -1 after a complaint.
 */
int tracing_kernel_begin(struct tracing *tracing);

/* Says what is traced. */
void tracing_kernel_say(const struct tracing *tracing);

/* Moves hits to the file: false if some had to be left for the next time. */
bool tracing_kernel_feed(void);

/* There are no hits from now on. */
void tracing_kernel_stop(void);

/* Whether the texts of a hit are those that its filter wants. */
bool tracing_kernel_passes(const struct sdtkit_tap_event *event);

/* Detaches, when all has been written. */
void tracing_kernel_leave(void);

#endif /* SDTKIT_TOOL_TRACE_KERNEL_H */
