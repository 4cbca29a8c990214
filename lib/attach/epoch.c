/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See epoch.h.  There are two counters of readers, used in turn: readers that
 * enter add to the counter of the present epoch, and who waits begins a new
 * epoch and then waits until the other counter is 0.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "epoch.h"

static atomic_uint epoch;
static atomic_long readers[2];

/*
 * The thread that is in a handler, or 0, and the epoch that it entered.  The
 * thread is known by its id, because the child of a vfork(), which has the
 * variables of its parent, may be killed in there.  Their address is fixed when
 * the thread starts, so that no function is called to find them.
 */
#define IN_HANDLER _Thread_local __attribute__((tls_model("initial-exec")))
static IN_HANDLER pid_t reading_thread;
static IN_HANDLER unsigned int reading_epoch;

static unsigned int enter_epoch(void)
{
	unsigned int now;

	for (;;) {
		now = atomic_load(&epoch);
		atomic_fetch_add(&readers[now & 1], 1);
		if (atomic_load(&epoch) == now)
			return now;
		atomic_fetch_sub(&readers[now & 1], 1);
	}
}

/* A child that was killed in a handler does not leave by itself. */
static void leave_for_child(pid_t tid)
{
	if (reading_thread == 0 || reading_thread == tid ||
	    kill(reading_thread, 0) == 0 || errno != ESRCH)
		return;
	reading_thread = 0;
	atomic_fetch_sub(&readers[reading_epoch & 1], 1);
}

void sdtkit_tap_reader_enter(pid_t tid, struct sdtkit_tap_reader *reader)
{
	leave_for_child(tid);
	reader->epoch = enter_epoch();
	reader->is_outermost = reading_thread == 0;
	if (reader->is_outermost) {
		reading_epoch = reader->epoch;
		reading_thread = tid;
	}
}

void sdtkit_tap_reader_leave(const struct sdtkit_tap_reader *reader)
{
	if (reader->is_outermost)
		reading_thread = 0;
	atomic_fetch_sub(&readers[reader->epoch & 1], 1);
}

void sdtkit_tap_readers_wait(void)
{
	unsigned int before = atomic_fetch_add(&epoch, 1);

	leave_for_child((pid_t)syscall(SYS_gettid));
	while (atomic_load(&readers[before & 1]) > 0)
		sched_yield();
}

void sdtkit_tap_readers_forget(void)
{
	reading_thread = 0;
	atomic_store(&readers[0], 0);
	atomic_store(&readers[1], 0);
}
