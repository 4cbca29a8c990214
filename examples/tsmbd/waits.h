/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens that waited for another client to give up an oplock or a lease. */
#ifndef TSMBD_WAITS_H
#define TSMBD_WAITS_H

#include <limits.h>
#include <stdbool.h>

#include <jansson.h>

#include "tsmbd.h"

/* One that has ended. */
struct wait {
	unsigned int pid;
	unsigned int holder;		/* its pid; 0: nobody was asked */
	unsigned long long req;
	unsigned long long inode;
	unsigned long long since;
	unsigned long long ns;
	char client[TSMBD_NAME];
	char holder_client[TSMBD_NAME];
	char file[PATH_MAX];		/* "" if it is not known */
};

/*
 * To be called for each event of --oplocks, with the name of its client. If
 * it ends a wait, fills that in and returns true.
 */
bool waits_event(const struct tsmbd_event *event, const char *client,
		 struct wait *wait);

/* A table of who waited for whom since the last one; nothing if nobody did. */
void waits_print(void);

/* The same. */
json_t *waits_json(void);

/* To be called after either. */
void waits_reset(void);

#endif /* TSMBD_WAITS_H */
