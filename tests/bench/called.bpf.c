/* SPDX-License-Identifier: BSD-2-Clause */
/* The program of called.c, which does nothing. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("uprobe")
int empty(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
