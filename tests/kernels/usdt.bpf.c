/* SPDX-License-Identifier: BSD-2-Clause */
/* usdt.bpf.c - counts hits of the probe that usdt.c attaches it to. */
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

long hits;

SEC("usdt")
int count(struct pt_regs *ctx)
{
	__sync_fetch_and_add(&hits, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
