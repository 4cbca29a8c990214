/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.bpf.h - lines for the command.
 *
 * Waking the command would cost a process 1.4 us in the middle of its probe, so
 * the command is not woken until the ring buffer fills up: it looks by itself,
 * several times a second. A line that does not fit is counted as lost. No count in a
 * report depends on lines.
 */
#ifndef EVENT_BPF_H
#define EVENT_BPF_H

#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "state.bpf.h"
#include "tsmbd.h"

/* Flags for bpf_ringbuf_submit(). */
static __always_inline __u64 event_wakes(void)
{
	return bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) > wake_bytes ?
		BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

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

/* The numbers are those of the probe, in the order of log.c. */
static __noinline void log_numbers(__u32 kind, __u64 a, __u64 b, __u64 c,
				   __u64 d)
{
	struct tsmbd_event *e;

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
	bpf_ringbuf_submit(e, event_wakes());
}

static __always_inline struct tsmbd_text_event *text_event(__u32 kind)
{
	struct tsmbd_text_event *e;

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

#endif /* EVENT_BPF_H */
