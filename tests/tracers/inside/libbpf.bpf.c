/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libbpf.bpf.c - runs in the kernel at each hit: evaluates the expressions that
 * the probe's cookie selects, and sends the values.
 */
#include <stdbool.h>
#include <asm/ptrace.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

#include "libbpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, MAX_PROBES);
	__type(key, unsigned int);
	__type(value, struct plan);
} plans SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} hits SEC(".maps");

/* Reads a member of the record at an address. */
static __always_inline int member(const struct expression *it, long long *value)
{
	const void *at = (const char *)*value + it->offset;
	signed char s1 = 0;
	short s2 = 0;
	int s4 = 0;
	long s8 = 0;
	int ret;

	switch (it->size < 0 ? -it->size : it->size) {
	case 1:
		ret = bpf_probe_read_user(&s1, sizeof(s1), at);
		*value = it->size < 0 ? (long)s1 : (unsigned char)s1;
		return ret;
	case 2:
		ret = bpf_probe_read_user(&s2, sizeof(s2), at);
		*value = it->size < 0 ? (long)s2 : (unsigned short)s2;
		return ret;
	case 4:
		ret = bpf_probe_read_user(&s4, sizeof(s4), at);
		*value = it->size < 0 ? (long)s4 : (unsigned int)s4;
		return ret;
	default:
		ret = bpf_probe_read_user(&s8, sizeof(s8), at);
		*value = s8;
		return ret;
	}
}

static __always_inline void evaluate(struct pt_regs *ctx,
				     const struct expression *it,
				     struct value *value)
{
	long number = 0;

	value->text[0] = '\0';
	value->error = bpf_usdt_arg(ctx, it->index, &number);
	value->number = number;
	if (value->error == 0 && it->size != 0)
		value->error = member(it, &value->number);
	if (value->error != 0 || !it->string)
		return;
	if (bpf_probe_read_user_str(value->text, MAX_TEXT,
				    (const void *)value->number) < 0)
		value->error = -1;
}

SEC("usdt")
int at_probe(struct pt_regs *ctx)
{
	unsigned int probe = bpf_usdt_cookie(ctx);
	const struct plan *plan = bpf_map_lookup_elem(&plans, &probe);
	struct hit *hit;
	unsigned int i;

	if (!plan)
		return 0;
	hit = bpf_ringbuf_reserve(&hits, sizeof(*hit), 0);
	if (!hit)
		return 0;
	hit->probe = probe;
	hit->count = plan->count;
	/* Linux 6.1 refuses a loop that is entered in its middle, as clang 14
	 * would arrange it ("back-edge"); without a loop it takes the program */
#pragma unroll
	for (i = 0; i < MAX_EXPRESSIONS; i++) {
		if (i < plan->count)
			evaluate(ctx, &plan->expressions[i], &hit->values[i]);
	}
	bpf_ringbuf_submit(hit, 0);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
