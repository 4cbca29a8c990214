/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls.bpf.h - system calls of the processes: how many, how long, what for.
 *
 * Time in system calls is that of the main thread, without the wait for
 * events: it overlaps with the phases and is not one. Disk I/O is that of
 * all threads, as smbd hands reads and writes to threads.
 *
 * All calls are counted for -s and --slow only, but the programs run at each
 * call of each process on the machine, so they first check which call it is,
 * and whose. A thread of a traced process has memory of its own for the call
 * that it is in and for the times of its calls (threads.bpf.h).
 */
#ifndef CALLS_BPF_H
#define CALLS_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "run.bpf.h"
#include "state.bpf.h"
#include "take.bpf.h"
#include "tsmbd.h"

MAP(calls, BPF_MAP_TYPE_PERCPU_ARRAY, 1, __u32, struct tsmbd_calls);
MAP(disk, BPF_MAP_TYPE_PERCPU_ARRAY, 2, __u32, struct tsmbd_io);

/*
 * By number: tsmbd_known() of enum tsmbd_call_kind, and of the index of its
 * counter, which are the command's choice (calls.c).
 */
const volatile unsigned short known_calls[TSMBD_SYSCALLS];

/* F_SETLK and F_SETLKW, those of 64 bits, F_OFD_SETLK and F_OFD_SETLKW */
static const __u64 lock_commands =
	1ULL << 6 | 1ULL << 7 | 1ULL << 13 | 1ULL << 14 | 1ULL << 37 |
	1ULL << 38;

static __always_inline __u32 known_of(__u64 number)
{
	return number < TSMBD_SYSCALLS ?
		known_calls[number & (TSMBD_SYSCALLS - 1)] :
		tsmbd_known(TSMBD_CALL_OTHER, TSMBD_SYSCALLS);
}

static __always_inline __u32 kind_of(__u64 number)
{
	return tsmbd_known_kind(known_of(number));
}

static __always_inline bool is_disk(__u32 kind)
{
	return kind == TSMBD_CALL_READ || kind == TSMBD_CALL_WRITE;
}

/* The registers of a thread that is in a system call: they have its number. */
struct pt_regs___kernel {
	unsigned long orig_ax, di, si;	/* x86-64 */
	int syscallno;			/* arm64 */
} __attribute__((preserve_access_index));

static __always_inline __u64 read_register(const void *at)
{
	unsigned long value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), at);
	return value;
}

/*
 * The programs have a type for the registers, with which they may read them as
 * they are. On some machines the first argument is overwritten when a call
 * begins.
 */
#if defined(__TARGET_ARCH_x86)
#define FIRST_ARGUMENT(regs)	(((struct pt_regs___kernel *)(regs))->di)
#define SECOND_ARGUMENT(regs)	(((struct pt_regs___kernel *)(regs))->si)
#elif defined(__TARGET_ARCH_arm64) || defined(__TARGET_ARCH_s390)
#define FIRST_ARGUMENT(regs)	PT_REGS_PARM1_CORE_SYSCALL(regs)
#else
#define FIRST_ARGUMENT(regs)	read_register(&PT_REGS_PARM1_SYSCALL(regs))
#endif
#ifndef SECOND_ARGUMENT
#define SECOND_ARGUMENT(regs)	read_register(&PT_REGS_PARM2_SYSCALL(regs))
#endif

/* fcntl() takes locks of databases, and does other things to files. */
static __always_inline __u32 kind_of_fcntl(struct pt_regs *regs)
{
	__u64 command = SECOND_ARGUMENT(regs);

	return command < 64 && lock_commands >> command & 1 ?
		TSMBD_CALL_LOCK : TSMBD_CALL_FILE;
}

/* Without TSMBD_CALLS, only the calls that phases and disk I/O depend on. */
static __always_inline bool is_of_interest(__u32 kind)
{
	return modes & TSMBD_CALLS || kind == TSMBD_CALL_WAIT || is_disk(kind);
}

#if defined(__TARGET_ARCH_x86)
#define NUMBER(regs)	((regs)->orig_ax)
#elif defined(__TARGET_ARCH_arm64)
#define NUMBER(regs)	((regs)->syscallno)
#endif

/* On other machines the registers do not tell. */
static __always_inline bool was_wait(struct pt_regs___kernel *regs)
{
#ifdef NUMBER
	return kind_of(NUMBER(regs)) == TSMBD_CALL_WAIT;
#else
	return false;
#endif
}

/*
 * The system call that the current thread is in; NULL if its process is not
 * traced. A thread gets this storage when it first waits, reads or writes, so
 * that the system calls of all other threads cost less.
 */
static __always_inline struct tsmbd_entered *entered_get(const void *regs,
							 __u32 kind)
{
	struct tsmbd_entered *e = entered_at(regs);
	__u32 pid;

	if (e || (kind != TSMBD_CALL_WAIT && !is_disk(kind)))
		return e;
	pid = bpf_get_current_pid_tgid() >> 32;
	return bpf_map_lookup_elem(&processes, &pid) ? entered_new() : NULL;
}

static __always_inline struct tsmbd_process *process_known(__u32 pid)
{
	struct tsmbd_process *p = bpf_map_lookup_elem(&processes, &pid);

	return began && p && !p->dead ? p : NULL;
}

/*
 * A request that runs may wait in an event loop of its own, which does not end
 * the request. The event loop of the process is the one in which it waits when
 * a request has just ended.
 */
static __always_inline void loop_waits(struct tsmbd_entered *e,
				       struct pt_regs *regs)
{
	struct tsmbd_process *p = process_main(TSMBD_PHASES);
	__u32 loop = FIRST_ARGUMENT(regs);

	if (!p)
		return;
	calls_take(p, e);
	notes_take(p);
	if (p->phase == TSMBD_PHASES)
		p->phase = TSMBD_WAIT;
	if (p->loop == 0 || (p->phase == TSMBD_SEND && !p->current))
		p->loop = loop;
	if (p->loop == loop)
		wait_begin(p);
}

/* Of a main thread: other threads have no phases. */
static __always_inline void loop_wakes(void)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct tsmbd_process *p = process_known(id >> 32);

	if (p && (__u32)id == id >> 32 && p->phase == TSMBD_WAIT)
		wait_end(p);
}

static __always_inline void count_disk(__u32 kind, __u64 ns)
{
	__u32 at = kind == TSMBD_CALL_WRITE;
	struct tsmbd_io *io = bpf_map_lookup_elem(&disk, &at);

	if (!io)
		return;
	add(&io->count, 1);
	add(&io->ns, ns);
	add(&io->slots[slots_power(ns / 1000)], 1);
}

/* Time that a thread may keep, which a report in the meantime lacks. */
static const __u64 KEPT_NS = 100000;

static __always_inline void count_call(struct tsmbd_entered *e, __u64 ns)
{
	__u32 index = e->index;
	struct tsmbd_calls *all;
	struct tsmbd_process *p;
	__u32 first = 0;

	if (!began)
		return;
	e->syscall_ns += ns;
	if (e->kind == TSMBD_CALL_LOCK)
		e->lock_ns += ns;
	else if (e->kind != TSMBD_CALL_OTHER)
		e->vfs_ns += ns;
	if (e->syscall_ns > KEPT_NS) {
		p = process_known(bpf_get_current_pid_tgid() >> 32);
		if (p)
			calls_take(p, e);
	}
	/*
	 * Only call_exit adds to it, and a CPU runs that once at a time: the
	 * kernel disables preemption, or does not enter it again.
	 */
	all = bpf_map_lookup_elem(&calls, &first);
	if (all && index < TSMBD_SYSCALLS) {
		all->of[index].count++;
		all->of[index].ns += ns;
	}
}

static __always_inline void call_begins(struct pt_regs *regs, __u32 kind,
					__u32 index)
{
	struct tsmbd_entered *e = entered_get(regs, kind);

	if (!e || (!e->main && !is_disk(kind)))
		return;
	if (kind == TSMBD_CALL_FCNTL)
		kind = kind_of_fcntl(regs);
	e->kind = kind;
	e->index = index;
	if (kind == TSMBD_CALL_WAIT) {
		e->since = 1;	/* the phases have its time */
		loop_waits(e, regs);
	} else {
		e->since = bpf_ktime_get_ns();
	}
}

/*
 * What waits when the tracing begins has no storage yet. The phase of its
 * process, which the command knows, says that it waited.
 */
static __always_inline void call_ends(void *regs)
{
	struct tsmbd_entered *e = entered_at(regs);
	__u64 ns;

	if (!e && was_wait(regs))
		loop_wakes();
	if (!e || !e->since)
		return;
	if (e->kind == TSMBD_CALL_WAIT) {
		e->since = 0;
		loop_wakes();
		return;
	}
	ns = bpf_ktime_get_ns() - e->since;
	e->since = 0;
	if (is_disk(e->kind))
		count_disk(e->kind, ns);
	if (modes & TSMBD_CALLS && e->main)
		count_call(e, ns);
}

SEC("tp_btf/sys_enter")
int call_enter(__u64 *ctx)
{
	__u32 known = known_of(ctx[1]);
	__u32 kind = tsmbd_known_kind(known);

	if (is_of_interest(kind))
		call_begins((void *)ctx[0], kind, tsmbd_known_index(known));
	return 0;
}

SEC("tp_btf/sys_exit")
int call_exit(__u64 *ctx)
{
	call_ends((void *)ctx[0]);
	return 0;
}

/*
 * If not all calls are counted, these are attached to the kernel's functions
 * for the few that matter, and no other call of any process takes longer. They
 * are those of calls.c for WAIT, READ and WRITE.
 */
#ifdef __TARGET_ARCH_x86
#define CALL(kind, name)						\
SEC("fentry/__x64_sys_" #name)						\
int enter_##name(__u64 *ctx)						\
{									\
	call_begins((void *)ctx[0], kind, 0);				\
	return 0;							\
}									\
SEC("fexit/__x64_sys_" #name)						\
int exit_##name(__u64 *ctx)						\
{									\
	call_ends((void *)ctx[0]);					\
	return 0;							\
}

CALL(TSMBD_CALL_WAIT, epoll_wait)
CALL(TSMBD_CALL_WAIT, epoll_pwait)
CALL(TSMBD_CALL_WAIT, epoll_pwait2)
CALL(TSMBD_CALL_READ, pread64)
CALL(TSMBD_CALL_READ, preadv)
CALL(TSMBD_CALL_READ, preadv2)
CALL(TSMBD_CALL_READ, sendfile64)
CALL(TSMBD_CALL_WRITE, pwrite64)
CALL(TSMBD_CALL_WRITE, pwritev)
CALL(TSMBD_CALL_WRITE, pwritev2)
#endif

#endif /* CALLS_BPF_H */
