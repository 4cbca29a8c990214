/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request.bpf.h - the life of a request, from its dispatch to its end.
 *
 * smbd notes its end, with the time that it took, and when it begins to wait
 * (take.bpf.h). One that makes no notes, as it was built before there were any,
 * makes a hit instead (request_done, request_suspend); so does each if the kernel
 * lacks what notes need, or if what runs has to be known meanwhile, for which
 * request_start is attached too: TSMBD_STARTS.
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
#include "io.bpf.h"
#include "keep.bpf.h"
#include "limits.bpf.h"
#include "names.bpf.h"
#include "run.bpf.h"
#include "state.bpf.h"
#include "tsmbd.h"
#include "waits.bpf.h"

/* Notes what only the lines of --slow, --errors and --exit need. */
static __always_inline void request_mark(struct tsmbd_process *p,
					 struct tsmbd_request *r, __u64 mid,
					 __u64 session)
{
	if (!(modes & (TSMBD_LINES | TSMBD_EXITS)))
		return;
	r->mid = mid;
	r->session = session;
	p->session = session;
}

PROBE(request_start)
{
	struct tsmbd_process *p = process_turns(TSMBD_WAIT);
	struct tsmbd_request_key key;
	struct tsmbd_request *r;
	__u64 opcode, req, bytes;
	__u64 words[HIT_WORDS];
	struct hit hit;
	__u64 now;

	if (!p)
		return;
	hit_read(&hit, words, ctx);
	opcode = hit_argument(&hit, 1);
	req = hit_argument(&hit, 2);
	bytes = hit_argument(&hit, 10);
	key = key_of(p, req);
	now = account(p, p->phase, TSMBD_RUN);
	if (p->cancel)
		cancel_end(p, now);
	p->client = 1;
	if (p->current && p->current != req)
		request_park(p, now);
	reply_settle(p, req, now);
	/* a request that has ended without a probe had this address */
	request_forget(p, &key);
	process_runs(p, req);
	p->opcode = opcode < TSMBD_UNKNOWN ? opcode : TSMBD_UNKNOWN;
	if (opcode == TSMBD_CANCEL) {
		p->cancel = now;
		p->cancel_bytes = bytes;
		return;
	}
	r = request_new(p, &key, opcode);
	if (!r)
		return;
	r->start = now;
	r->opcode = p->opcode;
	r->bytes_in = bytes;
	request_mark(p, r, hit_argument(&hit, 0), hit_argument(&hit, 4));
}

/*
 * Returns the request if it is known already, as it has waited. Another one may
 * have had the address, and ended without a probe: it began earlier.
 */
static __always_inline struct tsmbd_request *
request_known(struct tsmbd_process *p, struct tsmbd_request_key *key,
	      __u64 opcode, __u64 elapsed)
{
	struct tsmbd_request *r;

	if (p->replying == key->req)
		reply_settle(p, key->req, 0);
	r = request_find(p, key);
	if (!r || !r->start || !elapsed)
		return r;
	if (opcode > TSMBD_UNKNOWN)
		opcode = TSMBD_UNKNOWN;
	if (!r->end && r->opcode == opcode &&
	    time_of(p) - elapsed < r->start + MORE)
		return r;
	request_forget(p, key);
	return NULL;
}

/* It is new here, and began elapsed ago. NULL: that was before the tracing. */
static __always_inline struct tsmbd_request *
request_begun(struct tsmbd_process *p, struct tsmbd_request_key *key,
	      struct tsmbd_request *r, __u64 opcode, __u64 start)
{
	if (start < began) {
		request_forget(p, key);
		return NULL;
	}
	if (!r)
		r = request_new(p, key, opcode);
	if (!r)
		return NULL;
	r->start = start;
	r->opcode = opcode < TSMBD_UNKNOWN ? opcode : TSMBD_UNKNOWN;
	return r;
}

/* How large READs and WRITEs are is counted in the order of dispatch. */
static __always_inline void request_io(struct tsmbd_process *p,
				       struct tsmbd_request *r, __u64 fnum,
				       __u64 header)
{
	if (modes & TSMBD_SIZES && r->io == TSMBD_IO_UNKNOWN &&
	    (r->opcode == TSMBD_READ || r->opcode == TSMBD_WRITE))
		io_begin(p, r, fnum, header);
}

/* The request waits from now on: a hit of request_suspend, or a note of it. */
static __always_inline void request_waits(const struct hit *hit,
					  struct tsmbd_process *p)
{
	struct tsmbd_request_key key = key_of(p, hit_argument(hit, 2));
	__u64 opcode = hit_argument(hit, 1);
	__u64 elapsed = hit_argument(hit, 5);
	struct tsmbd_request *r;
	__u64 now;

	if (!elapsed)		/* it began before the tracing */
		return;
	r = request_known(p, &key, opcode, elapsed);
	if (!r || !r->start) {
		now = request_ran(p, key.req, elapsed, TSMBD_RUN);
		r = request_begun(p, &key, r, opcode, now - elapsed);
		if (r) {
			r->bytes_in = hit_argument(hit, 6);
			request_mark(p, r, hit_argument(hit, 0),
				     hit_argument(hit, 7));
			request_collect(p, r);
		}
		process_runs(p, key.req);
		p->opcode = opcode < TSMBD_UNKNOWN ? opcode : TSMBD_UNKNOWN;
	}
	if (p->rare)
		rare_suspend(p, r, &key, opcode, elapsed);
	if (r)
		request_io(p, r, hit_argument(hit, 8), hit_argument(hit, 9));
}

PROBE(request_suspend)
{
	struct tsmbd_process *p;
	__u64 words[HIT_WORDS];
	struct hit hit;

	hit_read(&hit, words, ctx);
	p = process_turns(hit_argument(&hit, 5) ? TSMBD_WAIT : TSMBD_RUN);
	if (p)
		request_waits(&hit, p);
}

/* A CANCEL that has run since elapsed, or that request_start has told of. */
static __always_inline void cancel_ran(struct tsmbd_process *p, __u64 req,
				       __u64 elapsed, __u64 bytes, __u32 next)
{
	__u64 now;

	if (p->cancel) {
		now = account(p, p->phase, next);
	} else if (elapsed) {
		now = request_ran(p, req, elapsed, next);
		if (now - elapsed >= began)
			p->cancel = now - elapsed;
		p->cancel_bytes = bytes;
	} else {
		return;
	}
	if (p->cancel)
		cancel_end(p, now);
	else
		process_runs(p, 0);
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

static __noinline void request_count(const struct hit *hit,
				     struct tsmbd_process *p,
				     struct tsmbd_request_key *key,
				     struct tsmbd_request *r)
{
	bool failed = tsmbd_is_failure(r->opcode, r->status);
	__u64 how = (bank & COUNT_BANK) | (failed ? COUNT_FAILED : 0);
	struct tsmbd_detail *d = NULL;
	__u32 what = names_of(r);

	r->bytes_out = hit_argument(hit, 5);
	if (r->opcode < TSMBD_CREATE)	/* users and shares come and go */
		p->generation++;
	if (what)
		d = names_read(hit, p, key, r, what);
	count_opens(p, r);
	if (!is_counted(p, r->opcode, d)) {
		r->filtered = 1;
		return;
	}
	count_ended(p, r, d, how);
	if (modes & TSMBD_OPLOCKS && r->oplock_ns)
		wait_count(p, r, d, how & COUNT_BANK);
	if (modes & TSMBD_ERRORS && failed)
		request_log(p, key, r, r->end);
}

/* It ends without a wait. Returns NULL if it began before the tracing. */
static __always_inline struct tsmbd_request *
request_at_once(struct tsmbd_process *p, struct tsmbd_request_key *key,
		struct tsmbd_request *r, __u64 opcode, __u64 elapsed)
{
	__u64 now;

	if (!elapsed) {
		request_leave(p, key->req, NULL);
		if (r)
			request_forget(p, key);
		return NULL;
	}
	now = request_ran(p, key->req, elapsed, TSMBD_SEND);
	r = request_begun(p, key, r, opcode, now - elapsed);
	if (r) {
		r->deferred = 0;
		r->end = now;
		request_collect(p, r);
	}
	process_runs(p, 0);
	return r;
}

/* Reads what only request_details has. */
static __always_inline void request_look(const struct hit *hit,
					 struct tsmbd_process *p,
					 struct tsmbd_request *r)
{
	__u64 at = hit_argument(hit, 9);
	__u64 running = hit_argument(hit, 11);
	struct header header;

	if (modes & (TSMBD_LINES | TSMBD_EXITS)) {
		header = header_read(at);
		request_mark(p, r, mid_of(&header), session_of(p, &header));
	}
	if (modes & (TSMBD_EXITS | TSMBD_SAMPLES) &&
	    p->running_at != running) {
		p->running_at = running;
		running_at = running;
	}
	if (!(modes & TSMBD_SIZES))
		return;
	if (!r->status)
		request_io(p, r, hit_argument(hit, 10), at);
	if (r->opcode == TSMBD_CLOSE)
		io_close(p, hit_argument(hit, 10));
}

/* A request has ended: a hit of request_summary, request_details, or a note. */
static __always_inline void request_ended(const struct hit *hit,
					  struct tsmbd_process *p)
{
	struct tsmbd_request_key key = key_of(p, hit_argument(hit, 2));
	__u64 opcode = hit_argument(hit, 0);
	__u64 elapsed = hit_argument(hit, 3);
	__u64 bytes = hit_argument(hit, 4);
	struct tsmbd_request *r;

	p->client = 1;
	if (opcode == TSMBD_CANCEL) {		/* it is rejected */
		cancel_ran(p, key.req, elapsed, bytes, TSMBD_SEND);
		return;
	}
	r = request_known(p, &key, opcode, elapsed);
	if (r && r->start) {
		r->end = request_leave(p, key.req, r);
		/* smbd reads its clock before the hit, which takes longer */
		if (elapsed)
			r->start = r->end - elapsed;
	} else {
		r = request_at_once(p, &key, r, opcode, elapsed);
	}
	if (p->rare)
		rare_take(p, r, opcode);
	if (!r)
		return;
	r->bytes_in = bytes;
	r->status = hit_argument(hit, 1);
	if (modes & TSMBD_DETAILS)
		request_look(hit, p, r);
	request_count(hit, p, &key, r);
	if (modes & TSMBD_SLOW && !is_late(p)) {
		p->replying = key.req;
		return;
	}
	if (modes & TSMBD_SLOW)		/* its reply was sent long ago */
		reply_end(p, &key, r, r->end);
	detail_drop(&key, r);
	request_forget(p, &key);
}

/* For request_summary, and for request_details, which has more arguments. */
PROBE(request_done)
{
	struct tsmbd_process *p;
	__u64 words[HIT_WORDS];
	struct hit hit;

	hit_read(&hit, words, ctx);
	p = process_turns(hit_argument(&hit, 3) ? TSMBD_WAIT : TSMBD_RUN);
	if (p)
		request_ended(&hit, p);
}

PROBE(pdu_sent)
{
	struct tsmbd_process *p = process_get(TSMBD_SEND);
	struct tsmbd_request_key key = request_key(argument(ctx, 1));

	if (p)
		reply_done(p, &key, bpf_ktime_get_ns());
}

#endif /* REQUEST_BPF_H */
