/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See lock.h. A hit must not wait for a mutex, which the thread that it has
 * interrupted may have. So there is a second, simpler lock, which every thread
 * that takes the mutex takes as well.
 *
 *	holder	0: nobody; LIBRARY: the thread that has the mutex;
 *		else the number of a thread whose handler is at work
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lock.h"

enum {
	LIBRARY = -1,
};

struct sdtkit_tap *sdtkit_tap_all;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pid_t holder;

static bool take(pid_t from, pid_t to)
{
	return atomic_compare_exchange_strong(&holder, &from, to);
}

bool sdtkit_tap_lock_at_hit(pid_t tid)
{
	return take(0, tid);
}

void sdtkit_tap_unlock_at_hit(void)
{
	atomic_store(&holder, 0);
}

/*
 * Whether this process does not have the thread: it ended while its handler was
 * at work (the child of a vfork() that was killed), or it is a thread of the
 * parent, and this process was made by clone(2) without fork().
 */
static bool is_stranger(pid_t tid)
{
	return tid > 0 && syscall(SYS_tgkill, getpid(), tid, 0) < 0 &&
	       errno == ESRCH;
}

static void keep_out_handlers(void)
{
	int error = errno;
	pid_t other;

	while (!take(0, LIBRARY)) {
		other = atomic_load(&holder);
		if (is_stranger(other) && take(other, LIBRARY))
			break;
		sched_yield();
	}
	errno = error;
}

void sdtkit_tap_lock(void)
{
	pthread_mutex_lock(&lock);
	keep_out_handlers();
}

void sdtkit_tap_unlock(void)
{
	atomic_store(&holder, 0);
	pthread_mutex_unlock(&lock);
}
