/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens that waited for another client to give up an oplock or a lease. */
#ifndef TSMBD_WAITS_H
#define TSMBD_WAITS_H

#include "tsmbd.h"

struct tsmbd;	/* the skeleton */
struct report;
struct waited;

/* Converts an entry of the kernel: resolves its names. */
void waits_resolve(const struct tsmbd_wait_key *key,
		   const struct tsmbd_wait *wait, struct waited *waited);

/* Adds the waits of a bank to which no program writes any more. */
void waits_take(struct tsmbd *skel, unsigned int bank, struct report *report);

#endif /* TSMBD_WAITS_H */
