/* SPDX-License-Identifier: BSD-2-Clause */
/* stacks.bpf.h - takes the stacks of the thread that runs. */
#ifndef STACKS_BPF_H
#define STACKS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "taken.h"

/* So that the compiler leaves the test to the verifier. */
#define STACKS_FORGET(value)	asm volatile("" : "+r" (value))

#ifdef __TARGET_ARCH_x86
enum { STACKS_CS = 17, STACKS_SP = 19, STACKS_COMPAT = 0x23 };

/*
 * Copies the stack page by page: it may end on any of them. A program of 32
 * bits has other registers.
 */
static __always_inline void stacks_copy(struct stacks *s)
{
	void *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	__u64 from;
	__u32 size, at = 0;
	int i;

	bpf_probe_read_kernel(s->registers, sizeof(s->registers), regs);
	s->from = from = s->registers[STACKS_SP];
	for (i = 0; i < STACKS_COPY / STACKS_PAGE; i++) {
		size = STACKS_PAGE - (from & (STACKS_PAGE - 1));
		STACKS_FORGET(at);
		if (at > STACKS_COPY - STACKS_PAGE ||
		    s->registers[STACKS_CS] == STACKS_COMPAT ||
		    bpf_probe_read_user(s->copy + at, size, (void *)from))
			break;
		at += size;
		from += size;
	}
	s->copied = at;
}
#else
/* Compilers for other machines keep frame pointers. */
static __always_inline void stacks_copy(struct stacks *s)
{
	s->copied = 0;
}
#endif

static __always_inline void stacks_take(void *ctx, struct stacks *s)
{
	s->user = bpf_get_stack(ctx, s->user_stack, sizeof(s->user_stack),
				BPF_F_USER_STACK);
	s->kernel = bpf_get_stack(ctx, s->kernel_stack,
				  sizeof(s->kernel_stack), 0);
	stacks_copy(s);
}

/* How much of a record with a struct stacks at its end is to be sent. */
static __always_inline __u32 stacks_size(__u32 size, const struct stacks *s)
{
	__u32 copied = s->copied;

	STACKS_FORGET(copied);
	return size - STACKS_COPY + (copied < STACKS_COPY ? copied :
				     STACKS_COPY);
}

#endif /* STACKS_BPF_H */
