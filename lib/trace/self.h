/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose the memory of this process is, whatever the process has done since it
 * began: fork(), clone(2), vfork().
 */
#ifndef SDTKIT_TRACE_SELF_H
#define SDTKIT_TRACE_SELF_H

#include <stdbool.h>

/* To be called in a new process. */
void sdtkit_self_begin(void);

/*
 * Returns false in the child of a vfork(): it runs in the memory of its parent,
 * which uses it again when the child is gone. Async-signal-safe.
 */
bool sdtkit_self_has_memory(void);

#endif /* SDTKIT_TRACE_SELF_H */
