/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * log.bpf.h - rare events that get a line each: the end of a connection or a
 * process, and the steps of a broken oplock.
 */
#ifndef LOG_BPF_H
#define LOG_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "argument.bpf.h"
#include "event.bpf.h"
#include "keep.bpf.h"
#include "notes.bpf.h"
#include "request.bpf.h"
#include "state.bpf.h"
#include "take.bpf.h"
#include "tsmbd.h"

enum { TERM = 15 };	/* as in <signal.h>, which BPF cannot include */

static __always_inline void read_text(char text[TSMBD_NAME], const void *from)
{
	bpf_probe_read_user_str(text, TSMBD_NAME, from);
}

/* The numbers of the arguments of a probe that gives a reason for an end. */
struct end_probe {
	int remote;
	int reason;
	int location;			/* or -1 */
};

static __always_inline void log_end(struct pt_regs *ctx, __u32 kind, __u64 how,
				    struct end_probe at)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct tsmbd_text_event *e;

	touch(pointer(ctx, at.reason));
	if (at.location >= 0)
		touch(pointer(ctx, at.location));
	if (!process_noted(TSMBD_OTHER))
		return;
	e = text_event(kind);
	if (!e)
		return;
	e->event.number[0] = how;
	bpf_probe_read_user_str(e->event.remote, sizeof(e->event.remote),
				pointer(ctx, at.remote));
	read_text(e->text, pointer(ctx, at.reason));
	if (at.location >= 0)
		read_text(e->location, pointer(ctx, at.location));
	e->parent = BPF_CORE_READ(task, real_parent, tgid);
	e->frames = bpf_get_stack(ctx, e->stack, sizeof(e->stack),
				  BPF_F_USER_STACK);
	bpf_ringbuf_submit(e, event_wakes());
}

/* The three probes of --exit have one program, as the probes of hits.bpf.h. */
PROBE(ending_hit)
{
	struct end_probe at = { 0, 1, 2 };
	__u32 kind = TSMBD_EVENT_DISCONNECT;
	enum tsmbd_hit hit = hit_of(ctx);
	struct tsmbd_process *p;
	__u64 how = 0;

	if (hit == TSMBD_HIT_TERMINATE) {
		kind = TSMBD_EVENT_TERMINATE;
		at = (struct end_probe){ 1, 2, 3 };
	} else if (hit == TSMBD_HIT_EXIT) {
		kind = TSMBD_EVENT_EXIT;
		at = (struct end_probe){ 2, 1, -1 };
		how = (int)argument(ctx, 0);
		p = process_get(TSMBD_OTHER);
		if (p)
			p->said = 1;
	}
	log_end(ctx, kind, how, at);
}

static const __u32 SMB2_MAGIC = 0x424d53fe;	/* 0xfe "SMB" */

/*
 * Looks what the current process runs. One that has not ended any request since
 * the tracing notes it where those do that were forked by the same process.
 */
static __noinline void running_look(struct tsmbd_process *p)
{
	__u64 at = notes_of(p);
	struct tsmbd_running *running = &p->running;
	struct noted noted = { NULL, 0 };
	struct header header;
	__u32 magic = 0;

	if (!at || bpf_probe_read_user(&noted, sizeof(noted), (void *)at))
		return;
	running->since = 0;
	bpf_probe_read_user(&magic, sizeof(magic), noted.header);
	if (!noted.header || magic != SMB2_MAGIC)
		return;
	header = header_read((__u64)noted.header);
	running->opcode = number_of(header.opcode, 2);
	running->mid = mid_of(&header);
	running->session = session_of(p, &header);
	running->since = noted.since;
}

/* Before Linux 6.16, the memory of a process is gone when it has ended. */
SEC("raw_tp/signal_deliver")
int signal_comes(void *ctx)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_process *p;
	__u32 pid = id >> 32;

	p = bpf_map_lookup_elem(&processes, &pid);
	if (began && p && pid == (__u32)id)
		running_look(p);
	return 0;
}

/* Returns the request that has been waiting for longest, or NULL. */
static __always_inline struct tsmbd_request *
oldest_request(struct tsmbd_process *p)
{
	struct tsmbd_request *oldest = NULL;
	int i;

	for (i = 0; i < TSMBD_KEPT; i++) {
		struct tsmbd_request *r = &p->request[i];

		if (p->kept[i] && !r->end &&
		    (!oldest || r->start < oldest->start))
			oldest = r;
	}
	return oldest;
}

/*
 * Whether the end is expected: the status is 0, or a probe has told the reason.
 */
static __always_inline bool is_told(const struct tsmbd_process *p, __u32 code)
{
	__u32 signal = code & 0x7f;

	return code == 0 || (p->said && (signal == 0 || signal == TERM));
}

static __always_inline void running_is(struct tsmbd_request *r,
				       const struct tsmbd_running *running)
{
	r->opcode = running->opcode < TSMBD_UNKNOWN ? running->opcode :
		TSMBD_UNKNOWN;
	r->start = running->since;
	r->mid = running->mid;
	r->session = running->session;
}

/*
 * Logs a process that a signal has ended, or that exits with an error for which
 * no probe has fired; and the request that ran or, mostly in a thread, waited.
 */
static __noinline void log_death(struct tsmbd_process *p)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct tsmbd_request_key key = request_key(p->current);
	__u32 code = BPF_CORE_READ(task, exit_code);
	struct tsmbd_request_event *e;
	struct tsmbd_request *r;
	bool waits = false;

	if (is_told(p, code))
		return;
	running_look(p);
	r = p->current ? request_find(p, &key) : NULL;
	if (!r && !p->running.since) {
		r = oldest_request(p);
		waits = r != NULL;
	}
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(TSMBD_LOST_LINES);
		return;
	}
	event_fill(&e->event, TSMBD_EVENT_KILLED);
	e->event.number[0] = code & 0x7f;
	e->event.number[1] = code >> 8 & 0xff;
	e->event.number[2] = r != NULL || p->running.since;
	e->event.number[3] = waits;
	e->request = r ? *r : no_request;
	if (!r && p->running.since)
		running_is(&e->request, &p->running);
	bpf_ringbuf_submit(e, event_wakes());
}

/*
 * Logs the death by a signal of a child that has hit no probe, such as those
 * that smbd forks for itself. The programs that it executes are not meant.
 */
static __noinline void log_child_death(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u32 signal = BPF_CORE_READ(task, exit_code) & 0x7f;
	__u32 parent = BPF_CORE_READ(task, real_parent, tgid);
	struct tsmbd_request_event *e;

	if (!signal || !bpf_map_lookup_elem(&processes, &parent) ||
	    BPF_CORE_READ(task, parent_exec_id) !=
	    BPF_CORE_READ(task, self_exec_id))
		return;
	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(TSMBD_LOST_LINES);
		return;
	}
	event_fill(&e->event, TSMBD_EVENT_KILLED);
	e->event.number[0] = signal;
	e->request = no_request;
	bpf_ringbuf_submit(e, event_wakes());
}

static __always_inline void log_file(__u32 kind, const void *file, __u64 a,
				     __u64 b)
{
	struct tsmbd_text_event *e;

	touch(file);
	if (!process_get(TSMBD_OTHER))
		return;
	e = text_event(kind);
	if (!e)
		return;
	e->event.number[0] = a;
	e->event.number[1] = b;
	read_text(e->text, file);
	bpf_ringbuf_submit(e, event_wakes());
}

PROBE(oplock_break)
{
	log_file(TSMBD_EVENT_OPLOCK_BREAK, pointer(ctx, 0), argument(ctx, 1),
		 argument(ctx, 3));
}

PROBE(lease_break)
{
	if (process_get(TSMBD_OTHER))
		log_numbers(TSMBD_EVENT_LEASE_BREAK, argument(ctx, 1),
			    argument(ctx, 2), argument(ctx, 3),
			    argument(ctx, 4));
}

PROBE(oplock_ack)
{
	log_file(TSMBD_EVENT_OPLOCK_ACK, pointer(ctx, 0), argument(ctx, 1),
		 argument(ctx, 2));
}

PROBE(lease_ack)
{
	if (process_get(TSMBD_OTHER))
		log_numbers(TSMBD_EVENT_LEASE_ACK, argument(ctx, 0),
			    argument(ctx, 1), argument(ctx, 2), 0);
}

PROBE(break_timeout)
{
	log_file(TSMBD_EVENT_TIMEOUT, pointer(ctx, 0), argument(ctx, 1), 0);
}

PROBE(open_retry)
{
	if (process_get(TSMBD_OTHER))
		log_numbers(TSMBD_EVENT_RETRY, argument(ctx, 1), 0, 0, 0);
}

#endif /* LOG_BPF_H */
