/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks a process for what its recorder writes. */
#ifndef SDTKIT_TOOL_ATTACH_H
#define SDTKIT_TOOL_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns a file descriptor of the recorder's file, or -1 after a complaint. If
 * not the process itself has opened the recorder, but one that it was forked
 * from, *only is set to the process: there are hits of others in the file.
 */
int tracing_attach(pid_t pid, pid_t *only);

/* Whether the process has not ended. */
bool tracing_is_alive(pid_t pid);

#endif /* SDTKIT_TOOL_ATTACH_H */
