/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See withdraw.h.  A handler cannot wait for the library's lock, which the
 * thread that it interrupted may hold.  So it only tries to take a second,
 * simpler lock, which a thread that takes the library's lock takes as well.
 *
 *	holder	0: nobody; LIBRARY: the thread that has the library's lock;
 *		else the number of a thread whose handler is at work
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "withdraw.h"

enum {
	LIBRARY = -1,
};

static _Atomic pid_t holder;

void sdtkit_tap_end(struct sdtkit_tap *tap)
{
	atomic_store(&tap->is_over, true);
}

static bool take(pid_t from, pid_t to)
{
	return atomic_compare_exchange_strong(&holder, &from, to);
}

void sdtkit_tap_withdraw(const struct sdtkit_tap_hook *hook, pid_t tid)
{
	struct sdtkit_tap_hook *other;

	if (hook->is_withdrawn || !take(0, tid))
		return;
	for (other = hook->entry->loaded->hooks; other != NULL;
	     other = other->sibling)
		sdtkit_tap_hook_withdraw(other);
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

void sdtkit_tap_keep_out_handlers(void)
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

void sdtkit_tap_let_in_handlers(void)
{
	atomic_store(&holder, 0);
}
