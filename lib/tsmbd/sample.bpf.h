/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.bpf.h - what the CPUs execute for smbd, many times a second.
 *
 * A timer of each CPU runs it, and not a probe, so its cost does not depend on
 * the number of requests. The stacks go to the command one by one, because only
 * the command can tell which function an address is in.
 */
#ifndef SAMPLE_BPF_H
#define SAMPLE_BPF_H

#include <stddef.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "stacks.bpf.h"
#include "log.bpf.h"
#include "state.bpf.h"
#include "tsmbd.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, TSMBD_SAMPLE_RING);
} samples SEC(".maps");

/* The sample of a CPU, before it is sent. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct tsmbd_sample));
} sampled SEC(".maps");

/*
 * Without a hit at the start of a request, smbd's own note tells what runs: see
 * running_look().
 */
static __noinline __u32 sample_noted(const struct tsmbd_process *p)
{
	__u64 at = notes_of(p);
	struct noted noted = { NULL, 0 };
	__u32 root = TSMBD_ROOT_PHASE + p->phase;
	__u32 magic = 0;
	__u32 opcode;

	if (!at || bpf_probe_read_user(&noted, sizeof(noted), (void *)at) ||
	    !noted.header)
		return root;
	bpf_probe_read_user(&magic, sizeof(magic), noted.header);
	if (magic != SMB2_MAGIC)
		return root;
	opcode = read_16(noted.header + HEADER_OPCODE);
	return opcode < TSMBD_UNKNOWN ? opcode : TSMBD_UNKNOWN;
}

/* A request that waits for ctdb is the same request. */
static __always_inline __u32 sample_root(const struct tsmbd_process *p)
{
	if (p->cancel)
		return TSMBD_CANCEL;
	if (p->current)
		return p->opcode;
	if (modes & TSMBD_FLAME)
		return TSMBD_ROOT_PHASE + p->phase;
	return sample_noted(p);
}

SEC("perf_event")
int sample(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_process *p;
	struct tsmbd_sample *s;
	__u32 pid = id >> 32;
	__u32 zero = 0;

	p = bpf_map_lookup_elem(&processes, &pid);
	if (!began || !p || !p->client)
		return 0;
	s = bpf_map_lookup_elem(&sampled, &zero);
	if (!s)
		return 0;
	s->stacks.pid = pid;
	s->stacks.parent = BPF_CORE_READ(task, real_parent, tgid);
	s->root = (__u32)id == pid ? sample_root(p) : TSMBD_ROOT_THREAD;
	stacks_take(ctx, &s->stacks);
	/* the command takes them a few times a second: nobody is woken */
	if (bpf_ringbuf_output(&samples, s,
			       stacks_size(sizeof(*s), &s->stacks),
			       BPF_RB_NO_WAKEUP))
		lose(TSMBD_LOST_SAMPLES);
	return 0;
}

#endif /* SAMPLE_BPF_H */
