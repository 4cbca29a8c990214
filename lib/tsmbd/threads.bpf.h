/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * threads.bpf.h - the system call that each thread of the processes is in.
 *
 * The programs of system calls run at each call of each process on the machine,
 * so it matters how long they take to find out that they have nothing to do.
 * The kernel keeps the registers that a thread has in user space at an address
 * that no other thread has, and passes it to these programs. It tells the place
 * in a table here, without a call of a helper: one look-up in the storage that
 * the kernel has for each task takes 30 ns, and this takes 2.
 *
 *	slots[hash of the address]	regs: of the thread that has the place
 *					shared: others have wanted it
 *	storage of the task		those others
 *
 * A thread gives its place back when it exits (process_exit), for the memory of
 * its registers may be another thread's then.
 */
#ifndef THREADS_BPF_H
#define THREADS_BPF_H

#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>

#include "tsmbd.h"

enum { SLOT_BITS = 14 };

const volatile __u32 last_slot = (1 << SLOT_BITS) - 1;	/* less for tests */

struct tsmbd_entered slots[1 << SLOT_BITS];

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct tsmbd_entered);
} threads SEC(".maps");

static __always_inline const void *own_regs(void)
{
	return (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

/*
 * The verifier does not let a program compute with a pointer of the kernel. The
 * difference of two pointers is a number for it. The factor is 2^64 divided by
 * the golden ratio (Knuth, The Art of Computer Programming, 6.4).
 */
static __always_inline struct tsmbd_entered *slot_of(const void *regs)
{
	__u64 number = (__u64)regs;

	asm("%0 -= %1" : "+r"(number) : "r"(slots));
	number = number * 0x9e3779b97f4a7c15ULL >> (64 - SLOT_BITS);
	return &slots[number & last_slot];
}

static __always_inline struct tsmbd_entered *thread_storage(__u64 flags)
{
	return bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL,
				    flags);
}

/* NULL: nothing is known of the thread, as of those that are not traced. */
static __always_inline struct tsmbd_entered *entered_at(const void *regs)
{
	struct tsmbd_entered *e = slot_of(regs);

	if (e->regs == (__u64)regs)
		return e;
	return e->shared ? thread_storage(0) : NULL;
}

static __always_inline struct tsmbd_entered *entered_find(void)
{
	return entered_at(own_regs());
}

static __always_inline struct tsmbd_entered *entered_new(void)
{
	__u64 id = bpf_get_current_pid_tgid();
	const void *regs = own_regs();
	struct tsmbd_entered *e = slot_of(regs);
	__u64 had = __sync_val_compare_and_swap(&e->regs, 0, (__u64)regs);

	if (had != 0 && had != (__u64)regs) {
		e->shared = 1;
		e = thread_storage(BPF_LOCAL_STORAGE_GET_F_CREATE);
	}
	if (e)
		e->main = (__u32)id == id >> 32;
	return e;
}

/*
 * A thread that exits gives its place back. If it had none, its state is in the
 * storage of its task, which the kernel frees.
 */
static __always_inline void entered_drop(void)
{
	const void *regs = own_regs();
	struct tsmbd_entered *e = slot_of(regs);

	if (e->regs != (__u64)regs)
		return;
	e->since = 0;
	e->vfs_ns = 0;
	e->lock_ns = 0;
	e->syscall_ns = 0;
	e->regs = 0;
}

#endif /* THREADS_BPF_H */
