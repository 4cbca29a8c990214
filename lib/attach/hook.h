/* SPDX-License-Identifier: BSD-2-Clause */
/* Attaches hooks to their places, and detaches them; see place.h. */
#ifndef SDTKIT_TAP_HOOK_PRIV_H
#define SDTKIT_TAP_HOOK_PRIV_H

#include "place.h"

/*
 * Attaches the hook to its place, which has to exist: links it, writes the jump
 * or the trap, and raises the semaphore.  Errors: those of
 * sdtkit_tap_set_trap(); -EBUSY, -EOPNOTSUPP (not a nop; a jump cannot be, and
 * the tap has no traps).
 */
int sdtkit_tap_hook_up(struct sdtkit_tap_hook *hook);

/* What became of an object since the last scan. */
enum sdtkit_tap_presence {
	/* Not there any more: nothing may be written. */
	SDTKIT_TAP_GONE,
	/* There, and maybe loaded anew: where a trap is missing, it was. */
	SDTKIT_TAP_MAYBE_ANEW,
	/* Never away: where a trap is missing, a tracer has undone it. */
	SDTKIT_TAP_SAME,
};

/*
 * Detaches the hook: lowers the semaphore, and removes the trap if it was the
 * last hook.
 */
void sdtkit_tap_hook_off(struct sdtkit_tap_hook *hook,
			 enum sdtkit_tap_presence presence);

/* For a hook that no hit can be in: its place may have another. */
void sdtkit_tap_hook_forget(struct sdtkit_tap_hook *hook);

/*
 * Gives back the trap and the semaphore, and leaves the hook where it is: for
 * the handler of the signal, which may not free anything.
 */
void sdtkit_tap_hook_withdraw(struct sdtkit_tap_hook *hook);

/*
 * Writes the trap again if it is missing, and raises the semaphore of an object
 * that was loaded again.
 */
int sdtkit_tap_place_renew(struct sdtkit_tap_place *place,
			   enum sdtkit_tap_presence presence);

#endif /* SDTKIT_TAP_HOOK_PRIV_H */
