/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ends a raw tap from within a hit: a program whose tracer is gone restores its
 * own sites and semaphores, so that it no longer pays for hits that nobody
 * reads.  The tap still has to be closed.  A rescan then does nothing.
 *
 *	hit() returns true --> tap->is_over
 *	hit in an object --> all hooks of the tap in that object withdrawn
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
 * Called by the signal handler for a tap that is over: withdraws the hooks of
 * that tap in the object of this hook.  If another thread holds the library's
 * lock, the hooks stay until the next hit.
 */
void sdtkit_tap_withdraw(const struct sdtkit_tap_hook *hook, pid_t tid);

#endif /* SDTKIT_TAP_WITHDRAW_PRIV_H */
