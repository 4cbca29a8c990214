/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs of attach.c: one does nothing, one reads an argument. */
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

#include "argument.bpf.h"

__u64 sum;

SEC("usdt")
int empty(struct pt_regs *ctx)
{
	return 0;
}

SEC("usdt")
int five(struct pt_regs *ctx)
{
	sum += argument(ctx, 0) + argument(ctx, 1) + argument(ctx, 2) +
	       argument(ctx, 3) + argument(ctx, 4);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
