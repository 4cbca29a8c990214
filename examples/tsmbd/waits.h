/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens that waited for another client to give up an oplock or a lease. */
#ifndef TSMBD_WAITS_H
#define TSMBD_WAITS_H

#include "raw.h"

struct tsmbd;	/* the skeleton */

enum { TSMBD_NODE = 65 };		/* name of a host */

/* All waits of a client for another one and a file. */
struct waited {
	char node[TSMBD_NODE];		/* where the client is; "": here */
	char client[TSMBD_NAME];
	char holder[TSMBD_NAME];	/* "" if nobody was asked */
	char share[TSMBD_NAME];
	char file[TSMBD_TEXT];
	unsigned long long inode;	/* 0 if nobody was asked */
	unsigned int holder_pid;	/* likewise */
	unsigned long long count;
	unsigned long long ns;
	unsigned long long max;
};

/* Converts an entry of the kernel: resolves its names. */
void waits_resolve(const struct tsmbd_wait_key *key,
		   const struct tsmbd_wait *wait, struct waited *waited);

/*
 * Takes the waits of a bank to which no program writes any more, and sorts
 * them, the longest sum first. Returns their number, and a new array in list.
 */
int waits_take(struct tsmbd *skel, unsigned int bank, struct waited **list);

#endif /* TSMBD_WAITS_H */
