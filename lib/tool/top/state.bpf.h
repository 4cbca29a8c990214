/* SPDX-License-Identifier: BSD-2-Clause */
/* state.bpf.h - the maps, what the command sets, and which process it is. */
#ifndef STATE_BPF_H
#define STATE_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>

#include "top/hit.h"

#define MAP(name, kind, flags, entries, key_type, value_type)	\
	struct name##_map {					\
		__uint(type, kind);				\
		__uint(map_flags, flags);			\
		__uint(max_entries, entries);			\
		__type(key, key_type);				\
		__type(value, value_type);			\
	} name SEC(".maps")

/* The map that is used now: the command replaces it, see turn.c. */
#define MAP_NOW(name)						\
	struct {						\
		__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);	\
		__uint(max_entries, 1);				\
		__type(key, __u32);				\
		__array(values, struct name##_map);		\
	} name##_now SEC(".maps") = { .values = { (void *)&name } }

/* the command sets the sizes of the first three, and of few */
MAP(sites, BPF_MAP_TYPE_ARRAY, 0, 1, __u32, struct top_site);
MAP(site_arguments, BPF_MAP_TYPE_ARRAY, 0, 1, __u32, struct top_arguments);
MAP(filters, BPF_MAP_TYPE_ARRAY, 0, 1, __u32, struct top_filter);
MAP(opens, BPF_MAP_TYPE_HASH, 0, TOP_MAX_OPEN, struct top_key,
    struct top_open);
MAP(values, BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC, TOP_MAX_OPEN, struct top_key,
    struct top_values);
MAP(slots, BPF_MAP_TYPE_ARRAY, BPF_F_MMAPABLE, TOP_SLOTS, __u32,
    struct top_slot);
MAP(slot_values, BPF_MAP_TYPE_ARRAY, BPF_F_MMAPABLE, TOP_SLOTS, __u32,
    struct top_values);
/*
 * few has rows of names that are small numbers, for each processor; rows has
 * all others. A row there is shared by all processors: a program in the kernel
 * gets memory for each processor only from what is ready, some ten rows.
 */
MAP(few, BPF_MAP_TYPE_PERCPU_ARRAY, 0, TOP_FEW, __u32, struct top_row);
MAP(rows, BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC, TOP_MAX_ROWS,
    struct top_row_key, struct top_row);
MAP(texts, BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC, TOP_MAX_TEXTS, __u64,
    struct top_text);
MAP_NOW(rows);
MAP_NOW(texts);
MAP(stats, BPF_MAP_TYPE_PERCPU_ARRAY, 0, TOP_SPANS, __u32, struct top_stats);
MAP(costs, BPF_MAP_TYPE_PERCPU_ARRAY, 0, 1, __u32, struct top_cost);
MAP(rates, BPF_MAP_TYPE_PERCPU_ARRAY, 0, TOP_MAX_RATES, __u32, __u64);

/* What threads have on their stacks: freed with the thread. */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct top_thread);
} threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, TOP_RING);
} lines SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, TOP_GONE_RING);
} gone SEC(".maps");

/* Set by the command before the programs are loaded. */
const volatile struct top_span spans[TOP_SPANS];
const volatile unsigned int max_keys;	/* of all spans */
const volatile unsigned int max_names;
const volatile unsigned int max_sums;
const volatile bool has_costs;
const volatile bool has_errors;
const volatile bool has_filters;
const volatile bool has_flame;
const volatile bool has_parents;
const volatile bool has_running;	/* some have parent=running */
const volatile bool has_rates;
const volatile bool has_stacks;
const volatile bool has_suspends;
const volatile bool has_texts;
const volatile bool has_times;
const volatile __u64 slow_ns;		/* 0: no lines */
const volatile __u32 only_pid;		/* and its children; 0: all */
const volatile __u32 mounts[TOP_MOUNTS];	/* of mount namespaces */
const volatile __u32 num_mounts;	/* 0: all processes */
const volatile bool without_mounts;	/* those that are in none of them */
const volatile __u64 secret[3];		/* of hashes */

/* Set by the command while the programs run. */
__u64 began;				/* 0: do nothing yet, or no more */
volatile __u32 sampling;		/* 0: not now; else how often it began */
volatile __u32 report;			/* the number of the present report */
volatile __u32 epochs[TOP_STACKS];	/* stacks of earlier ones mean nothing */

/* What did not fit into the rings. */
__u64 lost_lines;
__u64 lost_samples;

/* Strings that filters of probes compare, and that could not be read. */
__u64 lost_strings;

/* How many spans under way are in opens. */
__u64 elsewhere;

/* Whether the ring gone had no room for a process that ended. */
__u32 gone_unknown;

/* How many entries the present maps of rows and of texts have. */
__u32 rows_used;
__u32 texts_used;

static const struct top_row no_row;
static const struct top_values no_values = { .site = TOP_NO_SITE };

/* The few fields of the kernel's own structs that are needed. */
struct signal_struct {
	struct {
		int counter;
	} live;				/* threads */
} __attribute__((preserve_access_index));

struct mnt_namespace {
	struct {
		unsigned int inum;
	} ns;
} __attribute__((preserve_access_index));

struct nsproxy {
	struct mnt_namespace *mnt_ns;
} __attribute__((preserve_access_index));

struct task_struct {
	int pid;
	int tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct signal_struct *signal;
	struct nsproxy *nsproxy;
	char comm[TOP_COMMAND];
	__u64 start_time;
	__u64 self_exec_id;		/* counts execve(2) */
} __attribute__((preserve_access_index));

/*
 * A process is the same only if it also began at the same time, and runs the
 * same program. Returns what it was before its last programs.
 */
static __always_inline __u64 process_before(struct task_struct *task,
					    __u32 programs)
{
	__u32 began_at = (__u32)task->group_leader->start_time;
	__u32 executed = (__u32)task->self_exec_id - programs;

	return (__u64)(began_at + executed) << 32 | (__u32)task->tgid;
}

static __always_inline __u64 process_of(struct task_struct *task)
{
	return process_before(task, 0);
}

/* Whether the process is in one of the mount namespaces that are wanted. */
static __always_inline bool is_mounted(struct task_struct *task)
{
	__u32 here = task->nsproxy->mnt_ns->ns.inum;
	__u32 i;

	for (i = 0; i < num_mounts && i < TOP_MOUNTS; i++) {
		if (mounts[i] == here)
			return !without_mounts;
	}
	return without_mounts;
}

/* Returns 0 if the process is not to be traced. */
static __always_inline __u64 process_now(void)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();

	if (only_pid && (__u32)task->tgid != only_pid &&
	    (__u32)task->real_parent->tgid != only_pid)
		return 0;
	if (num_mounts && !is_mounted(task))
		return 0;
	return process_of(task);
}

static __always_inline const volatile struct top_span *
span_of(const struct top_key *key)
{
	return &spans[key->span & (TOP_SPANS - 1)];
}

static __always_inline void add(unsigned long long *to, __u64 value)
{
	if (value)
		__sync_fetch_and_add(to, value);
}

/* Counts one in a member of the statistics of a span, by its offset. */
static __always_inline void stat_add(__u32 span, __u32 offset, __u64 number)
{
	char *s = bpf_map_lookup_elem(&stats, &span);

	if (s)
		add((unsigned long long *)(s + offset), number);
}

static __always_inline void stat(__u32 span, __u32 offset)
{
	stat_add(span, offset, 1);
}

/* Wakes the command; there is no process 0. */
static __always_inline void turn_soon(void)
{
	__u64 none = 0;

	bpf_ringbuf_output(&gone, &none, sizeof(none), BPF_RB_FORCE_WAKEUP);
}

static __always_inline void left(__u32 span, __u64 number)
{
	if (number)
		stat_add(span, offsetof(struct top_stats, left), number);
}

static __always_inline void rate(__u32 index)
{
	__u64 *count = bpf_map_lookup_elem(&rates, &index);

	if (count)
		__sync_fetch_and_add(count, 1);
}

#endif /* STATE_BPF_H */
