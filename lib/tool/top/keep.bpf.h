/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.bpf.h - where spans under way are kept.
 *
 * Those with a key are in the map. Those of a thread are a stack: the thread
 * keeps the lowest of some spans itself, the others are in the map by their
 * depth. The depth of a thread is where the next one begins.
 */
#ifndef KEEP_BPF_H
#define KEEP_BPF_H

#include "top/state.bpf.h"

static __always_inline struct top_thread *thread_now(__u64 flags)
{
	return bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL,
				    flags);
}

/* Whether the thread itself has room for what the key stands for. */
static __always_inline bool is_first(const volatile struct top_span *span,
				     const struct top_key *key)
{
	return has_stacks && span->flags & TOP_BY_THREAD && key->depth == 0 &&
		span->stack < TOP_FIRST;
}

static __always_inline struct top_open *
first_of(const volatile struct top_span *span)
{
	struct top_thread *t = thread_now(0);
	__u32 stack = span->stack;

	return t && stack < TOP_FIRST ? &t->first[stack & (TOP_FIRST - 1)] :
		NULL;
}

/* Completes the key of a span that begins; false if there is no room. */
static __noinline bool push(const volatile struct top_span *span,
			    struct top_key *key)
{
	struct top_thread *t;
	__u32 *depth;

	if (!has_stacks)
		return false;
	t = thread_now(BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!t) {
		stat(key->span, offsetof(struct top_stats, lost));
		return false;
	}
	depth = &t->depth[span->stack & (TOP_STACKS - 1)];
	key->depth = (*depth)++;
	key->key[0] = (__u32)bpf_get_current_pid_tgid();
	if (key->depth < TOP_DEPTH)
		return true;
	stat(key->span, offsetof(struct top_stats, deep));
	return false;
}

/* The same for one that ends: false if none has begun, or it was too deep. */
static __noinline bool pop(const volatile struct top_span *span,
			   struct top_key *key)
{
	struct top_thread *t;
	__u32 *depth;

	if (!has_stacks)
		return false;
	t = thread_now(0);
	depth = t ? &t->depth[span->stack & (TOP_STACKS - 1)] : NULL;
	if (!depth || !*depth) {
		stat(key->span, offsetof(struct top_stats, unmatched));
		return false;
	}
	key->depth = --*depth;
	key->key[0] = (__u32)bpf_get_current_pid_tgid();
	return key->depth < TOP_DEPTH;
}

/* The same for the topmost one, which remains. */
static __noinline bool top(const volatile struct top_span *span,
			   struct top_key *key)
{
	struct top_thread *t;
	__u32 depth;

	if (!has_stacks)
		return false;
	t = thread_now(0);
	depth = t ? t->depth[span->stack & (TOP_STACKS - 1)] : 0;
	if (!depth)
		return false;
	key->depth = depth - 1;
	key->key[0] = (__u32)bpf_get_current_pid_tgid();
	return true;
}

static __always_inline void keep(const volatile struct top_span *span,
				 struct top_key *key, struct top_open *o)
{
	struct top_open *first;
	long ret;

	stat(key->span, offsetof(struct top_stats, started));
	if (is_first(span, key)) {
		first = first_of(span);
		if (first)
			*first = *o;
		return;
	}
	ret = bpf_map_update_elem(&opens, key, o, BPF_NOEXIST);
	if (!ret)
		return;
	if (bpf_map_update_elem(&opens, key, o, BPF_EXIST))
		stat(key->span, offsetof(struct top_stats, lost));
	else
		stat(key->span, offsetof(struct top_stats, restarted));
}

static __always_inline struct top_open *
kept(const volatile struct top_span *span, const struct top_key *key)
{
	if (is_first(span, key))
		return first_of(span);
	return bpf_map_lookup_elem(&opens, key);
}

static __always_inline void forget(const volatile struct top_span *span,
				   const struct top_key *key,
				   struct top_open *o)
{
	if (slow_ns)
		bpf_map_delete_elem(&values, key);
	if (is_first(span, key))
		o->start = 0;
	else
		bpf_map_delete_elem(&opens, key);
}

#endif /* KEEP_BPF_H */
