/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * limits.bpf.h - what only newer versions of smbd tell: reads and writes that
 * wait for the limits of their share (4.24), and opens that meet the handle of
 * a client that is away (4.25).
 *
 *	limit_start key=0x5593		a READ runs: which one is not told,
 *	request_suspend req=0x2000	until it waits
 *	limit_done key=0x5593		it begins
 *
 * handle_kept fires while a CREATE runs, which then waits or ends.
 */
#ifndef LIMITS_BPF_H
#define LIMITS_BPF_H

#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>

#include "keep.bpf.h"
#include "state.bpf.h"
#include "tsmbd.h"

enum { OF_OPENS = TSMBD_MET_KEPT | TSMBD_IS_REFUSED };

/* A hit may come so many nanoseconds after smbd has read its clock. */
static const __u64 MORE = 100000000;

/* Moves what a CREATE has met from its process to itself. */
static __always_inline void rare_take(struct tsmbd_process *p,
				      struct tsmbd_request *r, __u64 opcode)
{
	if (opcode != TSMBD_CREATE)
		return;
	if (r)
		r->rare |= p->rare & OF_OPENS;
	p->rare &= ~OF_OPENS;
}

/*
 * The request that ran waits. It is the one that the limit is about unless that
 * began before: a server that copies a file goes on without a request.
 */
static __always_inline void rare_suspend(struct tsmbd_process *p,
					 struct tsmbd_request *r,
					 const struct tsmbd_request_key *key,
					 __u64 opcode, __u64 elapsed)
{
	struct tsmbd_request_key own = request_key(p->limit);
	struct tsmbd_limited *l = NULL;

	rare_take(p, r, opcode);
	if (p->rare & TSMBD_IS_LIMITED && opcode != TSMBD_CREATE)
		l = bpf_map_lookup_elem(&limited, &own);
	if (l && l->since + MORE >= time_of(p) - elapsed)
		l->req = key->req;
	p->rare &= ~TSMBD_IS_LIMITED;
}

#endif /* LIMITS_BPF_H */
