/* SPDX-License-Identifier: BSD-2-Clause */
/* hit.bpf.h - what a site does for a span. */
#ifndef HIT_BPF_H
#define HIT_BPF_H

#include "top/count.bpf.h"
#include "top/flame.bpf.h"
#include "top/keep.bpf.h"
#include "top/place.bpf.h"
#include "top/state.bpf.h"

static __always_inline void set_key(struct pt_regs *ctx,
				    const struct top_action *a,
				    struct top_key *key)
{
	int i;

	key->span = a->span;
	key->depth = 0;
#pragma unroll
	for (i = 0; i < TOP_KEYS; i++)
		key->key[i] = i < max_keys && a->key[i].kind ?
			value_at(ctx, &a->key[i]) : 0;
}

/* The values that a start and an end may both have. */
static __always_inline void read_values(struct pt_regs *ctx,
					const struct top_action *a,
					struct top_open *o)
{
	int i;

#pragma unroll
	for (i = 0; i < TOP_NAMES; i++) {
		if (i < max_names && a->name[i].kind)
			o->name[i] = value_or_text(ctx, &a->name[i], a->span);
	}
#pragma unroll
	for (i = 0; i < TOP_SUMS; i++) {
		if (i < max_sums && a->sum[i].kind)
			o->sum[i] += value_at(ctx, &a->sum[i]);
	}
}

static __noinline int begin(struct pt_regs *ctx, const struct top_action *a,
			    __u64 process, __u32 site)
{
	const volatile struct top_span *span = &spans[a->span & (TOP_SPANS - 1)];
	struct top_open o = { .start = 0 };
	struct top_key key = { .process = process };
	int i;

	set_key(ctx, a, &key);
	read_values(ctx, a, &o);
	if (has_parents && span->flags & TOP_HAS_PARENT) {
#pragma unroll
		for (i = 0; i < TOP_KEYS; i++)
			o.parent[i] = span->flags & TOP_SAME_KEY ? key.key[i] :
				a->parent[i].kind ?
				value_at(ctx, &a->parent[i]) : 0;
	}
	if (span->flags & TOP_BY_THREAD && !push(span, &key))
		return 0;
	if (slow_ns)
		keep_values(ctx, &key, site);
	o.start = bpf_ktime_get_ns();
	if (has_flame)
		o.runner = (__u32)bpf_get_current_pid_tgid();
	keep(span, &key, &o);
	if (has_flame)
		flame_enter(&key);
	return 0;
}

static __noinline int finish(struct pt_regs *ctx, const struct top_action *a,
			     __u64 process, __u32 site)
{
	const volatile struct top_span *span = &spans[a->span & (TOP_SPANS - 1)];
	struct top_key key = { .process = process };
	struct top_open *o;
	struct end e = { .now = bpf_ktime_get_ns(), .span = a->span };

	set_key(ctx, a, &key);
	if (span->flags & TOP_BY_THREAD && !pop(span, &key))
		return 0;
	o = kept(span, &key);
	if (!o) {
		stat(a->span, offsetof(struct top_stats, unmatched));
		return 0;
	}
	read_values(ctx, a, o);
	if (has_errors && a->error.kind)
		e.error = is_error(span, value_at(ctx, &a->error));
	measure(o, &e);
	tell_parents(span, &key, o, &e);
	count(o, &e);
	if (slow_ns && e.total >= slow_ns)
		tell(ctx, &key, o, &e, site);
	if (has_flame)
		flame_leave(&key);
	forget(span, &key, o);
	return 0;
}

static __noinline int pause(struct pt_regs *ctx, const struct top_action *a,
			    __u64 process)
{
	const volatile struct top_span *span = &spans[a->span & (TOP_SPANS - 1)];
	__u64 now = bpf_ktime_get_ns();
	struct top_key key = { .process = process };
	struct top_open *o;

	set_key(ctx, a, &key);
	if (span->flags & TOP_BY_THREAD && !top(span, &key))
		return 0;
	o = kept(span, &key);
	if (!o)
		return 0;
	if (a->role == TOP_SUSPEND) {
		if (!o->suspended)
			o->suspended = now;
	} else if (o->suspended) {
		o->suspended_ns += now - o->suspended;
		o->suspended = 0;
	}
	if (has_flame)
		flame_pause(a, &key, o);
	return 0;
}

static __always_inline void act(struct pt_regs *ctx, const struct top_action *a,
				__u64 process, __u32 site)
{
	if (a->role == TOP_START)
		begin(ctx, a, process, site);
	else if (a->role == TOP_END)
		finish(ctx, a, process, site);
	else if (has_rates && a->role == TOP_RATE)
		rate(a->span);
	else if (has_suspends)
		pause(ctx, a, process);
}

#endif /* HIT_BPF_H */
