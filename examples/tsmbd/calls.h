/* SPDX-License-Identifier: BSD-2-Clause */
/* System calls: which are looked at, and what they are. */
#ifndef TSMBD_CALLS_H
#define TSMBD_CALLS_H

#include <stdbool.h>

struct bpf_link;
struct tsmbd;	/* the skeleton */

enum { TSMBD_MAX_CALL_LINKS = 16 };

/* Tells the programs what each call is; before they are loaded. */
void calls_configure(struct tsmbd *skel);

/* Which programs to load: for all calls, or those of disk I/O. */
void calls_choose(struct tsmbd *skel, bool all);

/* Returns how many of the links it has filled; 0: that cannot be had. */
int calls_attach(struct tsmbd *skel, bool all, struct bpf_link **links);

#endif /* TSMBD_CALLS_H */
