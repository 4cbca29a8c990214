/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's lock, and what it is for: the taps that are open. */
#ifndef SDTKIT_TAP_LOCK_PRIV_H
#define SDTKIT_TAP_LOCK_PRIV_H

#include <stdbool.h>
#include <sys/types.h>

struct sdtkit_tap;

extern struct sdtkit_tap *sdtkit_tap_all;

/* All functions hold it but the signal handler. */
void sdtkit_tap_lock(void);
void sdtkit_tap_unlock(void);

/*
 * For a hit of this thread: keeps the others, and the functions, out if nobody
 * has the lock. Returns false if somebody has it.
 */
bool sdtkit_tap_lock_at_hit(pid_t tid);
void sdtkit_tap_unlock_at_hit(void);

#endif /* SDTKIT_TAP_LOCK_PRIV_H */
