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
 * interrupted, so a hit only tries to take its part of it (lock.c). If it does
 * not get it, a later hit tries again.
 */
#include "hook.h"
#include "lock.h"
#include "withdraw.h"

void sdtkit_tap_withdraw(const struct sdtkit_tap_hook *hook, pid_t tid)
{
	struct sdtkit_tap_hook *other;

	if (hook->is_withdrawn || !sdtkit_tap_lock_at_hit(tid))
		return;
	for (other = hook->entry->loaded->hooks; other != NULL;
	     other = other->sibling)
		sdtkit_tap_hook_withdraw(other);
	sdtkit_tap_unlock_at_hit();
}
