/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tap that is given up from within its own callback: a program whose tracer
 * is gone restores its own sites and semaphores, so that it no longer pays for
 * hits that nobody wants.
 *
 *	callback --sdtkit_tap_end()--> tap->is_over
 *	next hit in an object --> all hooks of the tap in that object withdrawn
 *
 * Only the object that was just hit is touched: it is certainly still mapped,
 * since a thread is executing it.  Other libraries may have been unloaded, and
 * the loader's lock, which would tell, is not for handlers of signals.  A site
 * that is never hit again costs nothing.
 */
#ifndef SDTKIT_TAP_WITHDRAW_PRIV_H
#define SDTKIT_TAP_WITHDRAW_PRIV_H

#include <sys/types.h>

#include "place.h"
#include "state.h"

/*
 * No hit of this tap is wanted any more.  May be called from a callback.  The
 * tap still has to be closed.  A rescan then does nothing.
 */
void sdtkit_tap_end(struct sdtkit_tap *tap);

/*
 * For the handler of the signal, of a tap that is over: withdraws all of its
 * hooks in the object of this one.  If the library is at work in another
 * thread, nothing is done until the next hit.
 */
void sdtkit_tap_withdraw(const struct sdtkit_tap_hook *hook, pid_t tid);

/* Part of the library's lock: between these two, no handler withdraws. */
void sdtkit_tap_keep_out_handlers(void);
void sdtkit_tap_let_in_handlers(void);

#endif /* SDTKIT_TAP_WITHDRAW_PRIV_H */
