/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of system calls, by their numbers on this machine. */
#ifndef TSMBD_CALLS_H
#define TSMBD_CALLS_H

#include <stdbool.h>

struct tsmbd;	/* the skeleton */

/* Sets the kind of each call in the programs, before they are loaded. */
void calls_configure(struct tsmbd *skel);

/*
 * Returns whether the main thread of a process is waiting for events now; sets
 * loop to the epoll descriptor on which it waits.
 */
bool calls_waits(const struct tsmbd *skel, unsigned int pid,
		 unsigned int *loop);

#endif /* TSMBD_CALLS_H */
