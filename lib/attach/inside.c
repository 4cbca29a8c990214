/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See inside.h.  A record is found by the thread's id, so that it is used again
 * when its thread has ended: nothing has to be done at the end of a thread.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../base/clock.h"
#include "inside.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK	18
#endif

enum {
	RECORDS = 4096,
	/* How many records a thread looks at, to find one that it can take. */
	TRIES = 16,
	/* Commands of membarrier(2). */
	EXPEDITED = 1 << 3,
	REGISTER_EXPEDITED = 1 << 4,
	EXPEDITED_SYNC_CORE = 1 << 5,
	REGISTER_EXPEDITED_SYNC_CORE = 1 << 6,
	WAIT_NANOSECONDS = 100000,
	/* For all threads together. */
	PATIENCE_NANOSECONDS = 1000000000,
};

_Thread_local __attribute__((tls_model("initial-exec")))
struct sdtkit_tap_inside *sdtkit_tap_self;

/* The records. The kernel sets all of this to 0 in a child. */
static struct {
	/* The process. The child of a vfork() sees this, but is another. */
	_Atomic pid_t pid;
	unsigned int generation;
	struct sdtkit_tap_inside records[RECORDS];
} *all;

/* Not set to 0 in a child, which goes on from the number of its parent. */
static unsigned int generations;
/* The process noted last: in a child, its parent, until the child is noted. */
static _Atomic pid_t noted;

static int barrier(int command)
{
#ifdef SYS_membarrier
	return (int)syscall(SYS_membarrier, command, 0, 0);
#else
	errno = ENOSYS;
	return -1;
#endif
}

void sdtkit_tap_inside_note(void)
{
	pid_t pid = getpid();

	if (all == NULL || atomic_load(&all->pid) != 0)
		return;
	/* The record that this points to is empty: any thread may take it. */
	sdtkit_tap_self = NULL;
	atomic_store(&all->pid, pid);
	atomic_store(&noted, pid);
}

const char *sdtkit_tap_inside_prepare(void)
{
	size_t size = sizeof(*all);
	void *memory;

	if (barrier(REGISTER_EXPEDITED) < 0)
		return "the kernel has no private membarrier()";
	barrier(REGISTER_EXPEDITED_SYNC_CORE);
	if (all == NULL) {
		memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			      0);
		if (memory == MAP_FAILED)
			return "no memory for the records of threads";
		if (madvise(memory, size, MADV_WIPEONFORK) < 0) {
			munmap(memory, size);
			return "the kernel has no MADV_WIPEONFORK";
		}
		all = memory;
	}
	if (all->generation == 0)
		all->generation = ++generations;
	sdtkit_tap_inside_note();
	return NULL;
}

unsigned int sdtkit_tap_inside_generation(void)
{
	return all->generation;
}

static bool is_alive(pid_t tid)
{
	return syscall(SYS_tgkill, getpid(), tid, 0) == 0 || errno != ESRCH;
}

/* Takes a record that is free, or whose thread has ended. */
static bool take(struct sdtkit_tap_inside *record, pid_t tid)
{
	pid_t owner = atomic_load(&record->tid);

	if (owner != 0 && owner != tid && is_alive(owner))
		return false;
	return atomic_compare_exchange_strong(&record->tid, &owner, tid);
}

/*
 * Whether this process may take a record. The child of a vfork() may not: its
 * parent, which has the same memory, would have the record later. If the
 * records are empty, the process was made by fork(), or by clone(2) without its
 * handlers; or it is the child of a vfork() of such a process, and then its
 * parent is not the process that was noted last.
 */
static bool is_own(void)
{
	pid_t pid = getpid(), present = atomic_load(&all->pid);

	if (present == 0 && getppid() == atomic_load(&noted)) {
		sdtkit_tap_inside_note();
		return true;
	}
	return present == pid;
}

void sdtkit_tap_inside_join(pid_t tid)
{
	size_t i;

	if (all == NULL || tid <= 0 || !is_own())
		return;
	for (i = 0; i < TRIES; i++) {
		struct sdtkit_tap_inside *record =
			&all->records[((size_t)tid + i) % RECORDS];

		if (!take(record, tid))
			continue;
		atomic_store(&record->depth, 0);
		atomic_signal_fence(memory_order_seq_cst);
		sdtkit_tap_self = record;
		return;
	}
}

static bool is_inside(struct sdtkit_tap_inside *record, unsigned int round)
{
	return atomic_load(&record->depth) != 0 &&
	       atomic_load(&record->round) == round &&
	       is_alive(atomic_load(&record->tid));
}

/* Waits until the thread has left its hit. False: it has not by that time. */
static bool wait_for(struct sdtkit_tap_inside *record, uint64_t end)
{
	const struct timespec time = { .tv_nsec = WAIT_NANOSECONDS };
	unsigned int round = atomic_load(&record->round);

	while (is_inside(record, round)) {
		if (sdtkit_nanoseconds(CLOCK_MONOTONIC) >= end)
			return false;
		nanosleep(&time, NULL);
	}
	return true;
}

bool sdtkit_tap_inside_wait(void)
{
	uint64_t end = sdtkit_nanoseconds(CLOCK_MONOTONIC) +
		       PATIENCE_NANOSECONDS;
	bool done = true;
	size_t i;

	if (all == NULL)
		return true;
	if (barrier(EXPEDITED) < 0 &&
	    (barrier(REGISTER_EXPEDITED) < 0 || barrier(EXPEDITED) < 0))
		return false;
	for (i = 0; i < RECORDS; i++) {
		if (atomic_load(&all->records[i].tid) != 0 &&
		    !wait_for(&all->records[i], end))
			done = false;
	}
	/* What these hits have read was read before the caller frees it. */
	atomic_thread_fence(memory_order_seq_cst);
	return done;
}

void sdtkit_tap_inside_sync_code(void)
{
	barrier(EXPEDITED_SYNC_CORE);
}
