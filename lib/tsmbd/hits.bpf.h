/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hits.bpf.h - hits that come beside notes: the new notes of the process are
 * taken first.
 *
 * All these probes have one program, and a cookie tells which one has fired:
 * to take notes is most of a program, some 20,000 instructions for the kernel's
 * verifier. The probes of --exit have another program, which may sleep: log.bpf.h.
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
static __always_inline void request_resumes(struct pt_regs *ctx,
					    struct tsmbd_process *p)
{
	__u64 req = argument(ctx, 2);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;
	__u64 now;

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

/* The reply waits in smbd, since the socket is full. */
static __always_inline void reply_waits(struct pt_regs *ctx,
					struct tsmbd_process *p)
{
	struct tsmbd_request_key key = request_key(argument(ctx, 1));
	struct tsmbd_request *r = request_find(p, &key);

	if (r && r->end) {
		r->delayed = 1;
		r->xconn = argument(ctx, 0);
	}
}

static __always_inline void open_waits(struct pt_regs *ctx,
				       struct tsmbd_process *p)
{
	__u64 req = argument(ctx, 1);
	__u64 inode = argument(ctx, 2);
	__u64 timeout_us = argument(ctx, 3);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r = request_find(p, &key);

	if (!r)			/* a note of request_suspend comes next */
		r = request_new(p, &key, TSMBD_CREATE);
	if (r) {	/* since it stopped running: request_park() */
		r->opcode = TSMBD_CREATE;
		r->deferred = p->last;
		set_holder(p, r, inode, timeout_us);
	}
	if (modes & TSMBD_OPLOCKS)
		log_numbers(TSMBD_EVENT_DEFER, req, inode, timeout_us, 0);
}

static __always_inline void limit_begin(struct pt_regs *ctx,
					struct tsmbd_process *p)
{
	struct tsmbd_request_key key = request_key(argument(ctx, 1));
	struct tsmbd_limited l = { .since = bpf_ktime_get_ns() };

	if (bpf_map_update_elem(&limited, &key, &l, BPF_ANY)) {
		lose(TSMBD_LOST_WAITS);
		return;
	}
	p->limit = key.req;
	p->rare |= TSMBD_IS_LIMITED;
}

static __always_inline void limit_count(struct tsmbd_process *p,
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

static __always_inline void limit_end(struct pt_regs *ctx,
				      struct tsmbd_process *p)
{
	struct tsmbd_request_key key = request_key(argument(ctx, 1));
	struct tsmbd_limited *l = bpf_map_lookup_elem(&limited, &key);

	if (!l)
		return;
	limit_count(p, l);
	bpf_map_delete_elem(&limited, &key);
}

/* While a process waits, a message may come for which it waits once more. */
static __always_inline void ctdb_waits(struct tsmbd_process *p)
{
	if (p->phase == TSMBD_CTDB)
		return;
	/* no packet needs the cluster before its request runs */
	p->back = p->phase == TSMBD_PARSE ? TSMBD_RUN : p->phase;
	account(p, p->back, TSMBD_CTDB);
}

/*
 * A request may still end after this, but no reply is sent: --slow need not
 * wait for it. The command removes such requests from the map.
 */
static __always_inline void connection_ends(struct pt_regs *ctx,
					    struct tsmbd_process *p)
{
	__u64 xconn = argument(ctx, 0);
	__u64 now = bpf_ktime_get_ns();
	struct tsmbd_request_key key;
	struct tsmbd_request *r;
	int i;

	reply_settle(p, 0, now);
	for (i = 0; i < TSMBD_KEPT; i++) {
		r = &p->request[i];
		key = request_key(p->kept[i]);
		if (!key.req || r->xconn != xconn || !r->end)
			continue;
		reply_end(p, &key, r, now);
		p->kept[i] = 0;
	}
	if (p->elsewhere)
		log_numbers(TSMBD_EVENT_GONE, xconn, 0, 0, 0);
}

static __always_inline void hit_take(struct pt_regs *ctx,
				     struct tsmbd_process *p,
				     enum tsmbd_hit hit)
{
	switch (hit) {
	case TSMBD_HIT_RESUME:
		request_resumes(ctx, p);
		break;
	case TSMBD_HIT_CANCEL:
		cancel_ran(p, argument(ctx, 2), argument(ctx, 4),
			   argument(ctx, 5), TSMBD_OTHER);
		break;
	case TSMBD_HIT_DELAYED:
		reply_waits(ctx, p);
		break;
	case TSMBD_HIT_END:
		connection_ends(ctx, p);
		break;
	case TSMBD_HIT_DEFER:
		open_waits(ctx, p);
		break;
	case TSMBD_HIT_LIMIT:
		limit_begin(ctx, p);
		break;
	case TSMBD_HIT_LIMITED:
		limit_end(ctx, p);
		break;
	case TSMBD_HIT_KEPT:
		p->rare |= argument(ctx, 4) ? OF_OPENS : TSMBD_MET_KEPT;
		break;
	case TSMBD_HIT_CTDB:
		ctdb_waits(p);
		break;
	/* also ctdb:request_done: a wait that fails fires no wait_done */
	case TSMBD_HIT_CTDB_DONE:
		if (p->phase == TSMBD_CTDB)
			account(p, TSMBD_CTDB, p->back);
		break;
	default:
		break;
	}
}

/* The phase in which a process was until its first hit. */
static __always_inline __u32 phase_before(enum tsmbd_hit hit)
{
	switch (hit) {
	case TSMBD_HIT_NOTES:
		return TSMBD_PHASES;
	case TSMBD_HIT_RESUME:
	case TSMBD_HIT_END:
	case TSMBD_HIT_LIMITED:
	case TSMBD_HIT_CTDB:
		return TSMBD_OTHER;
	case TSMBD_HIT_DELAYED:
		return TSMBD_SEND;
	case TSMBD_HIT_CTDB_DONE:
		return TSMBD_CTDB;
	default:
		return TSMBD_RUN;
	}
}

/* Keeps where a process has its notes, also before the tracing has begun. */
static __always_inline void notes_are_at(__u64 at)
{
	struct tsmbd_process *p = process_get(TSMBD_PHASES);

	running_at = at;
	if (p)
		p->running_at = at;
}

PROBE(noted_hit)
{
	enum tsmbd_hit hit = hit_of(ctx);
	struct tsmbd_process *p;

	if (hit == TSMBD_HIT_NOTES)
		notes_are_at(argument(ctx, 0));
	p = process_noted(phase_before(hit));
	if (p)
		hit_take(ctx, p, hit);
}

#endif /* HITS_BPF_H */
