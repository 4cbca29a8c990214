/* SPDX-License-Identifier: BSD-2-Clause */
/* What processes and connections that have ended leave in the maps. */
#ifndef TSMBD_PURGE_H
#define TSMBD_PURGE_H

#include "tsmbd.h"

struct tsmbd;	/* the skeleton */

/* The next purge() is also about this process. */
void purge_process(struct tsmbd *skel, unsigned int pid,
		   const struct tsmbd_process *process);

/* Likewise: replies that a connection has left behind are not sent any more. */
void purge_connection(const struct tsmbd_event *gone);

/* Takes out all that they have left. */
void purge(struct tsmbd *skel);

#endif /* TSMBD_PURGE_H */
