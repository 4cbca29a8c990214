/* SPDX-License-Identifier: BSD-2-Clause */
/* What keeps this process from tracing others through the kernel. */
#ifndef UPROBE_ALLOWED_H
#define UPROBE_ALLOWED_H

#include <stdbool.h>

enum {
	/* Room for the text of any refusal. */
	ALLOWED_TEXT = 256,
};

/*
 * Whether the kernel lets this process load BPF programs that trace. If not,
 * text says why and what to do. true says only that nothing is known that is in
 * the way: seccomp, and the namespace of a container, may be.
 *
 * perf_event_paranoid does not matter to whoever has the capabilities.
 */
bool allowed_to_trace(const char *command, char *text);

/*
 * Whether numbers of processes are those that a program in the kernel sees: in
 * the first PID namespace.
 */
bool allowed_sees_processes(void);

/* After a refusal although nothing is known: what to do. */
void allowed_advise(const char *command, char *text);

#endif /* UPROBE_ALLOWED_H */
