/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens that waited for another client to give up an oplock or a lease. */
#ifndef TSMBD_WAITS_H
#define TSMBD_WAITS_H

#include <stdio.h>

#include "raw.h"

struct tsmbd;	/* the skeleton */
struct report;

enum { TSMBD_NODE = 65 };		/* name of a host */

/* "ipv4:192.0.2.7:50123", "1:pid:4711" or "alpha:pid:4711" */
enum { WAITS_HOLDER = TSMBD_NODE + TSMBD_NAME };

/* All waits of a client for another one and a file. */
struct waited {
	char node[TSMBD_NODE];		/* where the client is; "": here */
	char client[TSMBD_NAME];
	char holder[TSMBD_NAME];	/* "" if nobody was asked */
	char share[TSMBD_NAME];
	char file[TSMBD_TEXT];
	unsigned long long inode;	/* 0 if nobody was asked */
	unsigned int holder_pid;	/* likewise */
	unsigned long long holder_vnn;	/* its node + 1; 0: this one */
	char holder_node[TSMBD_NODE];	/* the host of that, if known */
	unsigned long long count;
	unsigned long long ns;
	unsigned long long max;
};

/* Returns the holder with its node, if that is another one than this. */
static inline const char *waits_holder(const struct waited *w,
				       char text[WAITS_HOLDER])
{
	if (w->holder_node[0] != '\0')
		snprintf(text, WAITS_HOLDER, "%s:%s", w->holder_node,
			 w->holder);
	else if (w->holder_vnn != 0)
		snprintf(text, WAITS_HOLDER, "%llu:%s", w->holder_vnn - 1,
			 w->holder);
	else
		snprintf(text, WAITS_HOLDER, "%s", w->holder);
	return text;
}

/* Converts an entry of the kernel: resolves its names. */
void waits_resolve(const struct tsmbd_wait_key *key,
		   const struct tsmbd_wait *wait, struct waited *waited);

/* Adds the waits of a bank to which no program writes any more. */
void waits_take(struct tsmbd *skel, unsigned int bank, struct report *report);

#endif /* TSMBD_WAITS_H */
