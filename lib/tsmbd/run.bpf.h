/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.bpf.h - which request a process runs, and whose the time is.
 */
#ifndef RUN_BPF_H
#define RUN_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "count.bpf.h"
#include "event.bpf.h"
#include "keep.bpf.h"
#include "state.bpf.h"
#include "tsmbd.h"

/* Adds the time that the process has counted to the request that ran. */
static __always_inline void request_collect(struct tsmbd_process *p,
					    struct tsmbd_request *r)
{
	r->run_ns += p->run_ns;
	r->ctdb_ns += p->ctdb_ns;
	if (!(modes & TSMBD_CALLS))
		return;
	r->vfs_ns += p->vfs_ns;
	r->lock_ns += p->lock_ns;
}

/* From now on the time is counted for this request, or for none. */
static __always_inline void process_runs(struct tsmbd_process *p, __u64 req)
{
	p->current = req;
	p->opcode = TSMBD_UNKNOWN;
	p->run_ns = 0;
	p->ctdb_ns = 0;
	if (!(modes & TSMBD_CALLS))
		return;
	p->vfs_ns = 0;
	p->lock_ns = 0;
}

/*
 * Something else comes before the end of the request that runs: it waits from
 * now on. smbd said so a few microseconds earlier (request_suspend); that time
 * counts for the request, too.
 */
static __always_inline void request_park(struct tsmbd_process *p, __u64 now)
{
	struct tsmbd_request_key key = key_of(p, p->current);
	struct tsmbd_request *r;

	r = p->current ? request_find(p, &key) : NULL;
	if (r) {
		request_collect(p, r);
		if (r->deferred)
			r->deferred = now;
	}
	process_runs(p, 0);
}

/*
 * A CANCEL has no reply and no end. It is a request all the same, and takes
 * until whatever comes next: mostly request_cancel.
 */
GLOBAL int cancel_end(struct tsmbd_process *p, __u64 now)
{
	struct tsmbd_request *r;

	if (!p)
		return 0;
	r = &p->cancelling;
	request_clear(r);
	r->opcode = TSMBD_CANCEL;
	r->start = p->cancel;
	r->end = now;
	r->bytes_in = p->cancel_bytes;
	request_collect(p, r);
	p->cancel = 0;
	process_runs(p, 0);
	if (is_counted(p, TSMBD_CANCEL, NULL))
		count_ended(p, r, NULL, bank & COUNT_BANK);
	return 0;
}

/* A line of --slow or --errors. */
GLOBAL int request_log(struct tsmbd_process *p, struct tsmbd_request_key *key,
		       struct tsmbd_request *r, __u64 to)
{
	struct tsmbd_request_event *e;
	struct tsmbd_detail *d;

	if (!p || !key || !r)
		return 0;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(TSMBD_LOST_LINES);
		return 0;
	}
	e->event.kind = r->slow ? TSMBD_EVENT_SLOW : TSMBD_EVENT_ERROR;
	e->event.pid = key->pid;
	e->event.time = to;
	__builtin_memcpy(e->event.remote, p->remote, sizeof(p->remote));
	e->request = *r;
	e->request.send_ns = to > r->end ? to - r->end : 0;
	if (!(r->rare & TSMBD_IS_LIMITED))
		e->request.limit_ns = 0;
	d = detail_find(key, r);
	if (d)
		bpf_probe_read_kernel(&e->detail, sizeof(*d), d);
	else
		e->detail = no_detail;
	bpf_ringbuf_submit(e, event_wakes());
	return 0;
}

/* The wait of a CHANGE_NOTIFY is not slow: see times_of(). */
static __always_inline bool is_slow(const struct tsmbd_request *r, __u64 to)
{
	__u64 since = r->opcode == TSMBD_NOTIFY ? to - r->end + r->run_ns :
		to - r->start;

	return since >= slow_ns;
}

/* --slow: the request has ended, and its reply was sent, or given up, at to. */
static __always_inline void reply_end(struct tsmbd_process *p,
				      struct tsmbd_request_key *key,
				      struct tsmbd_request *r, __u64 to)
{
	if (!r->filtered && is_slow(r, to)) {
		r->slow = 1;
		request_log(p, key, r, to);
	}
	detail_drop(key, r);
}

static __always_inline void reply_done(struct tsmbd_process *p,
				       struct tsmbd_request_key *key, __u64 to)
{
	struct tsmbd_request *r = request_find(p, key);

	if (!r || !r->end)	/* an interim response, or a break */
		return;
	reply_end(p, key, r, to ? to : r->end);
	request_forget(p, key);
}

/*
 * --slow: smbd sends a reply right after its request has ended, unless it says
 * that the reply is delayed. So whatever comes next tells that it was sent; but
 * an element of a compound has no reply of its own: then next is the same req.
 */
GLOBAL int reply_sent(struct tsmbd_process *p, __u64 next, __u64 now)
{
	struct tsmbd_request_key key;
	struct tsmbd_request *r;

	if (!p)
		return 0;
	key = key_of(p, p->replying);
	p->replying = 0;
	r = request_find(p, &key);
	if (r && !r->delayed)
		reply_done(p, &key, key.req == next ? 0 : now);
	return 0;
}

static __always_inline void reply_settle(struct tsmbd_process *p, __u64 next,
					 __u64 now)
{
	if (modes & TSMBD_SLOW && p->replying)
		reply_sent(p, next, now);
}

/* The process waits for events: no request is running any more. */
static __always_inline void wait_begin(struct tsmbd_process *p)
{
	/* no request has begun with what came, so more of it is to come */
	__u32 phase = p->phase == TSMBD_PARSE ? TSMBD_RECEIVE : p->phase;
	__u64 now = account(p, phase, TSMBD_WAIT);

	if (p->cancel)
		cancel_end(p, now);
	request_park(p, now);
	reply_settle(p, 0, now);
	p->rare &= ~TSMBD_IS_LIMITED;
}

static __always_inline void wait_end(struct tsmbd_process *p)
{
	account(p, p->phase, TSMBD_OTHER);
	p->events++;
}

/* What has come so far, and how it turned out: receiving, then parsing. */
static __always_inline void account_packet(struct tsmbd_process *p, __u64 then)
{
	__u64 came = p->came < then ? p->came : then;

	if (p->phase == TSMBD_PARSE && came > p->last)
		account_until(p, TSMBD_RECEIVE, TSMBD_PARSE, came);
}

/*
 * A request that nothing was known of has run for so many nanoseconds. If it
 * waited for the cluster meanwhile, its beginning has been accounted already.
 * Returns the time.
 */
GLOBAL __u64 request_ran(struct tsmbd_process *p, __u64 req, __u64 elapsed,
			 __u32 next)
{
	__u64 now, start, vfs_ns, lock_ns;

	if (!p)
		return 0;
	now = time_of(p);
	start = now - elapsed;
	vfs_ns = p->vfs_ns;
	lock_ns = p->lock_ns;
	reply_settle(p, req, start);
	if (start > p->last) {
		account_packet(p, start);
		account_until(p, p->phase, TSMBD_RUN, start);
	}
	if (p->current && p->current != req) {
		/* its calls were counted when it began to wait */
		p->vfs_ns = 0;
		p->lock_ns = 0;
		request_park(p, p->last);
		p->vfs_ns = vfs_ns;
		p->lock_ns = lock_ns;
	}
	p->current = req;
	p->client = 1;
	account_until(p, TSMBD_RUN, next, now);
	p->run_ns = elapsed > p->ctdb_ns ? elapsed - p->ctdb_ns : 0;
	return now;
}

/*
 * A request that waited ends in the handler of an event, whose time belongs to
 * the request. If another request is still current, smbd has left it because
 * its I/O is in a thread, and the time up to now belongs to that one. If a
 * packet has come, what runs is its request, which ends this one.
 */
GLOBAL __u64 request_leave(struct tsmbd_process *p, __u64 req,
			   struct tsmbd_request *r)
{
	__u64 now, ran;
	bool is_other;

	if (!p)
		return 0;
	is_other = p->phase == TSMBD_PARSE;
	now = time_of(p);
	account_packet(p, now);
	account_until(p, is_other || p->phase == TSMBD_OTHER ?
		      TSMBD_RUN : p->phase, TSMBD_SEND, now);
	reply_settle(p, req, now);
	if (is_other) {
		p->run_ns = 0;
		return now;
	}
	if (p->current && p->current != req) {
		request_park(p, now);
		return now;
	}
	if (r) {
		request_collect(p, r);
		/* an open that was withdrawn has not been resumed */
		ran = r->deferred + p->run_ns + p->ctdb_ns;
		if (r->deferred && !p->current && now > ran)
			r->oplock_ns += now - ran;
	}
	process_runs(p, 0);
	return now;
}

#endif /* RUN_BPF_H */
