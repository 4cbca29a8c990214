/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ends a tap from within its own callback: a program whose tracer is gone
 * restores its own sites and semaphores, so that it no longer pays for hits
 * that nobody reads.
 *
 *	callback --sdtkit_tap_end()--> tap->is_over
 *	next hit in an object --> all hooks of the tap in that object withdrawn
 *
 * Only the object that was just hit is touched: it is certainly still mapped,
 * since a thread is executing it.  Other libraries may have been unloaded, and
 * a signal handler cannot take the loader's lock to learn that.  A site that is
 * never hit again costs nothing.
 */
#ifndef SDTKIT_TAP_WITHDRAW_PRIV_H
#define SDTKIT_TAP_WITHDRAW_PRIV_H

#include <sys/types.h>

#include "place.h"
#include "state.h"

/*
 * Tells the library that no hit of this tap is needed any more.  A callback may
 * call it.  The tap still has to be closed.  A rescan then does nothing.
 */
void sdtkit_tap_end(struct sdtkit_tap *tap);

/*
 * Called by the signal handler for a tap that is over: withdraws the hooks of
 * that tap in the object of this hook.  If another thread holds the library's
 * lock, the hooks stay until the next hit.
 */
void sdtkit_tap_withdraw(const struct sdtkit_tap_hook *hook, pid_t tid);

#endif /* SDTKIT_TAP_WITHDRAW_PRIV_H */
