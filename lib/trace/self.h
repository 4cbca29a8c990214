/* SPDX-License-Identifier: BSD-2-Clause */
/* Which process this is, whatever it has done since it began. */
#ifndef SDTKIT_TRACE_SELF_H
#define SDTKIT_TRACE_SELF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Numbers as "sdtkit trace" knows them; 0: nobody here can tell. */
struct sdtkit_self_ids {
	uint32_t pid;
	uint32_t tid;
};

/* In a new process; numbers: the namespace that "sdtkit trace" has its of. */
void sdtkit_self_begin(uint64_t numbers);

/* Fit for signal handlers.  pid, tid: as this thread has them. */
struct sdtkit_self_ids sdtkit_self_ids(pid_t pid, pid_t tid);

/*
 * False: this is the child of a vfork(), in the memory of its parent, which
 * goes on with it when the child is gone.
 */
bool sdtkit_self_has_memory(void);

#endif /* SDTKIT_TRACE_SELF_H */
