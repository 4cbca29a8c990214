/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hit.bpf.c - runs in the kernel at each hit of a probe of a span.
 *
 *	start	key, name, sums -> opens, or the stack of the thread
 *	end	-> out of there, and into the row of the span and its name
 *
 * A process is part of each key, with the time when it began: its number may be
 * used again. A program may be preempted by another one on the same CPU, so
 * what is counted is added to atomically.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "top/hit.bpf.h"
#include "top/state.bpf.h"

SEC("uprobe")
int hit(struct pt_regs *ctx)
{
	__u32 index = (__u32)bpf_get_attach_cookie(ctx);
	struct top_site *site;
	__u64 process;
	int i;

	if (!began)
		return 0;
	process = process_now();
	site = bpf_map_lookup_elem(&sites, &index);
	if (!site || !process)
		return 0;
	act(ctx, &site->action[0], process, index);
	if (site->count == 1)
		return 0;
	for (i = 1; i < TOP_ACTIONS; i++) {
		if (i >= site->count)
			break;
		act(ctx, &site->action[i], process, index);
	}
	return 0;
}

/* The command removes what a process has left; a thread leaves its stacks. */
SEC("raw_tp/sched_process_exit")
int thread_exit(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct top_thread *t;
	__u64 process;
	int i;

	if (!began)
		return 0;
	if (has_stacks) {
		t = bpf_task_storage_get(&threads, (void *)task, NULL, 0);
		for (i = 0; t && i < TOP_SPANS; i++) {
			if (spans[i].flags & TOP_BY_THREAD)
				left(i, t->depth[spans[i].stack &
						 (TOP_STACKS - 1)]);
		}
	}
	if (task->pid != task->tgid)
		return 0;
	process = process_of(task);
	bpf_ringbuf_output(&gone, &process, sizeof(process), BPF_RB_NO_WAKEUP);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
