/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory that may not be there: read by the kernel, which says so instead of
 * raising a signal.  Fit for signal handlers.  pid is this process: who asks
 * knows it already.
 */
#ifndef SDTKIT_TAP_REACH_PRIV_H
#define SDTKIT_TAP_REACH_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* All of it, or false. */
bool sdtkit_tap_reach(pid_t pid, uintptr_t address, void *to, size_t size);

/*
 * Copies a string, at most size - 1 bytes of it and a NUL.  Returns its length
 * and sets *whole if its end is within it; -EFAULT if it cannot be read as far
 * as that.
 */
long sdtkit_tap_reach_string(pid_t pid, uintptr_t address, char *to,
			     size_t size, bool *whole);

#endif /* SDTKIT_TAP_REACH_PRIV_H */
