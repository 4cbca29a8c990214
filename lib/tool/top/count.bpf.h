/* SPDX-License-Identifier: BSD-2-Clause */
/* count.bpf.h - what is counted at the end of a span, and told of it. */
#ifndef COUNT_BPF_H
#define COUNT_BPF_H

#include "top/flame.bpf.h"
#include "top/keep.bpf.h"
#include "top/source.bpf.h"
#include "lib/slots/slots.bpf.h"
#include "top/state.bpf.h"

/* No argument tells how long it took. */
static const __u64 NOT_TOLD = (__u64)-1;

struct end {
	__u64 now;
	__u64 told;			/* by an argument, or NOT_TOLD */
	__u64 total;
	__u64 running;
	__u64 self;
	__u32 span;
	__u32 error;
};

static __always_inline bool is_error(const volatile struct top_span *span,
				     __s64 value)
{
	int i;

	if (span->flags & TOP_ERROR_NEGATIVE)
		return value < 0;
	for (i = 0; i < TOP_OKS; i++) {
		if (i < span->num_ok && span->ok[i] == value)
			return false;
	}
	return true;
}

/*
 * How long a span has taken, as an argument of the probe tells. What is longer
 * than the machine runs is wrong; 0 nanoseconds means that the program does not
 * know, and 0 of a larger unit that it was less than one.
 */
static __always_inline __u64 told(void *ctx, struct top_action *a, __u32 flags,
				  __u64 now)
{
	__u64 value;

	if (!has_times || !a->time.kind || !a->unit)
		return NOT_TOLD;
	value = value_at(ctx, &a->time);
	if (value > now / a->unit ||
	    (!value && (a->unit == 1 || flags & TOP_BEGAN)))
		return NOT_TOLD;
	value *= a->unit;
	return flags & TOP_BEGAN ? now - value : value;
}

static __always_inline void measure(const struct top_open *o, struct end *e)
{
	__u64 without = o->suspended_ns;

	e->total = e->told != NOT_TOLD ? e->told :
		e->now > o->start ? e->now - o->start : 0;
	if (o->suspended)
		without += e->now - o->suspended;
	e->running = e->total > without ? e->total - without : 0;
	e->self = e->running > o->child_ns ? e->running - o->child_ns : 0;
}

/* Adds the time to the span around it: its parent, or the one below it. */
int tell_parents(struct top_key *key, struct top_open *o, struct end *e);

__noinline int tell_parents(struct top_key *key, struct top_open *o,
			    struct end *e)
{
	const volatile struct top_span *span, *around;
	struct top_open *parent;
	struct top_key k;

	if (!key || !o || !e)
		return 0;
	span = span_of(key);
	around = span;
	k = *key;
	if (has_running && span->flags & TOP_IN_RUNNING) {
		if (!flame_running(&k))
			return 0;
		around = span_of(&k);
	} else if (has_stacks && span->flags & TOP_BY_THREAD && key->depth > 0) {
		k.depth--;
	} else if (has_parents && span->flags & TOP_HAS_PARENT) {
		around = &spans[span->parent & (TOP_SPANS - 1)];
		k.span = span->parent;
		k.depth = 0;
		k.key[0] = o->parent[0];
		k.key[1] = o->parent[1];
		k.key[2] = o->parent[2];
		if (around->flags & TOP_BY_THREAD && !top(&k))
			return 0;
	} else {
		return 0;
	}
	parent = kept(around, &k);
	/* children of several threads may end at the same time */
	if (parent)
		__sync_fetch_and_add(&parent->child_ns, e->running);
	return 0;
}

/* For any name. */
static __noinline struct top_row *row_named(const struct top_open *o,
					    __u32 span)
{
	struct top_row_key key = { .span = span };
	const __u32 zero = 0;
	struct top_row *row;
	void *rows;

	rows = bpf_map_lookup_elem(&rows_now, &zero);
	if (!rows)
		return NULL;
	if (max_names > 0)
		key.name[0] = o->name[0];
	if (max_names > 1)
		key.name[1] = o->name[1];
	row = bpf_map_lookup_elem(rows, &key);
	if (row)
		return row;
	if (!bpf_map_update_elem(rows, &key, &no_row, BPF_NOEXIST) &&
	    __sync_fetch_and_add(&rows_used, 1) == TOP_TURN_ROWS - 1)
		turn_soon();
	row = bpf_map_lookup_elem(rows, &key);
	if (row)
		return row;
	key.name[0] = 0;
	key.name[1] = 0;
	key.other = 1;
	return bpf_map_lookup_elem(rows, &key);
}

static __always_inline struct top_row *row_of(const struct top_open *o,
					      __u32 span)
{
	__u64 first = max_names > 0 ? o->name[0] : 0;
	__u64 second = max_names > 1 ? o->name[1] : 0;
	__u32 index;

	if (first >= TOP_FEW || second ||
	    (has_texts && spans[span & (TOP_SPANS - 1)].flags & TOP_HAS_TEXT))
		return row_named(o, span);
	index = span * TOP_FEW + (__u32)first;
	return bpf_map_lookup_elem(&few, &index);
}

enum { MAX_TRIES = 64 };

/* A report that has begun meanwhile has a maximum of its own. */
static __always_inline void set_max(struct top_row *row, __u64 total)
{
	__u32 number = report;
	unsigned long long *at = &row->max[number & 1];
	__u64 max = top_max(number, total);
	__u64 old = *at;
	int i;

	/* fails only if another processor has set it in this moment */
	for (i = 0; i < MAX_TRIES; i++) {
		__u64 seen;

		if (max >> TOP_MAX_BITS == old >> TOP_MAX_BITS && max <= old)
			break;
		seen = __sync_val_compare_and_swap(at, old, max);
		if (seen == old)
			break;
		old = seen;
	}
}

/* Not static, so that the verifier goes through the loop of set_max() once. */
int count(struct top_open *o, struct end *e);

__noinline int count(struct top_open *o, struct end *e)
{
	struct top_row *row;
	__u64 slot;
	int i;

	if (!o || !e || e->span >= TOP_SPANS)
		return 0;
	row = row_of(o, e->span);
	if (!row)
		return 0;
	add(&row->errors, e->error);
	add(&row->running_ns, e->running);
	if (has_suspends)
		add(&row->waiting_ns, e->total - e->running);
	if (has_parents || has_stacks)
		add(&row->self_ns, e->self);
#pragma unroll
	for (i = 0; i < TOP_SUMS; i++) {
		if (i < max_sums)
			add(&row->sum[i], o->sum[i]);
	}
	set_max(row, e->total);
	slot = slots_fine(e->total / TOP_UNIT);
	__sync_fetch_and_add(&row->slots[slot & (TOP_CAPACITY - 1)], 1);
	stat(e->span, offsetof(struct top_stats, counted));
	return 0;
}

int read_all(struct bpf_user_pt_regs_t *ctx, struct top_values *v, __u32 site,
	     __u32 span);

__noinline int read_all(struct bpf_user_pt_regs_t *ctx, struct top_values *v,
			__u32 site, __u32 span)
{
	struct top_arguments *a = bpf_map_lookup_elem(&site_arguments, &site);
	int i;

	if (!v)
		return 0;
	v->site = site;
	for (i = 0; a && i < TOP_ARGUMENTS; i++) {
		v->value[i] = 0;
		if (i < a->count)
			v->value[i] = value_or_text(ctx, &a->source[i],
						    span);
	}
	return 0;
}

/* The arguments of the start of a span that is kept, for a line at the end. */
static __noinline int keep_values(void *ctx, const struct top_key *key,
				  __u32 site)
{
	struct top_values *v = values_of(key);

	if (!v) {
		/* not by way of the stack: they are too many for Linux 6.1 */
		bpf_map_update_elem(&values, key, &no_values, BPF_ANY);
		v = bpf_map_lookup_elem(&values, key);
	}
	read_all(ctx, v, site, key->span);
	return 0;
}

static __noinline int tell(void *ctx, const struct top_key *key,
			   const struct top_open *o, const struct end *e,
			   __u32 site)
{
	struct top_line *line = bpf_ringbuf_reserve(&lines, sizeof(*line), 0);
	struct top_values *v = span_of(key)->flags & TOP_ALONE ? NULL :
		values_of(key);
	__u64 id = bpf_get_current_pid_tgid();

	if (!line) {
		__sync_fetch_and_add(&lost_lines, 1);
		return 0;
	}
	line->time = e->now;
	line->pid = id >> 32;
	line->tid = (__u32)id;
	line->span = e->span;
	line->error = e->error;
	line->total_ns = e->total;
	line->running_ns = e->running;
	line->self_ns = e->self;
	line->name[0] = o->name[0];
	line->name[1] = o->name[1];
	line->start = v ? *v : no_values;
	read_all(ctx, &line->end, site, e->span);
	bpf_ringbuf_submit(line, 0);
	return 0;
}

#endif /* COUNT_BPF_H */
