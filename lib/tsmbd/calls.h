/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of system calls, by their numbers on this machine. */
#ifndef TSMBD_CALLS_H
#define TSMBD_CALLS_H

#include <stdbool.h>

struct tsmbd;	/* the skeleton */

/*
 * Sets the kind of each call in the programs, and the index of its counter,
 * before they are loaded.
 */
void calls_configure(struct tsmbd *skel);

/* The index of the counter of a call, in a struct tsmbd_calls. */
unsigned int calls_index(const struct tsmbd *skel, unsigned int number);

/*
 * Returns whether the main thread of a process is waiting for events now; sets
 * loop to the epoll descriptor on which it waits.
 */
bool calls_waits(const struct tsmbd *skel, unsigned int pid,
		 unsigned int *loop);

#endif /* TSMBD_CALLS_H */
