/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.bpf.h - where spans under way are kept.
 *
 * The hash of the key names a slot. If another span under way has that, the
 * span is in a map, which costs more than all else that is done for it here.
 * The spans of a thread are a stack: the thread keeps the lowest of some spans
 * itself, the others have their depth as a part of the key. The depth of a
 * thread is where the next one begins. Spans with texts are always in slots or in
 * the map: the command, which saves their texts (turn.c), cannot read threads.
 */
#ifndef KEEP_BPF_H
#define KEEP_BPF_H

#include "top/slot.h"
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
	return has_stacks && key->depth == 0 && span->stack < TOP_FIRST &&
	       (span->flags & (TOP_BY_THREAD | TOP_KEEPS_TEXT)) ==
	       TOP_BY_THREAD;
}

static __always_inline struct top_open *
first_of(const volatile struct top_span *span)
{
	struct top_thread *t = thread_now(0);
	__u32 stack = span->stack;

	if (!t || stack >= TOP_FIRST)
		return NULL;
	/* the compiler must not add to the pointer before it has looked */
	barrier_var(t);
	return &t->first[stack & (TOP_FIRST - 1)];
}

/* What was on a stack when its span was let go never ends. */
static __always_inline __u32 *depth_of(struct top_thread *t, __u32 span)
{
	__u32 stack = spans[span & (TOP_SPANS - 1)].stack & (TOP_STACKS - 1);

	if (t->epoch[stack] == epochs[stack])
		return &t->depth[stack];
	t->epoch[stack] = epochs[stack];
	left(span, t->depth[stack]);
	t->depth[stack] = 0;
	if (stack < TOP_FIRST)
		t->first[stack & (TOP_FIRST - 1)].start = 0;
	return &t->depth[stack];
}

/* Not static: see struct bpf_user_pt_regs_t. */
bool push(struct top_key *key);
bool pop(struct top_key *key);
bool top(struct top_key *key);

/*
 * Completes the key of a span that begins; false if there is no room. A stack
 * that is full, although many spans have ended since it was empty, is not deep:
 * some ends never came, after a longjmp() for instance. It begins anew.
 */
__noinline bool push(struct top_key *key)
{
	struct top_thread *t;
	__u32 *depth;
	__u32 *begun;
	__u32 stack;

	if (!has_stacks || !key)
		return false;
	stack = span_of(key)->stack & (TOP_STACKS - 1);
	t = thread_now(BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!t) {
		stat(key->span, offsetof(struct top_stats, lost));
		return false;
	}
	depth = depth_of(t, key->span);
	begun = &t->begun[stack];
	if (*depth == 0 ||
	    (*depth >= TOP_DEPTH && *begun > 3 * TOP_DEPTH / 2)) {
		*depth = 0;
		*begun = 0;
	}
	(*begun)++;
	key->depth = (*depth)++;
	key->key[0] = (__u32)bpf_get_current_pid_tgid();
	if (key->depth < TOP_DEPTH)
		return true;
	stat(key->span, offsetof(struct top_stats, deep));
	return false;
}

/* The same for one that ends: false if none has begun, or it was too deep. */
__noinline bool pop(struct top_key *key)
{
	struct top_thread *t;
	__u32 *depth;

	if (!has_stacks || !key)
		return false;
	t = thread_now(0);
	depth = t ? depth_of(t, key->span) : NULL;
	if (!depth || !*depth) {
		stat(key->span, offsetof(struct top_stats, unmatched));
		return false;
	}
	key->depth = --*depth;
	key->key[0] = (__u32)bpf_get_current_pid_tgid();
	return key->depth < TOP_DEPTH;
}

/* The same for the topmost one, which remains. */
__noinline bool top(struct top_key *key)
{
	struct top_thread *t;
	__u32 depth;

	if (!has_stacks || !key)
		return false;
	t = thread_now(0);
	depth = t ? *depth_of(t, key->span) : 0;
	if (!depth)
		return false;
	key->depth = depth - 1;
	key->key[0] = (__u32)bpf_get_current_pid_tgid();
	return true;
}

static __always_inline struct top_slot *slot_of(const struct top_key *key)
{
	__u32 index = top_slot_index(key, max_keys);

	return bpf_map_lookup_elem(&slots, &index);
}

static __always_inline bool is_in(const struct top_slot *slot,
				  const struct top_key *key)
{
	return slot->state == TOP_IN_USE &&
	       slot->key.key[0] == key->key[0] &&
	       slot->key.process == key->process &&
	       slot->key.span == key->span && slot->key.depth == key->depth &&
	       (max_keys < 2 || slot->key.key[1] == key->key[1]) &&
	       (max_keys < 3 || slot->key.key[2] == key->key[2]);
}

/* Puts one that is not under way yet where there is room. */
static __always_inline bool keep_new(struct top_slot *slot,
				     struct top_key *key, struct top_open *o)
{
	if (slot->state == TOP_FREE &&
	    __sync_val_compare_and_swap(&slot->state, TOP_FREE, TOP_TAKEN) ==
	    TOP_FREE) {
		slot->key = *key;
		slot->open = *o;
		__sync_lock_test_and_set(&slot->state, TOP_IN_USE);
		return true;
	}
	if (!bpf_map_update_elem(&opens, key, o, BPF_NOEXIST)) {
		__sync_fetch_and_add(&elsewhere, 1);
		return true;
	}
	stat(key->span, offsetof(struct top_stats, lost));
	return false;
}

/* Returns false if there is no room. */
static __always_inline bool keep(const volatile struct top_span *span,
				 struct top_key *key, struct top_open *o)
{
	struct top_open *old = NULL;
	struct top_slot *slot;

	stat(key->span, offsetof(struct top_stats, started));
	if (is_first(span, key)) {
		old = first_of(span);
		if (old && old->start)
			stat(key->span, offsetof(struct top_stats, restarted));
		if (old)
			*old = *o;
		return old;
	}
	slot = slot_of(key);
	if (!slot)
		return false;
	if (is_in(slot, key))
		old = &slot->open;
	else if (elsewhere)
		old = bpf_map_lookup_elem(&opens, key);
	if (old) {
		stat(key->span, offsetof(struct top_stats, restarted));
		*old = *o;
		return true;
	}
	return keep_new(slot, key, o);
}

/* The arguments of the start of a span: they are kept beside the span. */
static __always_inline struct top_values *values_of(const struct top_key *key)
{
	const volatile struct top_span *span = span_of(key);
	__u32 index = top_slot_index(key, max_keys);
	__u32 stack = span->stack;
	struct top_thread *t;
	struct top_slot *slot;

	if (is_first(span, key)) {
		t = thread_now(0);
		if (!t || stack >= TOP_FIRST)
			return NULL;
		barrier_var(t);
		return &t->values[stack & (TOP_FIRST - 1)];
	}
	slot = bpf_map_lookup_elem(&slots, &index);
	if (slot && is_in(slot, key))
		return bpf_map_lookup_elem(&slot_values, &index);
	return bpf_map_lookup_elem(&values, key);
}

static __always_inline struct top_open *
kept(const volatile struct top_span *span, const struct top_key *key)
{
	struct top_slot *slot;

	if (is_first(span, key))
		return first_of(span);
	slot = slot_of(key);
	if (slot && is_in(slot, key))
		return &slot->open;
	return elsewhere ? bpf_map_lookup_elem(&opens, key) : NULL;
}

static __always_inline void forget(const volatile struct top_span *span,
				   const struct top_key *key,
				   struct top_open *o)
{
	struct top_slot *slot;

	if (is_first(span, key)) {
		o->start = 0;
		return;
	}
	slot = slot_of(key);
	if (slot && is_in(slot, key)) {
		slot->state = TOP_FREE;
		return;
	}
	if (slow_ns)
		bpf_map_delete_elem(&values, key);
	if (!bpf_map_delete_elem(&opens, key))
		__sync_fetch_and_add(&elsewhere, -1);
}

#endif /* KEEP_BPF_H */
