/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See withdraw.h.
 *
 * Who may free what, and when. A hit reads memory of the library without a
 * lock, in any thread and in handlers of signals:
 *
 *	place, stub,	are never freed: a thread may be anywhere between the
 *	trampoline	site and the library
 *	table of places	is freed when it was replaced by a larger one, and no
 *			hit is left that began before
 *	hook, its call	is freed at a close, or at a scan after its object was
 *			unloaded, when no hit is left that began before
 *	tap, entries	are freed at the close, after the hooks
 *
 * A hook goes in this order, under the library's lock:
 *
 * 1. The semaphore is lowered, so that the program does not come to the site.
 * 2. The hook is unlinked from its place. Its own "next" stays as it is,
 *    because a hit that has reached it goes on from there.
 * 3. If no other hook is left at the place, the site is restored.
 * 4. The library waits for the hits that are there: for those by a trap with
 *    the counters of epoch.c, for those by a jump with the records of inside.c.
 * 5. The hook is freed. A hit by a jump that has not returned after a second
 *    may never return, because a handler has left it by siglongjmp(): then the
 *    hook, and the tap, are kept for ever.
 *
 * The child of a fork() has one thread, so it forgets the hits of its parent
 * (sdtkit_tap_readers_forget()). The child of a vfork() has the memory of its
 * parent: hits there free nothing.
 *
 * This file is for a hit, which itself may free nothing and may not wait. It
 * does steps 1 and 3, and marks the hook, which stays linked until the tap is
 * closed. The library's lock may be held by the thread that the handler has
 * interrupted. So a hit only tries to take a second, simpler lock, which every
 * thread that takes the library's lock takes as well. If it does not get it, a
 * later hit tries again.
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
