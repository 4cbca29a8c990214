/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * log.bpf.h - what is rare and gets a line of its own: ends, breaks.
 *
 * A line that does not fit into the ring buffer is counted as lost. The
 * numbers of an event are those of the probe, in the order of log.c.
 */
#ifndef LOG_BPF_H
#define LOG_BPF_H

static __always_inline void event_fill(struct tsmbd_event *e, __u32 kind)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32;
	struct tsmbd_process *p = bpf_map_lookup_elem(&processes, &pid);

	__builtin_memset(e, 0, sizeof(*e));
	e->kind = kind;
	e->pid = pid;
	e->time = bpf_ktime_get_ns();
	if (p)
		__builtin_memcpy(e->remote, p->remote, sizeof(p->remote));
}

static __always_inline void log_numbers(__u32 kind, __u64 a, __u64 b, __u64 c,
					__u64 d)
{
	struct tsmbd_event *e;

	if (!process_get(TSMBD_OTHER))
		return;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(TSMBD_LOST_LINES);
		return;
	}
	event_fill(e, kind);
	e->number[0] = a;
	e->number[1] = b;
	e->number[2] = c;
	e->number[3] = d;
	bpf_ringbuf_submit(e, 0);
}

static __always_inline struct tsmbd_text_event *text_event(__u32 kind)
{
	struct tsmbd_text_event *e;

	if (!process_get(TSMBD_OTHER))
		return NULL;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(TSMBD_LOST_LINES);
		return NULL;
	}
	event_fill(&e->event, kind);
	e->text[0] = 0;
	e->location[0] = 0;
	e->frames = 0;
	return e;
}

static __always_inline void log_end(void *ctx, __u32 kind, __u64 how,
				    const char *remote, const char *reason,
				    const char *location)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct tsmbd_text_event *e = text_event(kind);

	if (!e)
		return;
	e->event.number[0] = how;
	if (remote)
		bpf_probe_read_user_str(e->event.remote,
					sizeof(e->event.remote), remote);
	bpf_probe_read_user_str(e->text, sizeof(e->text), reason);
	if (location)
		bpf_probe_read_user_str(e->location, sizeof(e->location),
					location);
	e->parent = BPF_CORE_READ(task, real_parent, tgid);
	e->frames = bpf_get_stack(ctx, e->stack, sizeof(e->stack),
				  BPF_F_USER_STACK);
	bpf_ringbuf_submit(e, 0);
}

/*
 * A request may still end after this, but no reply is sent: --slow need not
 * wait for it. The command looks for those in the map.
 */
SEC("usdt")
int BPF_USDT(connection_end, __u64 xconn)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);
	__u64 now = bpf_ktime_get_ns();
	struct tsmbd_request_key key;
	struct tsmbd_request *r;
	int i;

	if (!p)
		return 0;
	for (i = 0; i < TSMBD_KEPT; i++) {
		r = &p->request[i];
		key = request_key(p->kept[i]);
		if (!key.req || r->xconn != xconn || !r->end)
			continue;
		request_log(p, &key, r, now);
		detail_drop(&key, r);
		p->kept[i] = 0;
	}
	if (p->elsewhere)
		log_numbers(TSMBD_EVENT_GONE, xconn, 0, 0, 0);
	return 0;
}

SEC("usdt")
int BPF_USDT(connection_terminate, void *xconn, const char *remote,
	     const char *reason, const char *location)
{
	log_end(ctx, TSMBD_EVENT_TERMINATE, 0, remote, reason, location);
	return 0;
}

SEC("usdt")
int BPF_USDT(disconnect_client, const char *remote, const char *reason,
	     const char *location)
{
	log_end(ctx, TSMBD_EVENT_DISCONNECT, 0, remote, reason, location);
	return 0;
}

SEC("usdt")
int BPF_USDT(process_end, int how, const char *reason, const char *remote)
{
	log_end(ctx, TSMBD_EVENT_EXIT, how, remote, reason, NULL);
	return 0;
}

SEC("usdt")
int BPF_USDT(break_request, __u64 inode, __u64 file, __u64 vnn, __u64 holder,
	     __u64 to)
{
	log_numbers(TSMBD_EVENT_BREAK_REQUEST, inode, file, holder, to);
	return 0;
}

SEC("usdt")
int BPF_USDT(break_received, __u64 inode, __u64 file, __u64 from, __u64 to)
{
	log_numbers(TSMBD_EVENT_BREAK_RECEIVED, inode, file, from, to);
	return 0;
}

static __always_inline void log_file(__u32 kind, const char *file, __u64 a,
				     __u64 b)
{
	struct tsmbd_text_event *e = text_event(kind);

	if (!e)
		return;
	e->event.number[0] = a;
	e->event.number[1] = b;
	bpf_probe_read_user_str(e->text, sizeof(e->text), file);
	bpf_ringbuf_submit(e, 0);
}

SEC("usdt")
int BPF_USDT(oplock_break, const char *file, __u64 fnum, __u64 session,
	     __u64 level)
{
	log_file(TSMBD_EVENT_OPLOCK_BREAK, file, fnum, level);
	return 0;
}

SEC("usdt")
int BPF_USDT(lease_break, const char *remote, __u64 key0, __u64 key1,
	     __u64 from, __u64 to)
{
	log_numbers(TSMBD_EVENT_LEASE_BREAK, key0, key1, from, to);
	return 0;
}

SEC("usdt")
int BPF_USDT(oplock_ack, const char *file, __u64 fnum, __u64 level)
{
	log_file(TSMBD_EVENT_OPLOCK_ACK, file, fnum, level);
	return 0;
}

SEC("usdt")
int BPF_USDT(lease_ack, __u64 key0, __u64 key1, __u64 state)
{
	log_numbers(TSMBD_EVENT_LEASE_ACK, key0, key1, state, 0);
	return 0;
}

SEC("usdt")
int BPF_USDT(break_timeout, const char *file, __u64 fnum)
{
	log_file(TSMBD_EVENT_TIMEOUT, file, fnum, 0);
	return 0;
}

SEC("usdt")
int BPF_USDT(open_defer, __u64 mid, __u64 req, __u64 inode, __u64 timeout)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);
	struct tsmbd_request_key key = request_key(req);
	struct tsmbd_request *r;

	r = p ? request_find(p, &key) : NULL;
	if (r)	/* from its end of running on: request_park() */
		r->deferred = p->last;
	if (modes & TSMBD_OPLOCKS)
		log_numbers(TSMBD_EVENT_DEFER, req, inode, timeout, 0);
	return 0;
}

SEC("usdt")
int BPF_USDT(open_retry, __u64 mid, __u64 req)
{
	log_numbers(TSMBD_EVENT_RETRY, req, 0, 0, 0);
	return 0;
}

#endif /* LOG_BPF_H */
