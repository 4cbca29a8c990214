/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks a process for what its recorder writes. */
#ifndef SDTKIT_TOOL_ATTACH_H
#define SDTKIT_TOOL_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

struct tracing;

/*
 * Has the process record for us what the patterns ask for, until *connection is
 * closed. A process that was forked from one with a recorder cannot do that;
 * then *connection is not set, and the recording is that of the recorder.
 * Returns a file descriptor, or -1 after a complaint.
 */
int tracing_attach(const struct tracing *tracing, int *connection);

/*
 * Returns a file descriptor of what the recorder of the process has, or -1
 * after a complaint.
 */
int tracing_snapshot(pid_t pid);

/* Whether the process, or one that it was forked from, has a recorder. */
bool tracing_has_recorder(pid_t pid);

/* Whether the process has not ended. */
bool tracing_is_alive(pid_t pid);

#endif /* SDTKIT_TOOL_ATTACH_H */
