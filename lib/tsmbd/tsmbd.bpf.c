/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsmbd.bpf.c - runs in the kernel when smbd receives, sends or waits, and at
 * each hit of its probes.
 *
 * One request, as its process passes through the phases:
 *
 *	epoll_wait() returns		wait -> other
 *	recvmsg() returns		other, which was receive -> parse
 *	sendmsg() returns		parse, which was run in the end -> send
 *	epoll_wait() begins		send -> wait
 *
 * By the time that the reply is sent smbd has noted that the request has ended,
 * and for how long it ran (notes.bpf.h). One that waits, as for a thread, has
 * been noted before.
 *
 * Not all probes that exist are attached, because each hit costs smbd as much
 * as a long system call: half a microsecond, and several if nothing is in a
 * cache. Where the kernel has a raw tracepoint or a function that tells the same,
 * it is used instead, for a tenth of that: to tell when smbd waits for events
 * (calls.bpf.h), and what a handler did that neither began nor ended a request,
 * because only a part of a large packet came or went.
 */
#include <stdbool.h>
#include <stddef.h>
#include <asm-generic/errno-base.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

#include "tsmbd.h"
#include "hash.h"
#include "argument.bpf.h"
#include "state.bpf.h"
#include "event.bpf.h"
#include "keep.bpf.h"
#include "notes.bpf.h"
#include "names.bpf.h"
#include "count.bpf.h"
#include "waits.bpf.h"
#include "limits.bpf.h"
#include "run.bpf.h"
#include "io.bpf.h"
#include "request.bpf.h"
#include "take.bpf.h"
#include "hits.bpf.h"
#include "calls.bpf.h"
#include "log.bpf.h"
#include "sample.bpf.h"

/* These two are used if the kernel has no tracepoints of system calls. */
PROBE(idle_begin)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (p)
		wait_begin(p);
}

PROBE(idle_end)
{
	struct tsmbd_process *p = process_get(TSMBD_WAIT);

	if (p)
		wait_end(p);
}

PROBE(client_start)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (!p)
		return;
	p->client = 1;
	p->client_id = 0;
	__builtin_memset(p->remote, 0, sizeof(p->remote));
	bpf_probe_read_user_str(p->remote, sizeof(p->remote), pointer(ctx, 1));
}

PROBE(session_start)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);
	struct tsmbd_request_key key = request_key(argument(ctx, 0));
	__u32 none = 0;
	long error;

	if (!p)
		return;
	error = bpf_map_update_elem(&sessions, &key, &none, BPF_NOEXIST);
	if (!error)
		p->sessions++;
	else if (error != -EEXIST)
		lose(TSMBD_LOST_SESSIONS);
}

/*
 * Without a session no file is open, however it was closed. One that nobody
 * could log on to ends as well, and has not begun.
 */
PROBE(session_end)
{
	struct tsmbd_process *p = process_get(TSMBD_RUN);
	struct tsmbd_request_key key = request_key(argument(ctx, 0));

	if (!p || bpf_map_delete_elem(&sessions, &key) || p->sessions == 0)
		return;
	p->sessions--;
	if (p->sessions == 0)
		p->opens = 0;
}

/* Renames the slice of time that wait_end() began. */
static __always_inline void handler_is(struct tsmbd_process *p, __u32 phase)
{
	if (p && p->phase == TSMBD_OTHER)
		p->phase = phase;
}

/* The length of a packet, in front of it. More is to come. */
enum { FRAME = 4 };

/* smbd talks to itself and to others on sockets that are not a client's. */
static __always_inline struct tsmbd_process *
process_of_client(const struct sock *sock)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_process *p;
	__u32 pid = id >> 32;
	__u16 family = sock->__sk_common.skc_family;

	if (!began || pid != (__u32)id ||
	    (family != TSMBD_INET && family != TSMBD_INET6))
		return NULL;
	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p || p->dead)
		return NULL;
	notes_take(p);
	return p->phase != TSMBD_RUN ? p : NULL;
}

/*
 * A part of a packet is here. What follows is parsing if it was the last one,
 * as its request will tell, and receiving if wait_begin() comes first.
 */
static __always_inline void packet_came(struct tsmbd_process *p, __u32 next)
{
	__u32 phase = p->phase;

	if (phase == TSMBD_PHASES || phase == TSMBD_WAIT) {
		phase = TSMBD_WAIT;	/* since before the tracing */
		p->events++;
	} else if (phase == TSMBD_PARSE && next == TSMBD_PARSE) {
		/* or a request runs that reads its data itself */
		p->came = bpf_ktime_get_ns();
		return;
	} else if (phase == TSMBD_OTHER || phase == TSMBD_PARSE) {
		phase = TSMBD_RECEIVE;
	} else if (phase != TSMBD_RECEIVE && phase != TSMBD_SEND) {
		return;
	}
	account(p, phase, next);
}

SEC("tp_btf/sock_recv_length")
int socket_receives(__u64 *ctx)
{
	struct tsmbd_process *p = process_of_client((void *)ctx[0]);
	int length = ctx[1];

	if (!p)
		return 0;
	if (length == FRAME && p->phase == TSMBD_OTHER) {
		p->phase = TSMBD_RECEIVE;	/* it needs no clock */
		return 0;
	}
	/* none: the client has gone, or there was nothing */
	packet_came(p, length > 0 ? TSMBD_PARSE : TSMBD_OTHER);
	return 0;
}

SEC("tp_btf/sock_send_length")
int socket_sends(__u64 *ctx)
{
	handler_is(process_of_client((void *)ctx[0]), TSMBD_SEND);
	return 0;
}

/* These three are used if the kernel has no tracepoints of sockets. */
PROBE(recv_start)
{
	handler_is(process_get(TSMBD_WAIT), TSMBD_RECEIVE);
}

PROBE(pdu_received)
{
	struct tsmbd_process *p = process_get(TSMBD_WAIT);

	if (p)
		packet_came(p, TSMBD_PARSE);
}

PROBE(send_done)
{
	handler_is(process_get(TSMBD_OTHER), TSMBD_SEND);
}

PROBE(ctdb_request)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);

	if (p)
		p->ctdb_requests++;
}

/* The command takes dead processes out of the map, with their requests. */
static __always_inline void process_ends(void)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_process *p;
	__u32 pid = id >> 32;
	__u64 now;

	if (!began || (__u32)id != pid)
		return;
	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p && modes & TSMBD_EXITS)
		log_child_death();
	if (!p || p->dead)
		return;
	calls_take(p, entered_find());
	now = account(p, p->phase, TSMBD_OTHER);
	if (p->cancel)
		cancel_end(p, now);
	reply_settle(p, 0, now);
	if (modes & TSMBD_EXITS)
		log_death(p);
	p->dead = 1;
	__sync_fetch_and_add(&deaths, 1);
}

/* At the exit of each thread. */
SEC("raw_tp/sched_process_exit")
int process_exit(void *ctx)
{
	process_ends();
	entered_drop();
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
