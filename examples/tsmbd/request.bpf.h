/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request.bpf.h - the life of a request, from its dispatch to its end.
 */
#ifndef REQUEST_BPF_H
#define REQUEST_BPF_H

/* Takes over what the process has counted for the request that ran. */
static __always_inline void request_collect(struct tsmbd_process *p,
					    struct tsmbd_request *r)
{
	r->run_ns += p->run_ns;
	r->ctdb_ns += p->ctdb_ns;
	r->vfs_ns += p->vfs_ns;
	r->lock_ns += p->lock_ns;
}

/* What follows is for this request, or for none. */
static __always_inline void process_runs(struct tsmbd_process *p, __u64 req)
{
	p->current = req;
	p->opcode = TSMBD_UNKNOWN;
	p->run_ns = 0;
	p->ctdb_ns = 0;
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
static __always_inline void cancel_end(struct tsmbd_process *p, __u64 now)
{
	struct tsmbd_request r = {
		.start = p->cancel,
		.end = now,
		.bytes_in = p->cancel_bytes,
	};

	if (!p->cancel)
		return;
	request_collect(p, &r);
	p->cancel = 0;
	p->requests++;
	p->request_ns += r.end - r.start;
	count_time(TSMBD_CANCEL, &r, 0, false);
	process_runs(p, 0);
}

/* The process has nothing to do, whatever has become of the request. */
static __always_inline void wait_begin(struct tsmbd_process *p)
{
	/* of what came no request has begun: more of it is to come */
	__u32 phase = p->phase == TSMBD_PARSE ? TSMBD_RECEIVE : p->phase;
	__u64 now = account(p, phase, TSMBD_WAIT);

	cancel_end(p, now);
	request_park(p, now);
}

static __always_inline void wait_end(struct tsmbd_process *p)
{
	account(p, p->phase, TSMBD_OTHER);
	p->events++;
}

/* A line of --slow, if it was; its reply was sent, or given up, at to. */
static __noinline void request_log(struct tsmbd_process *p,
				   struct tsmbd_request_key *key,
				   struct tsmbd_request *r, __u64 to)
{
	struct tsmbd_slow_event *e;
	struct tsmbd_detail *d;

	if (to - r->start < slow_ns)
		return;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(TSMBD_LOST_LINES);
		return;
	}
	e->event.kind = TSMBD_EVENT_SLOW;
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
	bpf_ringbuf_submit(e, 0);
}

/* --slow: the request has ended, and at last its reply is sent. */
static __always_inline void reply_done(struct tsmbd_process *p,
				       struct tsmbd_request_key *key, __u64 to)
{
	struct tsmbd_request *r = request_find(p, key);

	if (!r || !r->end)	/* an interim response, or a break */
		return;
	request_log(p, key, r, to ? to : r->end);
	detail_drop(key, r);
	request_forget(p, key);
}

SEC("usdt")
int request_start(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_WAIT);
	__u64 opcode = argument(ctx, 1);
	__u64 req = argument(ctx, 2);
	__u64 bytes = argument(ctx, 10);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;
	__u64 now;

	if (!p)
		return 0;
	now = account(p, p->phase, TSMBD_RUN);
	cancel_end(p, now);
	p->client = 1;
	p->bytes_in += bytes;
	if (p->current && p->current != req)
		request_park(p, now);
	/* an element of a compound, whose reply is not sent yet */
	if (modes & TSMBD_SLOW)
		reply_done(p, &key, 0);
	/* one that has ended without a probe had this address */
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
	r->opcode = opcode;
	r->xconn = argument(ctx, 3);
	r->bytes_in = bytes;
	return 0;
}

/* When a CLOSE ends, its file has no name any more. */
SEC("usdt")
int close_start(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);
	struct tsmbd_request_key key = request_key(argument(ctx, 1));
	struct tsmbd_request *r;
	struct tsmbd_detail *d;

	if (!p)
		return 0;
	r = request_find(p, &key);
	d = r ? detail_get(&key, r) : NULL;
	if (d)
		read_text(ctx, 2, d->file);
	return 0;
}

/* Only an open that waited for an oplock or a share mode is resumed. */
SEC("usdt")
int request_resume(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);
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
	struct tsmbd_process *p = process_get(TSMBD_RUN);

	if (p && p->cancel)
		cancel_end(p, account(p, p->phase, TSMBD_OTHER));
	return 0;
}

/*
 * A request that waited ends in the handler of some event: what that took was
 * for the request. If another one is still current, smbd has left that, as its
 * I/O is in a thread: the time up to now was that one's.
 */
static __always_inline __u64 request_leave(struct tsmbd_process *p, __u64 req,
					   struct tsmbd_request *r)
{
	__u64 now = account(p, p->phase == TSMBD_OTHER ? TSMBD_RUN : p->phase,
			    TSMBD_SEND);

	if (p->current == req)
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

/* [MS-SMB2] 2.2.19 and 2.2.21: a READ and a WRITE begin alike. */
static __always_inline void read_range(struct pt_regs *ctx,
				       struct tsmbd_detail *d)
{
	unsigned char body[16] = { 0 };
	int i;

	bpf_probe_read_user(body, sizeof(body),
			    (const void *)argument(ctx, 11));
	for (i = 7; i >= 4; i--)
		d->length = d->length << 8 | body[i];
	for (i = 15; i >= 8; i--)
		d->offset = d->offset << 8 | body[i];
}

/* For the line that may be printed when the reply has been sent. */
static __always_inline void detail_end(struct pt_regs *ctx,
				       struct tsmbd_request_key *key,
				       struct tsmbd_request *r)
{
	struct tsmbd_detail *d = detail_get(key, r);

	if (!d)
		return;
	read_text(ctx, 7, d->share);
	if (!d->file[0])
		read_text(ctx, 8, d->file);
	read_text(ctx, 10, d->user);
	if (r->opcode == TSMBD_READ || r->opcode == TSMBD_WRITE)
		read_range(ctx, d);
}

static __always_inline void top_end(struct pt_regs *ctx,
				    struct tsmbd_request_key *key,
				    struct tsmbd_request *r, __u64 bytes)
{
	char name[TSMBD_NAME] = { 0 };
	struct tsmbd_detail *d;

	d = top_by == TSMBD_FILES ? detail_find(key, r) : NULL;
	if (d)
		bpf_probe_read_kernel_str(name, sizeof(name), d->file);
	else
		read_text(ctx, top_by == TSMBD_USERS ? 10 :
			  top_by == TSMBD_SHARES ? 7 : 8, name);
	count_top(name, bytes, r->end - r->start);
}

SEC("usdt")
int request_end(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);
	__u64 code = argument(ctx, 1);
	__u32 status = argument(ctx, 2);
	__u64 req = argument(ctx, 3);
	__u64 bytes_out = argument(ctx, 4);
	__u32 opcode = code < TSMBD_UNKNOWN ? code : TSMBD_UNKNOWN;
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
	p->requests++;
	p->request_ns += now - r->start;
	p->bytes_out += bytes_out;
	count_time(opcode, r, bytes_out, status != 0);
	if (status != 0)
		count_error(opcode, status);
	if (modes & TSMBD_SLOW)
		detail_end(ctx, &key, r);
	if (top_by > TSMBD_CLIENTS)
		top_end(ctx, &key, r, r->bytes_in + bytes_out);
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
