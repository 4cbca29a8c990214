/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waits.bpf.h - who waits for whom, from the steps of a broken oplock:
 *
 *	1659 break_request inode=0xb45fea holder=1658	asks for it
 *	1659 open_defer req=0x5593 inode=0xb45fea	and waits
 *	1658 break_received, oplock_break, oplock_ack
 *	1659 request_resume req=0x5593			waits no longer
 *
 * An open that is refused by a share mode is deferred as well, and nobody is
 * asked. A wait is counted when its request ends, together with the request:
 * so the table has the same times as the column of CREATE.
 *
 * In a cluster the holder has the number of its node, too, and no probe tells
 * that of this one: a process here that gets what another one here has sent to
 * a node shows that it is this one. Until then all holders are elsewhere: a
 * process here with the pid of one of them is not it.
 */
#ifndef WAITS_BPF_H
#define WAITS_BPF_H

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

static __always_inline bool is_here(__u32 node)
{
	return !node || node == local_node;
}

static __always_inline void ask(struct tsmbd_process *p, __u64 inode,
				__u64 share_file_id, __u32 node, __u32 holder)
{
	struct tsmbd_process *other = bpf_map_lookup_elem(&processes, &holder);
	struct tsmbd_asked *asked;

	asked = &p->asked[p->last_asked++ & (TSMBD_ASKED - 1)];
	asked->time = bpf_ktime_get_ns();
	asked->inode = inode;
	asked->share_file_id = share_file_id;
	asked->holder = holder;
	asked->node = node;
	asked->remote[0] = 0;
	/* a name for later: by then it is known whether the node is this one */
	if (other)
		bpf_probe_read_kernel(asked->remote, TSMBD_ADDRESS,
				      other->remote);
}

/*
 * Returns the ordinal of the holder that was asked last for this file (from 1),
 * or 0. It may have been asked for another open: smbd does not ask twice, and
 * gives up after the timeout.
 */
static __always_inline __u32 asked_for(const struct tsmbd_process *p,
				       __u64 inode, __u64 timeout_us)
{
	__u64 now = bpf_ktime_get_ns();
	__u64 last = 0;
	__u32 ordinal = 0;
	int i;

	for (i = 0; i < TSMBD_ASKED; i++) {
		const struct tsmbd_asked *asked = &p->asked[i];

		if (asked->time <= last || asked->inode != inode ||
		    asked->time + timeout_us * 1000 < now)
			continue;
		last = asked->time;
		ordinal = i + 1;
	}
	return ordinal;
}

/* The process that asked is here, and so is the one that was asked. */
static __always_inline void learn_node(__u32 from, __u64 inode,
				       __u64 share_file_id)
{
	const struct tsmbd_process *p = bpf_map_lookup_elem(&processes, &from);
	__u32 pid = bpf_get_current_pid_tgid() >> 32;
	int i;

	for (i = 0; p && i < TSMBD_ASKED; i++) {
		const struct tsmbd_asked *asked = &p->asked[i];

		if (asked->node && asked->node != local_node &&
		    asked->holder == pid && asked->inode == inode &&
		    asked->share_file_id == share_file_id)
			local_node = asked->node;
	}
}

static __always_inline void wait_log(const struct tsmbd_wait_key *key,
				     const struct tsmbd_wait *wait, __u64 ns)
{
	struct tsmbd_wait_event *e;

	e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	if (!e) {
		lose(TSMBD_LOST_LINES);
		return;
	}
	event_fill(&e->event, TSMBD_EVENT_WAITED);
	e->event.number[0] = ns;
	e->key = *key;
	bpf_probe_read_kernel(&e->wait, sizeof(e->wait), wait);
	bpf_ringbuf_submit(e, event_wakes());
}

/*
 * Sets the address of the holder, noted when it was asked: it may have ended.
 */
static __always_inline void holder_name(struct tsmbd_wait *wait,
					const struct tsmbd_process *p,
					const struct tsmbd_request *r)
{
	struct tsmbd_process *other;
	__u32 pid = r->holder;
	__u32 at = r->asked - 1;

	if (at < TSMBD_ASKED && p->asked[at].holder == r->holder &&
	    p->asked[at].node == r->node && p->asked[at].inode == r->inode) {
		bpf_probe_read_kernel(wait->holder, TSMBD_ADDRESS,
				      p->asked[at].remote);
		return;
	}
	/* another open has asked somebody else since, so that entry is gone */
	other = bpf_map_lookup_elem(&processes, &pid);
	if (other)
		bpf_probe_read_kernel(wait->holder, TSMBD_ADDRESS,
				      other->remote);
}

static __always_inline void wait_name(struct tsmbd_wait *wait,
				      const struct tsmbd_process *p,
				      const struct tsmbd_request *r,
				      const struct tsmbd_detail *d)
{
	bpf_probe_read_kernel(wait->remote, TSMBD_ADDRESS, p->remote);
	if (r->holder && is_here(r->node))
		holder_name(wait, p, r);
	if (!d)
		return;
	bpf_probe_read_kernel(wait->share, TSMBD_NAME, d->share);
	bpf_probe_read_kernel(wait->file, TSMBD_FILE, d->file);
	wait->raw = d->raw;
	wait->file_length = d->file_length;
}

/* d may be NULL. */
GLOBAL int wait_count(struct tsmbd_process *p, struct tsmbd_request *r,
		      struct tsmbd_detail *d, __u32 of_bank)
{
	struct tsmbd_wait_key key;
	struct tsmbd_wait *wait;
	__u64 ns;

	if (!p || !r)
		return 0;
	key = (struct tsmbd_wait_key){
		.inode = r->inode,
		.pid = bpf_get_current_pid_tgid() >> 32,
		.holder = r->holder,
		.node = is_here(r->node) ? 0 : r->node,
		.bank = of_bank,
	};
	ns = r->oplock_ns;
	if (d)
		key.hash = hash_both(d->hash[TSMBD_SHARES],
				     d->hash[TSMBD_FILES]);
	wait = bpf_map_lookup_elem(&waits, &key);
	if (!wait) {
		bpf_map_update_elem(&waits, &key, &no_wait, BPF_NOEXIST);
		wait = bpf_map_lookup_elem(&waits, &key);
		if (wait)
			wait_name(wait, p, r, d);
	}
	if (!wait) {
		lose(TSMBD_LOST_WAITS);
		return 0;
	}
	/* pid is in the key: nobody else writes here */
	wait->count++;
	wait->ns += ns;
	if (ns > wait->max)
		wait->max = ns;
	wait_log(&key, wait, ns);
	return 0;
}

PROBE(break_request)
{
	struct tsmbd_process *p = process_get(TSMBD_OTHER);
	__u64 inode = argument(ctx, 0);
	__u64 share_file_id = argument(ctx, 1);
	__u32 node = (__u32)argument(ctx, 2) + 1;	/* 0xffffffff: none */
	__u32 holder = argument(ctx, 3);

	if (!p)
		return;
	ask(p, inode, share_file_id, node, holder);
	log_numbers(TSMBD_EVENT_BREAK_REQUEST, inode, share_file_id,
		    (__u64)node << 32 | holder, argument(ctx, 4));
}

PROBE(break_received)
{
	__u64 inode = argument(ctx, 0);
	__u64 share_file_id = argument(ctx, 1);
	__u64 from = argument(ctx, 2);

	if (!process_get(TSMBD_OTHER))
		return;
	learn_node(from, inode, share_file_id);
	log_numbers(TSMBD_EVENT_BREAK_RECEIVED, inode, share_file_id, from,
		    argument(ctx, 3));
}

/* An open that then waits for its share mode has waited for the holder. */
static __always_inline void set_holder(const struct tsmbd_process *p,
				       struct tsmbd_request *r, __u64 inode,
				       __u64 timeout_us)
{
	__u32 ordinal = asked_for(p, inode, timeout_us);
	__u32 at = ordinal - 1;

	if (at >= TSMBD_ASKED)
		return;
	r->asked = ordinal;
	r->inode = inode;
	r->holder = p->asked[at].holder;
	r->node = p->asked[at].node;
}

#endif /* WAITS_BPF_H */
