/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hits.bpf.h - hits of requests that come beside notes: the new notes of the
 * process are taken first.
 */
#ifndef HITS_BPF_H
#define HITS_BPF_H

#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>

#include "argument.bpf.h"
#include "event.bpf.h"
#include "keep.bpf.h"
#include "limits.bpf.h"
#include "request.bpf.h"
#include "run.bpf.h"
#include "state.bpf.h"
#include "take.bpf.h"
#include "tsmbd.h"
#include "waits.bpf.h"

/* Only an open that waited for an oplock or a share mode is resumed. */
PROBE(request_resume)
{
	struct tsmbd_process *p = process_noted(TSMBD_OTHER);
	__u64 req = argument(ctx, 2);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;
	__u64 now;

	if (!p)
		return;
	now = account(p, p->phase, TSMBD_RUN);
	request_park(p, now);
	reply_settle(p, req, now);
	process_runs(p, req);
	r = request_find(p, &key);
	if (!r)
		return;
	p->opcode = r->opcode;
	if (r->deferred) {
		r->oplock_ns += now - r->deferred;
		r->deferred = 0;
	}
}

PROBE(request_cancel)
{
	struct tsmbd_process *p = process_noted(TSMBD_RUN);

	if (p)
		cancel_ran(p, argument(ctx, 2), argument(ctx, 4),
			   argument(ctx, 5), TSMBD_OTHER);
}

/* The reply waits in smbd, since the socket is full. */
PROBE(pdu_delayed)
{
	struct tsmbd_process *p = process_noted(TSMBD_SEND);
	struct tsmbd_request_key key = request_key(argument(ctx, 1));
	struct tsmbd_request *r = p ? request_find(p, &key) : NULL;

	if (r && r->end) {
		r->delayed = 1;
		r->xconn = argument(ctx, 0);
	}
}

PROBE(open_defer)
{
	struct tsmbd_process *p = process_noted(TSMBD_RUN);
	__u64 req = argument(ctx, 1);
	__u64 inode = argument(ctx, 2);
	__u64 timeout_us = argument(ctx, 3);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r = p ? request_find(p, &key) : NULL;

	if (p && !r)	/* a note of request_suspend comes next */
		r = request_new(p, &key, TSMBD_CREATE);
	if (r) {	/* since it stopped running: request_park() */
		r->opcode = TSMBD_CREATE;
		r->deferred = p->last;
		set_holder(p, r, inode, timeout_us);
	}
	if (p && modes & TSMBD_OPLOCKS)
		log_numbers(TSMBD_EVENT_DEFER, req, inode, timeout_us, 0);
}

PROBE(limit_start)
{
	struct tsmbd_process *p = process_noted(TSMBD_RUN);
	struct tsmbd_request_key key = request_key(argument(ctx, 1));
	struct tsmbd_limited l = { .since = bpf_ktime_get_ns() };

	if (!p)
		return;
	if (bpf_map_update_elem(&limited, &key, &l, BPF_ANY)) {
		lose(TSMBD_LOST_WAITS);
		return;
	}
	p->limit = key.req;
	p->rare |= TSMBD_IS_LIMITED;
}

static __always_inline void limit_end(struct tsmbd_process *p,
				      const struct tsmbd_limited *l)
{
	struct tsmbd_request_key key = request_key(l->req);
	struct tsmbd_request *r = l->req ? request_find(p, &key) : NULL;

	/* another one may have the address by now */
	if (!r || !r->start || r->end || r->start > l->since + MORE)
		return;
	if (!(r->rare & TSMBD_IS_LIMITED))
		r->limit_ns = 0;
	r->rare |= TSMBD_IS_LIMITED;
	r->limit_ns += bpf_ktime_get_ns() - l->since;
}

PROBE(limit_done)
{
	struct tsmbd_process *p = process_noted(TSMBD_OTHER);
	struct tsmbd_request_key key = request_key(argument(ctx, 1));
	struct tsmbd_limited *l = bpf_map_lookup_elem(&limited, &key);

	if (!p || !l)
		return;
	limit_end(p, l);
	bpf_map_delete_elem(&limited, &key);
}

PROBE(handle_kept)
{
	struct tsmbd_process *p = process_noted(TSMBD_RUN);

	if (p)
		p->rare |= argument(ctx, 4) ? OF_OPENS : TSMBD_MET_KEPT;
}

#endif /* HITS_BPF_H */
