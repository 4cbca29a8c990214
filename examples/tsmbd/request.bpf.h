/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request.bpf.h - the life of a request, from its dispatch to its end.
 *
 * The key is (pid, req): a message id may be used twice. While a request
 * runs, the time it takes is kept in its process, and moves to the request
 * when that is suspended or ends.
 */
#ifndef REQUEST_BPF_H
#define REQUEST_BPF_H

static __always_inline struct tsmbd_request_key request_key(__u64 req)
{
	struct tsmbd_request_key key = {
		.req = req,
		.pid = bpf_get_current_pid_tgid() >> 32,
	};

	return key;
}

/* Takes over what the process has counted for the request that ran. */
static __always_inline void request_collect(struct tsmbd_process *p,
					    struct tsmbd_request *r)
{
	r->run_ns += p->run_ns;
	r->ctdb_ns += p->ctdb_ns;
	r->vfs_ns += p->vfs_ns;
	r->lock_ns += p->lock_ns;
}

static __always_inline void process_forget(struct tsmbd_process *p, __u64 req)
{
	p->current = req;
	p->run_ns = 0;
	p->ctdb_ns = 0;
	p->vfs_ns = 0;
	p->lock_ns = 0;
}

static __always_inline void count_time(__u32 opcode, struct tsmbd_request *r,
				       __u64 bytes_out, bool failed)
{
	struct tsmbd_op *op = bpf_map_lookup_elem(&ops, &opcode);
	__u64 ns = r->end - r->start;
	struct tsmbd_extreme *x;
	__u32 at;

	if (!op)
		return;
	add(&op->count, 1);
	add(&op->total_ns, ns);
	add(&op->run_ns, r->run_ns);
	add(&op->ctdb_ns, r->ctdb_ns);
	add(&op->oplock_ns, r->oplock_ns);
	add(&op->bytes_in, r->bytes_in);
	add(&op->bytes_out, bytes_out);
	add(&op->errors, failed);
	add(&op->slots[slot_of(ns / 1000)], 1);

	at = (bank & 1) * TSMBD_OPS + opcode;
	x = bpf_map_lookup_elem(&extremes, &at);
	if (!x)
		return;
	if (x->min == 0 || ns < x->min)
		x->min = ns;
	if (ns > x->max)
		x->max = ns;
}

static __always_inline void count_error(__u32 opcode, __u32 status)
{
	struct tsmbd_error_key key = { .opcode = opcode, .status = status };
	__u64 *count = bpf_map_lookup_elem(&errors, &key);
	__u64 none = 0;

	if (!count) {
		/* somebody else may have been faster: that is no failure */
		bpf_map_update_elem(&errors, &key, &none, BPF_NOEXIST);
		count = bpf_map_lookup_elem(&errors, &key);
	}
	if (count)
		__sync_fetch_and_add(count, 1);
	else
		lose(TSMBD_LOST_ERRORS);
}

static __always_inline void count_top(struct tsmbd_detail *d,
				      struct tsmbd_request *r, __u64 bytes)
{
	const char *name = top_by == TSMBD_USERS ? d->user :
		top_by == TSMBD_SHARES ? d->share : d->file;
	struct tsmbd_top_value *value = bpf_map_lookup_elem(&top, name);

	if (!value) {
		bpf_map_update_elem(&top, name, &no_top, BPF_NOEXIST);
		value = bpf_map_lookup_elem(&top, name);
	}
	if (!value) {
		lose(TSMBD_LOST_TOP);
		return;
	}
	add(&value->requests, 1);
	add(&value->bytes, bytes);
	add(&value->ns, r->end - r->start);
}

static __noinline void request_drop(struct tsmbd_request_key *key)
{
	bpf_map_delete_elem(&requests, key);
	if (modes & TSMBD_DETAIL)
		bpf_map_delete_elem(&details, key);
}

/* A line of --slow, if it was: to is when its reply was sent. */
static __always_inline void request_log(struct tsmbd_process *p,
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
	d = bpf_map_lookup_elem(&details, key);
	if (d)
		bpf_probe_read_kernel(&e->detail, sizeof(*d), d);
	else
		e->detail = no_detail;
	bpf_ringbuf_submit(e, 0);
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
		.bytes_in = p->pdu_bytes,
	};

	if (!p->cancel)
		return;
	request_collect(p, &r);
	p->cancel = 0;
	p->pdu_bytes = 0;
	p->requests++;
	p->request_ns += r.end - r.start;
	count_time(TSMBD_CANCEL, &r, 0, false);
	process_forget(p, 0);
}

SEC("usdt")
int request_start(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_PARSE);
	__u64 opcode = argument(ctx, 1);
	__u64 req = argument(ctx, 2);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;
	__u64 now;

	if (!p)
		return 0;
	now = account(p, p->phase, TSMBD_RUN);
	p->client = 1;
	process_forget(p, req);
	if (opcode == TSMBD_CANCEL) {
		p->cancel = now;
		return 0;
	}
	if (modes & TSMBD_SLOW) {
		/* an element of a compound, whose reply is not sent yet */
		r = bpf_map_lookup_elem(&requests, &key);
		if (r && r->end)
			request_log(p, &key, r, r->end);
	}
	if (modes & TSMBD_DETAIL)
		bpf_map_delete_elem(&details, &key);
	if (bpf_map_update_elem(&requests, &key, &no_request, BPF_ANY)) {
		lose(TSMBD_LOST_REQUESTS);
		return 0;
	}
	r = bpf_map_lookup_elem(&requests, &key);
	if (!r)
		return 0;
	r->start = now;
	r->opcode = opcode;
	r->xconn = argument(ctx, 3);
	r->bytes_in = p->pdu_bytes;
	p->pdu_bytes = 0;
	return 0;
}

SEC("usdt")
int BPF_USDT(request_exec, __u64 mid, __u64 opcode, __u64 req,
	     const char *share, const char *file, const char *user)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_detail *d;

	if (!p)
		return 0;
	if (bpf_map_update_elem(&details, &key, &no_detail, BPF_ANY)) {
		lose(TSMBD_LOST_DETAILS);
		return 0;
	}
	d = bpf_map_lookup_elem(&details, &key);
	if (!d)
		return 0;
	bpf_probe_read_user_str(d->share, sizeof(d->share), share);
	bpf_probe_read_user_str(d->file, sizeof(d->file), file);
	bpf_probe_read_user_str(d->user, sizeof(d->user), user);
	return 0;
}

/* read_start and write_start */
SEC("usdt")
int BPF_USDT(request_range, __u64 mid, __u64 req, const char *file,
	     __u64 offset, __u64 length)
{
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_detail *d = bpf_map_lookup_elem(&details, &key);

	if (!d)
		return 0;
	d->offset = offset;
	d->length = length;
	return 0;
}

SEC("usdt")
int request_suspend(struct pt_regs *ctx)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);
	__u64 req = argument(ctx, 2);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;
	__u64 now;

	if (!p)
		return 0;
	now = account(p, p->phase, TSMBD_OTHER);
	r = bpf_map_lookup_elem(&requests, &key);
	if (r) {
		request_collect(p, r);
		r->suspended = now;
	}
	process_forget(p, 0);
	return 0;
}

/* Only an open that waited for an oplock or a share mode is resumed. */
SEC("usdt")
int BPF_USDT(request_resume, __u64 mid, __u64 opcode, __u64 req)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;
	__u64 now;

	if (!p)
		return 0;
	now = account(p, p->phase, TSMBD_RUN);
	process_forget(p, req);
	r = bpf_map_lookup_elem(&requests, &key);
	if (r && r->suspended) {
		r->oplock_ns += now - r->suspended;
		r->suspended = 0;
	}
	return 0;
}

SEC("usdt")
int BPF_USDT(request_cancel, __u64 mid, __u64 async_id, __u64 req)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);

	if (p && p->cancel)
		cancel_end(p, account(p, p->phase, TSMBD_OTHER));
	return 0;
}

/*
 * A request that waited ends in the handler of some event: what that took
 * was for the request. One that ends inside another leaves that running.
 */
static __always_inline __u64 request_leave(struct tsmbd_process *p, __u64 req,
					   struct tsmbd_request *r)
{
	bool inside = p->current && p->current != req;
	__u64 now;

	if (inside)
		return account(p, p->phase, p->phase);
	now = account(p, p->phase == TSMBD_OTHER ? TSMBD_RUN : p->phase,
		      TSMBD_SEND);
	if (r)
		request_collect(p, r);
	process_forget(p, 0);
	return now;
}

static __always_inline void detail_end(struct pt_regs *ctx,
				       struct tsmbd_request_key *key,
				       struct tsmbd_request *r, __u64 bytes)
{
	struct tsmbd_detail *d = bpf_map_lookup_elem(&details, key);

	if (!d) {
		/* rejected before its handler ran */
		bpf_map_update_elem(&details, key, &no_detail, BPF_ANY);
		d = bpf_map_lookup_elem(&details, key);
	}
	if (!d) {
		lose(TSMBD_LOST_DETAILS);
		return;
	}
	/* a CREATE knows its file only now, a CLOSE does not any more */
	if (!d->share[0])
		bpf_probe_read_user_str(d->share, sizeof(d->share),
					(const void *)argument(ctx, 7));
	if (!d->file[0])
		bpf_probe_read_user_str(d->file, sizeof(d->file),
					(const void *)argument(ctx, 8));
	if (top_by > TSMBD_CLIENTS)
		count_top(d, r, bytes);
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
	r = bpf_map_lookup_elem(&requests, &key);
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
	if (modes & TSMBD_DETAIL)
		detail_end(ctx, &key, r, r->bytes_in + bytes_out);
	if (!(modes & TSMBD_SLOW))
		request_drop(&key);
	return 0;
}

SEC("usdt")
int BPF_USDT(pdu_sent, __u64 xconn, __u64 ctx_address)
{
	struct tsmbd_process *p = process_get(TSMBD_SEND);
	struct tsmbd_request_key key = request_key(ctx_address);
	struct tsmbd_request *r;

	if (!p)
		return 0;
	r = bpf_map_lookup_elem(&requests, &key);
	if (!r || !r->end)	/* an interim response, or a break */
		return 0;
	request_log(p, &key, r, bpf_ktime_get_ns());
	request_drop(&key);
	return 0;
}

#endif /* REQUEST_BPF_H */
