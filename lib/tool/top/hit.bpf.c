/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hit.bpf.c - runs in the kernel at each hit of a probe of a span.
 *
 *	start	key, name, sums -> opens, or the stack of the thread
 *	end	-> out of there, and into the row of the span and its name
 *
 * A process is part of each key, with the time when it began and the programs
 * that it has executed: its number and its addresses may be used again. Another
 * program may preempt one on the same CPU, so counters are added to atomically.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "lib/uprobe/stack.bpf.h"
#include "top/flame.bpf.h"
#include "top/hit.bpf.h"
#include "top/state.bpf.h"

/* Says whether the time of this hit is taken. */
static __always_inline struct top_cost *timed_now(void)
{
	const __u32 zero = 0;
	struct top_cost *cost;

	if (!has_costs)
		return NULL;
	cost = bpf_map_lookup_elem(&costs, &zero);
	return cost && !(cost->hits++ & (TOP_TIMED - 1)) ? cost : NULL;
}

SEC("uprobe")
int hit(struct pt_regs *ctx)
{
	__u32 index = (__u32)bpf_get_attach_cookie(ctx);
	struct top_cost *cost;
	__u64 start;

	stack_own();
	if (!began)
		return 0;
	cost = timed_now();
	if (!cost) {
		act_all(ctx, index);
		return 0;
	}
	start = bpf_ktime_get_ns();
	act_all(ctx, index);
	add(&cost->timed_ns, bpf_ktime_get_ns() - start);
	add(&cost->timed, 1);
	return 0;
}

/* Not static: see struct bpf_user_pt_regs_t. */
int leave_span(__u32 span, __u64 process, __u32 depth);
int leave_stack(__u32 span, __u64 process, __u32 depth);

__noinline int leave_span(__u32 span, __u64 process, __u32 depth)
{
	struct top_key key = {
		.process = process, .span = span, .depth = depth,
		.key = { (__u32)bpf_get_current_pid_tgid() },
	};
	struct top_open *o = kept(span_of(&key), &key);

	if (o)
		forget(span_of(&key), &key, o);
	return 0;
}

/* Removes what a thread has on a stack. */
__noinline int leave_stack(__u32 span, __u64 process, __u32 depth)
{
	__u32 i;

	for (i = 0; i < TOP_DEPTH && i < depth; i++)
		leave_span(span, process, i);
	return 0;
}

/*
 * What a thread has on its stacks will never end. process is 0 if the whole
 * process ends: then the command removes the spans that are in slots.
 */
static __noinline int leave_stacks(__u64 process)
{
	struct top_thread *t = thread_now(0);
	__u32 stack, depth;
	int i;

	if (!t)
		return 0;
	for (i = 0; i < TOP_SPANS; i++) {
		stack = spans[i].stack & (TOP_STACKS - 1);
		depth = t->depth[stack];
		if (!(spans[i].flags & TOP_BY_THREAD) || !depth)
			continue;
		left(i, depth < TOP_DEPTH ? depth : TOP_DEPTH);
		t->depth[stack] = 0;
		if (stack < TOP_FIRST)
			t->first[stack & (TOP_FIRST - 1)].start = 0;
		if (process)
			leave_stack(i, process, depth);
	}
	return 0;
}

static __always_inline void leave_process(__u64 process)
{
	if (bpf_ringbuf_output(&gone, &process, sizeof(process),
			       BPF_RB_NO_WAKEUP))
		gone_unknown = 1;
}

/* The command removes what a process has left; a thread leaves its stacks. */
SEC("raw_tp/sched_process_exit")
int thread_exit(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	bool ends;

	if (!began)
		return 0;
	/* the main thread may end before others */
	ends = task->signal->live.counter == 0;
	if (has_stacks)
		leave_stacks(ends ? 0 : process_of(task));
	if (ends)
		leave_process(process_of(task));
	return 0;
}

/* The memory is another one, so the keys that lie there mean nothing now. */
SEC("raw_tp/sched_process_exec")
int program_exec(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();

	if (!began)
		return 0;
	if (has_stacks)
		leave_stacks(0);
	leave_process(process_before(task, 1));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
