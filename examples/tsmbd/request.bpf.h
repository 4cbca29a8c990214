/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request.bpf.h - the life of a request, from its dispatch to its end.
 */
#ifndef REQUEST_BPF_H
#define REQUEST_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>

#include "argument.bpf.h"
#include "count.bpf.h"
#include "event.bpf.h"
#include "keep.bpf.h"
#include "names.bpf.h"
#include "state.bpf.h"
#include "tsmbd.h"
#include "waits.bpf.h"

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
 * now on. smbd says so a few microseconds earlier (request_suspend), which is
 * not worth a hit.
 */
static __always_inline void request_park(struct tsmbd_process *p, __u64 now)
{
	struct tsmbd_request_key key = request_key(p->current);
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
static __noinline void cancel_end(struct tsmbd_process *p, __u64 now)
{
	struct tsmbd_request r = {
		.opcode = TSMBD_CANCEL,
		.start = p->cancel,
		.end = now,
		.bytes_in = p->cancel_bytes,
	};
	struct ended e = { .r = &r, .bank = bank & 1 };

	request_collect(p, &r);
	p->cancel = 0;
	process_runs(p, 0);
	if (!is_counted(p, TSMBD_CANCEL, NULL))
		return;
	ended_times(&e);
	count_ended(p, &e);
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
}

static __always_inline void wait_end(struct tsmbd_process *p)
{
	account(p, p->phase, TSMBD_OTHER);
	p->events++;
}

/* A line of --slow or --errors. */
static __noinline void request_log(struct tsmbd_process *p,
				   struct tsmbd_request_key *key,
				   struct tsmbd_request *r, __u64 to)
{
	struct tsmbd_request_event *e;
	struct tsmbd_detail *d;

	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(TSMBD_LOST_LINES);
		return;
	}
	e->event.kind = r->slow ? TSMBD_EVENT_SLOW : TSMBD_EVENT_ERROR;
	e->event.pid = key->pid;
	e->event.time = to;
	__builtin_memcpy(e->event.remote, p->remote, sizeof(p->remote));
	e->request = *r;
	e->request.send_ns = to - r->end;
	d = detail_find(key, r);
	if (d)
		bpf_probe_read_kernel(&e->detail, sizeof(*d), d);
	else
		e->detail = no_detail;
	bpf_ringbuf_submit(e, event_wakes());
}

/* The wait of a CHANGE_NOTIFY is not slow: see ended_times(). */
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

/* Notes what only the lines of --slow, --errors and --exit need. */
static __always_inline void request_mark(struct pt_regs *ctx,
					 struct tsmbd_request *r)
{
	if (modes & TSMBD_SLOW)
		r->xconn = argument(ctx, 3);
	if (modes & (TSMBD_LINES | TSMBD_EXITS)) {
		r->mid = argument(ctx, 0);
		r->session = argument(ctx, 4);
	}
}

SEC("usdt")
int request_start(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_turns(TSMBD_WAIT);
	__u64 opcode = argument(ctx, 1);
	__u64 req = argument(ctx, 2);
	__u64 bytes = argument(ctx, 10);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;
	__u64 now;

	if (!p)
		return 0;
	now = account(p, p->phase, TSMBD_RUN);
	if (p->cancel)
		cancel_end(p, now);
	p->client = 1;
	if (p->current && p->current != req)
		request_park(p, now);
	/* an element of a compound, whose reply is not sent yet */
	if (modes & TSMBD_SLOW)
		reply_done(p, &key, 0);
	/* a request that has ended without a probe had this address */
	request_forget(p, &key);
	process_runs(p, req);
	p->opcode = opcode < TSMBD_UNKNOWN ? opcode : TSMBD_UNKNOWN;
	if (opcode == TSMBD_CANCEL) {
		p->cancel = now;
		p->cancel_bytes = bytes;
		return 0;
	}
	r = request_new(p, &key, opcode);
	if (!r)
		return 0;
	r->start = now;
	r->opcode = p->opcode;
	r->bytes_in = bytes;
	request_mark(ctx, r);
	return 0;
}

/* Only an open that waited for an oplock or a share mode is resumed. */
SEC("usdt")
int request_resume(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_turns(TSMBD_OTHER);
	__u64 req = argument(ctx, 2);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;
	__u64 now;

	if (!p)
		return 0;
	now = account(p, p->phase, TSMBD_RUN);
	request_park(p, now);
	process_runs(p, req);
	r = request_find(p, &key);
	if (!r)
		return 0;
	p->opcode = r->opcode;
	if (r->deferred) {
		r->oplock_ns += now - r->deferred;
		r->deferred = 0;
	}
	return 0;
}

SEC("usdt")
int request_cancel(void *ctx)
{
	struct tsmbd_process *p = process_turns(TSMBD_RUN);

	if (p && p->cancel)
		cancel_end(p, account(p, p->phase, TSMBD_OTHER));
	return 0;
}

/*
 * A request that waited ends in the handler of an event, whose time belongs to
 * the request. If another request is still current, smbd has left it because
 * its I/O is in a thread, and the time up to now belongs to that one.
 */
static __always_inline __u64 request_leave(struct tsmbd_process *p, __u64 req,
					   struct tsmbd_request *r)
{
	__u64 now = account(p, p->phase == TSMBD_OTHER ? TSMBD_RUN : p->phase,
			    TSMBD_SEND);

	if (p->current == req && p->cancel)
		cancel_end(p, now);	/* a CANCEL that is rejected */
	if (p->current && p->current != req) {
		request_park(p, now);
		return now;
	}
	if (r) {
		request_collect(p, r);
		/* an open that was withdrawn has not been resumed */
		if (r->deferred && !p->current)
			r->oplock_ns += now - r->deferred - p->run_ns -
					p->ctdb_ns;
	}
	process_runs(p, 0);
	return now;
}

/* An estimate: files closed by LOGOFF or TREE_DISCONNECT are not reported. */
static __always_inline void count_opens(struct tsmbd_process *p,
					const struct tsmbd_request *r)
{
	if (r->status)
		return;
	if (r->opcode == TSMBD_CREATE)
		p->opens++;
	else if (r->opcode == TSMBD_CLOSE && p->opens > 0)
		p->opens--;
}

/* Which names have to be read of a request that has ended. */
static __always_inline __u32 names_of(const struct tsmbd_request *r)
{
	__u32 all = 1 << TSMBD_USERS | 1 << TSMBD_SHARES | 1 << TSMBD_FILES;

	if (modes & TSMBD_ERRORS && tsmbd_is_failure(r->opcode, r->status))
		return all;
	if (modes & TSMBD_OPLOCKS && r->oplock_ns)
		return all;
	return names;
}

static __noinline void request_count(struct pt_regs *ctx,
				     struct tsmbd_process *p,
				     struct tsmbd_request_key *key,
				     struct tsmbd_request *r)
{
	struct ended e = {
		.r = r,
		.bank = bank & 1,
		.failed = tsmbd_is_failure(r->opcode, r->status),
	};
	__u32 what = names_of(r);

	r->bytes_out = argument(ctx, 4);
	if (what)
		e.d = names_read(ctx, key, r, what);
	count_opens(p, r);
	if (!is_counted(p, r->opcode, e.d)) {
		r->filtered = 1;
		return;
	}
	ended_times(&e);
	count_ended(p, &e);
	if (modes & TSMBD_OPLOCKS && r->oplock_ns)
		wait_count(p, &e);
	if (modes & TSMBD_ERRORS && e.failed)
		request_log(p, key, r, r->end);
}

SEC("usdt")
int request_end(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_turns(TSMBD_RUN);
	__u32 status = argument(ctx, 2);
	__u64 req = argument(ctx, 3);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;
	__u64 now;

	if (!p)
		return 0;
	r = request_find(p, &key);
	now = request_leave(p, req, r);
	p->client = 1;
	if (!r || r->end)	/* it began before the tracing */
		return 0;
	r->end = now;
	r->status = status;
	if (r->opcode < TSMBD_OPS)	/* always true; the verifier wants it */
		request_count(ctx, p, &key, r);
	if (!(modes & TSMBD_SLOW)) {
		detail_drop(&key, r);
		request_forget(p, &key);
	}
	return 0;
}

SEC("usdt")
int pdu_sent(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_SEND);
	struct tsmbd_request_key key = request_key(argument(ctx, 1));

	if (p)
		reply_done(p, &key, bpf_ktime_get_ns());
	return 0;
}

#endif /* REQUEST_BPF_H */
