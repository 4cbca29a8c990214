/* SPDX-License-Identifier: BSD-2-Clause */
/* stacks.bpf.h - takes the stacks of the thread that runs. */
#ifndef STACKS_BPF_H
#define STACKS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "stacks.h"

static __always_inline void stacks_take(void *ctx, struct stacks *s)
{
	s->user = bpf_get_stack(ctx, s->user_stack, sizeof(s->user_stack),
				BPF_F_USER_STACK);
	s->kernel = bpf_get_stack(ctx, s->kernel_stack,
				  sizeof(s->kernel_stack), 0);
}

#endif /* STACKS_BPF_H */
