/* SPDX-License-Identifier: BSD-2-Clause */
/* Deletes what ended processes and connections have left in the maps. */
#ifndef TSMBD_PURGE_H
#define TSMBD_PURGE_H

#include "tsmbd.h"

struct tsmbd;	/* the skeleton */

/* Marks a process that has ended for the next purge(). */
void purge_process(struct tsmbd *skel, unsigned int pid,
		   const struct tsmbd_process *process);

/* Marks a connection that has ended: its replies will never be sent. */
void purge_connection(const struct tsmbd_event *gone);

/* Deletes the entries of all that were marked. */
void purge(struct tsmbd *skel);

#endif /* TSMBD_PURGE_H */
