/* SPDX-License-Identifier: BSD-2-Clause */
/* What the system calls are. */
#ifndef TSMBD_CALLS_H
#define TSMBD_CALLS_H

#include <stdbool.h>

struct tsmbd;	/* the skeleton */

/* Tells the programs what each call is; before they are loaded. */
void calls_configure(struct tsmbd *skel);

/*
 * Whether the main thread of a process waits for events just now, and with
 * which descriptor of epoll.
 */
bool calls_waits(const struct tsmbd *skel, unsigned int pid,
		 unsigned int *loop);

#endif /* TSMBD_CALLS_H */
