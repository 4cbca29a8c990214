/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which process this is, whatever it has done since it began: fork(), clone(2),
 * unshare(2).
 */
#ifndef SDTKIT_TRACE_SELF_H
#define SDTKIT_TRACE_SELF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Numbers as "sdtkit trace" sees them; 0 if they cannot be found. */
struct sdtkit_self_ids {
	uint32_t pid;
	uint32_t tid;
};

/*
 * To be called in a new process. numbers is the PID namespace of "sdtkit
 * trace".
 */
void sdtkit_self_begin(uint64_t numbers);

/*
 * Async-signal-safe. pid and tid are the numbers that this thread itself sees.
 */
struct sdtkit_self_ids sdtkit_self_ids(pid_t pid, pid_t tid);

/*
 * Returns false in the child of a vfork(): it runs in the memory of its parent,
 * which uses it again when the child is gone.
 */
bool sdtkit_self_has_memory(void);

#endif /* SDTKIT_TRACE_SELF_H */
