/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame.bpf.h - what the CPUs execute for which span, many times a second.
 *
 *	start, resume	the key -> the list of the thread: its runner
 *	end, suspend	out of there
 *	timer		what is still true of the list -> steps of a sample
 *
 * A span may end in another thread than the one that has it in its list. So a
 * key there is only a hint: the span has to be under way, not suspended, and
 * this thread the last one that started or resumed it.
 *
 * Those by thread are functions: one is in the other. The others may overlap as
 * they like, so a thread works for one of them at a time, the one that it
 * started or resumed last; it is in those that it names as its parents.
 *
 * While no samples are taken, nothing is added to the lists. So when that begins
 * again, what they have means nothing. With parent=running they are always kept:
 * the end of such a span is told to the last one there.
 */
#ifndef FLAME_BPF_H
#define FLAME_BPF_H

#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

#include "lib/symbols/stacks.bpf.h"
#include "top/keep.bpf.h"
#include "top/state.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct top_running);
} running SEC(".maps");

/* Processes by their IDs, from the first span on. */
MAP(traced, BPF_MAP_TYPE_LRU_HASH, 0, TOP_MAX_TRACED, __u32,
    struct top_traced);

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, TOP_SAMPLE_RING);
} samples SEC(".maps");

/* The sample of a CPU, before it is sent. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct top_sample));
} sampled SEC(".maps");

static __noinline int trace_process(__u64 process)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32;
	struct top_traced t = { .process = process };
	struct top_traced *old = bpf_map_lookup_elem(&traced, &pid);

	if (!old || old->process != process)
		bpf_map_update_elem(&traced, &pid, &t, BPF_ANY);
	return 0;
}

static __always_inline bool has_lists(void)
{
	return has_running || (has_flame && sampling);
}

static __always_inline bool is_listed(const struct top_running *r,
				      __u64 process)
{
	return r->process == process &&
	       (has_running || r->sampling == sampling);
}

static __always_inline struct top_running *running_now(__u64 flags)
{
	return bpf_task_storage_get(&running, bpf_get_current_task_btf(), NULL,
				    flags);
}

/* Returns the span of a key if this thread runs it, or NULL. */
static __noinline struct top_open *run_by(const struct top_key *key, __u32 tid)
{
	struct top_open *o = kept(span_of(key), key);

	return o && o->start && !o->suspended && o->runner == tid ? o : NULL;
}

/*
 * Drops the last key of a list if it is not true any more. Each span drops two
 * and adds one, so spans that end in other threads do not fill the list.
 */
static __always_inline void drop(struct top_running *r, __u32 tid)
{
	__u32 last = r->count - 1;

	if (last < TOP_PATH && !run_by(&r->key[last], tid))
		r->count = last;
}

int flame_enter(struct top_key *key);
int flame_leave(struct top_key *key);

/* A timer may come in between: what it sees must be true. */
__noinline int flame_enter(struct top_key *key)
{
	struct top_running *r = running_now(BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u32 tid = (__u32)bpf_get_current_pid_tgid();

	if (!r || !key)
		return 0;
	if (!is_listed(r, key->process)) {
		r->process = key->process;
		r->sampling = sampling;
		r->count = 0;
		if (has_flame)
			trace_process(key->process);
	}
	drop(r, tid);
	drop(r, tid);
	/* if there are too many, those in the middle are left out */
	if (r->count >= TOP_PATH)
		r->count = TOP_PATH - 1;
	r->key[r->count & (TOP_PATH - 1)] = *key;
	r->count++;
	return 0;
}

static __always_inline bool is_key(const struct top_key *a,
				   const struct top_key *b)
{
	return a->span == b->span && a->depth == b->depth &&
	       a->key[0] == b->key[0] && a->key[1] == b->key[1] &&
	       a->key[2] == b->key[2];
}

static __noinline int close_gap(struct top_running *r, __u32 at)
{
	__u32 i;

	for (i = 0; i < TOP_PATH - 1; i++) {
		if (i >= at)
			r->key[i] = r->key[i + 1];
	}
	return 0;
}

/* Mostly the last one. */
__noinline int flame_leave(struct top_key *key)
{
	struct top_running *r = running_now(0);
	__u32 i, at;

	if (!r || !key)
		return 0;
	for (i = 0; i < TOP_PATH; i++) {
		if (i >= r->count)
			return 0;
		at = (r->count - 1 - i) & (TOP_PATH - 1);
		if (is_key(&r->key[at], key))
			break;
	}
	if (i == TOP_PATH)
		return 0;
	if (i > 0)
		close_gap(r, at);
	r->count--;
	return 0;
}

bool flame_running(struct top_key *key);

/* Sets the key of what the thread runs. Returns false if that is nothing. */
__noinline bool flame_running(struct top_key *key)
{
	struct top_running *r = running_now(0);
	struct top_key *at;
	__u32 i;

	if (!r || !key || !is_listed(r, key->process))
		return false;
	for (i = 1; i <= TOP_PATH; i++) {
		if (i > r->count)
			break;
		at = &r->key[(r->count - i) & (TOP_PATH - 1)];
		if (!run_by(at, (__u32)bpf_get_current_pid_tgid()))
			continue;
		*key = *at;
		return true;
	}
	return false;
}

static __always_inline void flame_pause(const struct top_action *a,
					struct top_key *key,
					struct top_open *o)
{
	if (a->role != TOP_SUSPEND)
		o->runner = (__u32)bpf_get_current_pid_tgid();
	if (!has_lists())
		return;
	if (a->role == TOP_SUSPEND)
		flame_leave(key);
	else
		flame_enter(key);
}

static __always_inline void set_step(struct top_step *step, __u32 span,
				     const struct top_open *o)
{
	step->span = span;
	step->name[0] = o->name[0];
	step->name[1] = o->name[1];
}

/*
 * Sets the key of the parent of a span. Returns false if it has none, or one
 * that is a function: that is in the list of the thread.
 */
static __always_inline bool set_parent_key(__u32 span,
					   const struct top_open *o,
					   struct top_key *key)
{
	const volatile struct top_span *at = &spans[span & (TOP_SPANS - 1)];

	if (!has_parents || !(at->flags & TOP_HAS_PARENT) ||
	    at->flags & TOP_IN_RUNNING)
		return false;
	key->span = at->parent;
	key->depth = 0;
	key->key[0] = o->parent[0];
	key->key[1] = o->parent[1];
	key->key[2] = o->parent[2];
	return !(span_of(key)->flags & TOP_BY_THREAD);
}

/*
 * Not static, so that the verifier goes through each of the two once. It went
 * through them for each state in which they were called: 200,000 instructions of
 * the timer's program, which are 3,200 now.
 */
int add_work(struct top_sample *s, struct top_key *from);
int add_key(struct top_sample *s, struct top_key *from, struct top_key *work);

/* Adds the span of a key, and those that it is a part of. */
__noinline int add_work(struct top_sample *s, struct top_key *from)
{
	struct top_key key;
	struct top_open *o;
	int i;

	if (!s || !from)
		return 0;
	key = *from;
	for (i = 0; i < TOP_WORK; i++) {
		o = kept(span_of(&key), &key);
		if (!o)
			break;
		set_step(&s->work[i], key.span, o);
		s->num_work = i + 1;
		if (!set_parent_key(key.span, o, &key))
			break;
	}
	return 0;
}

/*
 * Functions are in the span that the thread works for if it is their parent, or
 * began before them in this thread.
 */
__noinline int add_key(struct top_sample *s, struct top_key *from,
		       struct top_key *work)
{
	struct top_key key;
	struct top_open *o;

	if (!s || !from || !work)
		return 0;
	/* Linux 6.1 takes no key from the memory of an argument */
	key = *from;
	o = run_by(&key, s->tid);
	if (!o)
		return 0;
	if (span_of(&key)->flags & TOP_BY_THREAD) {
		set_step(&s->step[s->num_steps & (TOP_PATH - 1)], key.span, o);
		s->num_steps++;
		if (!set_parent_key(key.span, o, &key))
			return 0;
	}
	if (!s->num_work) {
		*work = key;
		add_work(s, work);
	}
	if (is_key(&key, work))
		s->inside = s->num_steps;
	return 0;
}

static __noinline int add_steps(struct top_sample *s, struct top_running *r)
{
	struct top_key key, work = { .process = 0 };
	int i;

	for (i = 1; i <= TOP_PATH; i++) {
		if (i > r->count)
			break;
		key = r->key[(r->count - i) & (TOP_PATH - 1)];
		add_key(s, &key, &work);
	}
	return 0;
}

/* A process is traced from its first span on, or because of -p. */
static __always_inline struct top_traced *traced_now(__u32 pid, __u64 process)
{
	struct top_traced *t;

	if (only_pid && process)
		trace_process(process);
	t = bpf_map_lookup_elem(&traced, &pid);
	return t && t->process == process ? t : NULL;
}

/*
 * The command takes samples a few times a second. It is woken by the first one
 * of a process, whose mappings it has to read before the process ends, and when
 * the ring is half full.
 */
static __always_inline __u64 wake_for(struct top_traced *t)
{
	return !t->sampled++ || bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA) >
	       bpf_ringbuf_query(&samples, BPF_RB_RING_SIZE) / 2 ?
	       BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

SEC("perf_event")
int sample(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	__u64 id = bpf_get_current_pid_tgid();
	__u64 process = process_now();
	__u32 zero = 0;
	struct top_running *r;
	struct top_traced *t;
	struct top_sample *s;

	if (!began)
		return 0;
	t = traced_now(id >> 32, process);
	if (!t)
		return 0;
	s = bpf_map_lookup_elem(&sampled, &zero);
	if (!s)
		return 0;
	s->stacks.pid = id >> 32;
	s->stacks.parent = task->real_parent->tgid;
	s->tid = (__u32)id;
	s->num_steps = 0;
	s->num_work = 0;
	s->inside = 0;
	bpf_probe_read_kernel_str(s->command, sizeof(s->command),
				  task->group_leader->comm);
	r = running_now(0);
	if (r && is_listed(r, process))
		add_steps(s, r);
	stacks_take(ctx, &s->stacks);
	if (bpf_ringbuf_output(&samples, s,
			       stacks_size(sizeof(*s), &s->stacks),
			       wake_for(t)))
		__sync_fetch_and_add(&lost_samples, 1);
	return 0;
}

#endif /* FLAME_BPF_H */
