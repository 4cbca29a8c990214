/* SPDX-License-Identifier: BSD-2-Clause */
/* hit.bpf.h - what a site does for a span. */
#ifndef HIT_BPF_H
#define HIT_BPF_H

#include "top/count.bpf.h"
#include "top/flame.bpf.h"
#include "top/keep.bpf.h"
#include "top/source.bpf.h"
#include "top/state.bpf.h"

static __always_inline void set_key(void *ctx, struct top_action *a,
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

/* A value that is negative is the error of a call, and no number of bytes. */
static __always_inline void add_value(void *ctx, struct uprobe_source *source,
				      unsigned long long *sum)
{
	__u64 value = value_at(ctx, source);

	if (!source->is_signed || (__s64)value > 0)
		*sum += value;
}

/* The values that a start and an end may both have. */
static __always_inline void read_values(void *ctx, struct top_action *a,
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
			add_value(ctx, &a->sum[i], &o->sum[i]);
	}
}

/* The key of the span that this one is a part of. */
static __always_inline void set_parent(void *ctx, struct top_action *a,
				       const volatile struct top_span *span,
				       const struct top_key *key,
				       struct top_open *o)
{
	int i;

	if (!has_parents || !(span->flags & TOP_HAS_PARENT))
		return;
#pragma unroll
	for (i = 0; i < TOP_KEYS; i++)
		o->parent[i] = span->flags & TOP_SAME_KEY ? key->key[i] :
			a->parent[i].kind ? value_at(ctx, &a->parent[i]) : 0;
}

/* Not static: see struct bpf_user_pt_regs_t. */
int begin(struct bpf_user_pt_regs_t *ctx, struct top_action *a, __u64 process,
	  __u32 site);
int finish(struct bpf_user_pt_regs_t *ctx, struct top_action *a, __u64 process,
	   __u32 site);
int pause(struct bpf_user_pt_regs_t *ctx, struct top_action *a, __u64 process);

__noinline int begin(struct bpf_user_pt_regs_t *ctx, struct top_action *a,
		     __u64 process, __u32 site)
{
	const volatile struct top_span *span;
	struct top_open o = { .start = 0 };
	struct top_key key = { .process = process };

	if (!a)
		return 0;
	span = &spans[a->span & (TOP_SPANS - 1)];
	set_key(ctx, a, &key);
	read_values(ctx, a, &o);
	set_parent(ctx, a, span, &key, &o);
	if (span->flags & TOP_BY_THREAD && !push(&key))
		return 0;
	o.start = bpf_ktime_get_ns();
	if (has_flame || has_running)
		o.runner = (__u32)bpf_get_current_pid_tgid();
	if (keep(span, &key, &o) && slow_ns)
		keep_values(ctx, &key, site);
	if (has_lists())
		flame_enter(&key);
	return 0;
}

/* All that is done for a span that has ended. */
static __always_inline void conclude(void *ctx, struct top_action *a,
				     struct top_key *key,
				     struct top_open *o, struct end *e,
				     __u32 site)
{
	const volatile struct top_span *span =
		&spans[a->span & (TOP_SPANS - 1)];

	measure(o, e);
	if (has_stacks || has_parents)
		tell_parents(key, o, e);
	if (!is_taken(ctx, a)) {
		stat(e->span, offsetof(struct top_stats, ended));
		return;
	}
	read_values(ctx, a, o);
	if (has_errors && a->error.kind)
		e->error = is_error(span, value_at(ctx, &a->error));
	count(o, e);
	if (slow_ns && e->total >= slow_ns)
		tell(ctx, key, o, e, site);
}

/* A hit may come so many nanoseconds after the program has read its clock. */
static const __u64 LATE = 100000000;

/*
 * Whether what was kept without a start is another span, that ended without a
 * probe: it had taken longer, or this one began after it was seen last.
 */
static __always_inline bool is_over(const volatile struct top_span *span,
				    const struct top_open *o, __u64 now,
				    __u64 told)
{
	return span->flags & TOP_ALONE && told != NOT_TOLD &&
	       (told < o->told || now - told > o->seen + LATE);
}

/* Returns a span that ends if it is kept and is still the same, or NULL. */
static __always_inline struct top_open *
kept_until(const volatile struct top_span *span, const struct top_key *key,
	   const struct end *e)
{
	struct top_open *o;

	if (span->flags & TOP_ALONE && !(span->flags & TOP_SUSPENDS))
		return NULL;
	o = kept(span, key);
	if (!has_times || !o || !is_over(span, o, e->now, e->told))
		return o;
	stat(e->span, offsetof(struct top_stats, restarted));
	forget(span, key, o);
	return NULL;
}

__noinline int finish(struct bpf_user_pt_regs_t *ctx, struct top_action *a,
		      __u64 process, __u32 site)
{
	const volatile struct top_span *span;
	struct top_key key = { .process = process };
	struct end e = { .now = bpf_ktime_get_ns() };
	struct top_open alone;
	struct top_open *o;

	if (!a)
		return 0;
	e.span = a->span;
	span = &spans[a->span & (TOP_SPANS - 1)];
	e.told = told(ctx, a, span->flags, e.now);
	set_key(ctx, a, &key);
	if (span->flags & TOP_BY_THREAD && !pop(&key))
		return 0;
	o = kept_until(span, &key, &e);
	if (o) {
		/* first: conclude() may change the name that samples show */
		if (has_lists())
			flame_leave(&key);
		conclude(ctx, a, &key, o, &e, site);
		forget(span, &key, o);
	} else if (has_times && span->flags & TOP_ALONE && e.told != NOT_TOLD) {
		/* never suspended, so not kept: the end tells all of it */
		alone = (struct top_open){ .start = e.now - e.told };
		set_parent(ctx, a, span, &key, &alone);
		conclude(ctx, a, &key, &alone, &e, site);
	} else {
		stat(a->span, offsetof(struct top_stats, unmatched));
	}
	return 0;
}

/* From now on a span has to be kept whose start was not attached to. */
static __noinline int suspend_alone(struct top_key *key, __u64 now,
				    __u64 told)
{
	struct top_open o = {
		.start = now - told, .suspended = now, .seen = now,
		.told = told,
	};

	keep(span_of(key), key, &o);
	return 0;
}

__noinline int pause(struct bpf_user_pt_regs_t *ctx, struct top_action *a,
		     __u64 process)
{
	const volatile struct top_span *span;
	__u64 now = bpf_ktime_get_ns();
	struct top_key key = { .process = process };
	struct top_open *o;
	__u64 took = NOT_TOLD;

	if (!a)
		return 0;
	span = &spans[a->span & (TOP_SPANS - 1)];
	set_key(ctx, a, &key);
	if (has_costs)
		stat(a->span, offsetof(struct top_stats, paused));
	if (span->flags & TOP_BY_THREAD && !top(&key))
		return 0;
	o = kept(span, &key);
	if (has_times && span->flags & TOP_ALONE && a->role == TOP_SUSPEND) {
		took = told(ctx, a, span->flags, now);
		if (took != NOT_TOLD && (!o || is_over(span, o, now, took)))
			return suspend_alone(&key, now, took);
	}
	if (!o)
		return 0;
	o->seen = now;
	if (took != NOT_TOLD)
		o->told = took;
	if (a->role == TOP_SUSPEND) {
		if (!o->suspended)
			o->suspended = now;
	} else if (o->suspended) {
		o->suspended_ns += now - o->suspended;
		o->suspended = 0;
	}
	if (has_flame || has_running)
		flame_pause(a, &key, o);
	return 0;
}

static __always_inline void count_hit(void *ctx, struct top_action *a)
{
	if (is_taken(ctx, a))
		rate(a->span);
}

static __always_inline void act(void *ctx, struct top_action *a, __u64 process,
				__u32 site)
{
	if (a->role == TOP_START)
		begin(ctx, a, process, site);
	else if (a->role == TOP_END)
		finish(ctx, a, process, site);
	else if (has_rates && a->role == TOP_RATE)
		count_hit(ctx, a);
	else if (has_suspends)
		pause(ctx, a, process);
}

static __always_inline void act_all(void *ctx, __u32 index)
{
	struct top_site *site;
	__u64 process;
	int i;

	process = process_now();
	site = bpf_map_lookup_elem(&sites, &index);
	if (!site || !process)
		return;
	act(ctx, &site->action[0], process, index);
	if (site->count == 1)
		return;
	for (i = 1; i < TOP_ACTIONS; i++) {
		if (i >= site->count)
			break;
		act(ctx, &site->action[i], process, index);
	}
}

#endif /* HIT_BPF_H */
