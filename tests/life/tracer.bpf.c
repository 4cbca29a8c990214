/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracer.bpf.c - runs in the kernel at each hit of a traced probe.
 *
 * Every thread of the traced programs numbers its hits: argument 0 increases by
 * one from hit to hit. What is kept for each thread shows whether a hit was
 * lost, whenever the tracer was attached or detached: count == max - min + 1.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "tracer.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, TRACER_MAX_THREADS);
	__type(key, struct tracer_key);
	__type(value, struct tracer_hits);
} hits SEC(".maps");

SEC("uprobe")
int hit(void *regs)
{
	union tracer_cookie cookie = { .value = bpf_get_attach_cookie(regs) };
	struct tracer_key key = {
		.target = cookie.target,
		.thread = bpf_get_current_pid_tgid(),
	};
	struct tracer_hits first = { 1 };
	struct tracer_hits *seen;
	long long number;

	bpf_probe_read_kernel(&number, sizeof(number), regs + cookie.reg);
	first.min = first.max = number;
	seen = bpf_map_lookup_elem(&hits, &key);
	if (!seen) {
		bpf_map_update_elem(&hits, &key, &first, BPF_ANY);
		return 0;
	}
	seen->count++;
	if (number < seen->min)
		seen->min = number;
	if (number > seen->max)
		seen->max = number;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
