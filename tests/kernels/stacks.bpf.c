/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacks.bpf.c - runs in the kernel at each hit of stacks.c, for long, and
 * looks whether its stack is still its own in the end.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "stack.bpf.h"

enum { WORDS = 16, LONG = 200 };

unsigned long long hits;
unsigned long long wrong;

static __always_inline int look(void)
{
	__u64 id = bpf_get_current_pid_tgid();
	volatile __u64 words[WORDS];
	int i;

	for (i = 0; i < WORDS; i++)
		words[i] = id;
	for (i = 0; i < LONG; i++)
		bpf_ktime_get_ns();
	for (i = 0; i < WORDS; i++) {
		if (words[i] == id)
			continue;
		__sync_fetch_and_add(&wrong, 1);
		break;
	}
	__sync_fetch_and_add(&hits, 1);
	return 0;
}

SEC("uprobe")
int shared(void *ctx)
{
	return look();
}

SEC("uprobe")
int own(void *ctx)
{
	stack_own();
	return look();
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
