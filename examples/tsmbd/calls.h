/* SPDX-License-Identifier: BSD-2-Clause */
/* What the system calls are. */
#ifndef TSMBD_CALLS_H
#define TSMBD_CALLS_H

struct tsmbd;	/* the skeleton */

/* Tells the programs what each call is; before they are loaded. */
void calls_configure(struct tsmbd *skel);

#endif /* TSMBD_CALLS_H */
