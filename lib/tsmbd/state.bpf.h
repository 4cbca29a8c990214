/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * state.bpf.h - the maps, and in which phase a process is.
 *
 * Each probe that ends a phase calls account(): the time since the last one
 * is added to the phase that ends, so that phases cannot overlap and nothing
 * is left out. Only the main thread of a process has phases, and only it
 * writes to its struct tsmbd_process; what all processes share is added to
 * atomically, as a program may be preempted by another one on the same CPU.
 */
#ifndef STATE_BPF_H
#define STATE_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "argument.bpf.h"
#include "slots.bpf.h"
#include "stack.bpf.h"
#include "threads.bpf.h"
#include "tsmbd.h"

#define MAP(name, kind, entries, key_type, value_type)	\
	struct {					\
		__uint(type, kind);			\
		__uint(max_entries, entries);		\
		__type(key, key_type);			\
		__type(value, value_type);		\
	} name SEC(".maps")

MAP(processes, BPF_MAP_TYPE_HASH, TSMBD_MAX_PROCESSES, __u32,
    struct tsmbd_process);
MAP(requests, BPF_MAP_TYPE_HASH, TSMBD_MAX_REQUESTS, struct tsmbd_request_key,
    struct tsmbd_request);
MAP(details, BPF_MAP_TYPE_HASH, TSMBD_MAX_DETAILS, struct tsmbd_request_key,
    struct tsmbd_detail);
MAP(ops, BPF_MAP_TYPE_PERCPU_ARRAY, 2 * TSMBD_OPS, __u32, struct tsmbd_op);
MAP(extremes, BPF_MAP_TYPE_PERCPU_ARRAY, 2 * TSMBD_OPS, __u32,
    struct tsmbd_extreme);
MAP(errors, BPF_MAP_TYPE_PERCPU_HASH, TSMBD_MAX_ERRORS, struct tsmbd_error_key,
    __u64);
MAP(top_0, BPF_MAP_TYPE_HASH, TSMBD_MAX_TOP, struct tsmbd_top_key,
    struct tsmbd_top_value);
MAP(top_1, BPF_MAP_TYPE_HASH, TSMBD_MAX_TOP, struct tsmbd_top_key,
    struct tsmbd_top_value);
MAP(sizes, BPF_MAP_TYPE_PERCPU_ARRAY, 4, __u32, struct tsmbd_size);
/* those that have been logged on to; in their key, req is their number */
MAP(sessions, BPF_MAP_TYPE_HASH, TSMBD_MAX_SESSIONS, struct tsmbd_request_key,
    __u32);
MAP(waits, BPF_MAP_TYPE_HASH, TSMBD_MAX_WAITS, struct tsmbd_wait_key,
    struct tsmbd_wait);
MAP(limited, BPF_MAP_TYPE_HASH, TSMBD_MAX_LIMITED, struct tsmbd_request_key,
    struct tsmbd_limited);
MAP(lost, BPF_MAP_TYPE_PERCPU_ARRAY, TSMBD_LOST_KINDS, __u32, __u64);

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} events SEC(".maps");

/* The command changes it to wait for the programs, see counters.c. */
struct fence_inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} fence_inner SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct fence_inner);
} fence SEC(".maps") = { .values = { &fence_inner } };

/* The few fields of the kernel's own struct that are needed. */
struct task_struct {
	int pid;
	int tgid;
	int exit_code;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	__u64 start_time;
	/* Equal until it executes another program. */
	__u64 parent_exec_id;
	__u64 self_exec_id;
} __attribute__((preserve_access_index));

struct sock_common {
	unsigned short skc_family;
} __attribute__((preserve_access_index));

struct sock {
	struct sock_common __sk_common;
} __attribute__((preserve_access_index));

/* As in <sys/socket.h>, which BPF programs cannot include. */
enum { TSMBD_INET = 2, TSMBD_INET6 = 10 };

/* Set by the command before the programs are loaded. */
const volatile __u32 only_pid;		/* and its children; 0: all */
const volatile __u32 modes;
const volatile __u64 slow_ns;
const volatile __u32 tops;		/* a bit for each enum tsmbd_kind */
const volatile __u32 share_commands;	/* count shares by command */
const volatile __u32 names;		/* likewise: read for all requests */
const volatile struct tsmbd_secret secret;	/* of hashes */
const volatile bool sleepable;		/* programs of PROBE_SLEEPS are */
const volatile __u32 wake_bytes;	/* of lines: then the command wakes */

/* Filters: a bit for each command; hashes of names, all if there is none. */
const volatile __u32 commands;
const volatile __u32 num_wanted[TSMBD_KINDS];
const volatile __u64 wanted[TSMBD_KINDS][TSMBD_MAX_HASHES];

/* Set by the command while the programs run. */
__u64 began;				/* 0: do nothing yet, or no more */
volatile __u32 bank;			/* a program reads it once */
__u32 deaths;				/* processes that were marked dead */
__u32 local_node;			/* its number + 1; 0: not known */
__u64 running_at;			/* where a process and its siblings note */
__u32 notes_wanted;			/* requests are read from notes */

static const struct tsmbd_process no_process;
static const struct tsmbd_request no_request;
static const struct tsmbd_detail no_detail;
static const struct tsmbd_top_value no_top;
static const struct tsmbd_wait no_wait;

/*
 * Brings the pages of a text into memory, so that it can be read: it may lie
 * in a file, where nobody has read it yet. Only programs of PROBE_SLEEPS may
 * do that, and before they reserve something.
 */
static __always_inline void touch(const void *text)
{
	char byte;

	if (!sleepable)
		return;
	bpf_copy_from_user(&byte, sizeof(byte), text);
	bpf_copy_from_user(&byte, sizeof(byte), text + TSMBD_NAME - 1);
}

static __always_inline const void *pointer(struct pt_regs *ctx, __u64 number)
{
	return (const void *)argument(ctx, number);
}

static __always_inline void add(unsigned long long *to, __u64 value)
{
	if (value)
		__sync_fetch_and_add(to, value);
}

/*
 * Additions wait for each other, and for memory, one after the other. Lines of
 * the cache that are all read first come at the same time.
 */
static __always_inline void bring(const void *at)
{
	(void)*(const volatile __u32 *)at;
}

static __always_inline void lose_many(__u32 kind, __u64 many)
{
	__u64 *count = bpf_map_lookup_elem(&lost, &kind);

	if (count)
		__sync_fetch_and_add(count, many);
}

static __always_inline void lose(__u32 kind)
{
	lose_many(kind, 1);
}

static __always_inline int is_wanted(struct task_struct *task, __u32 pid)
{
	__u32 parent;

	if (only_pid == 0 || pid == only_pid)
		return 1;
	parent = BPF_CORE_READ(task, real_parent, tgid);
	return parent == only_pid ||
	       bpf_map_lookup_elem(&processes, &parent) != NULL;
}

/*
 * Adds a process that began after the tracing, so that all time since then is
 * known. The command adds the others, but for those that it missed.
 */
static __noinline struct tsmbd_process *process_new(__u32 pid)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct tsmbd_process *p;
	__u64 started;

	if (!is_wanted(task, pid))
		return NULL;
	if (bpf_map_update_elem(&processes, &pid, &no_process, BPF_NOEXIST)) {
		lose(TSMBD_LOST_PROCESSES);
		return NULL;
	}
	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p)
		return NULL;
	p->pid = pid;
	started = BPF_CORE_READ(task, group_leader, start_time);
	p->begin = began;
	p->phase = TSMBD_PHASES;
	if (started > began) {
		p->begin = started;
		p->phase = TSMBD_OTHER;
	}
	p->last = p->begin;
	entered_new();
	return p;
}

/*
 * Returns the process whose main thread this is, or NULL. If it existed before
 * the tracing, guess is the phase that it was in until this first probe.
 */
static __always_inline struct tsmbd_process *process_main(__u32 guess)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_process *p;
	__u32 pid = id >> 32;

	if (!began || (__u32)id != pid)
		return NULL;
	p = bpf_map_lookup_elem(&processes, &pid);
	if (!p)
		p = process_new(pid);
	if (!p || p->dead)
		return NULL;
	if (p->phase == TSMBD_PHASES)
		p->phase = guess;
	return p;
}

/* The same for a probe: all programs of probes begin so. */
static __always_inline struct tsmbd_process *process_get(__u32 guess)
{
	stack_own();
	return process_main(guess);
}

/* Moves the times of system calls from a main thread to its process. */
static __always_inline void calls_take(struct tsmbd_process *p,
				       struct tsmbd_entered *e)
{
	if (!e || !e->syscall_ns)
		return;
	p->syscall_ns += e->syscall_ns;
	p->vfs_ns += e->vfs_ns;
	p->lock_ns += e->lock_ns;
	e->syscall_ns = 0;
	e->vfs_ns = 0;
	e->lock_ns = 0;
}

/*
 * The same as process_get(), where another request may begin to run, or none:
 * all system calls up to now belong to the one before.
 */
static __always_inline struct tsmbd_process *process_turns(__u32 guess)
{
	struct tsmbd_process *p = process_get(guess);

	if (p && modes & TSMBD_CALLS)
		calls_take(p, entered_find());
	return p;
}

/*
 * The time up to then was spent in phase; the next one begins. A note may be
 * older than that which was accounted last: see take.bpf.h.
 */
static __always_inline void account_until(struct tsmbd_process *p,
					  __u32 phase, __u32 next, __u64 then)
{
	__u64 spent;

	if (then < p->last)
		then = p->last;
	spent = then - p->last;
	barrier_var(phase);	/* the verifier has to see the check */
	if (phase < TSMBD_PHASES)
		p->phase_ns[phase] += spent;
	if (phase == TSMBD_RUN)
		p->run_ns += spent;
	if (phase == TSMBD_CTDB)
		p->ctdb_ns += spent;
	p->last = then;
	p->phase = next;
}

/* Whether the note that is taken is older than what has been accounted. */
static __always_inline bool is_late(const struct tsmbd_process *p)
{
	return p->at && p->at < p->last;
}

/* The time: while a note is taken, that of the note. */
static __always_inline __u64 time_of(const struct tsmbd_process *p)
{
	return p->at ? p->at : bpf_ktime_get_ns();
}

/* The same up to now, which is returned. */
static __always_inline __u64 account(struct tsmbd_process *p, __u32 phase,
				     __u32 next)
{
	__u64 now = time_of(p);

	account_until(p, phase, next, now);
	return now;
}

#endif /* STATE_BPF_H */
