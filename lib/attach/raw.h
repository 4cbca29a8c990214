/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tap that is told of hits with nothing but the registers. It is for a tracer
 * that decides what a hit has to do when it attaches, as a recorder does.
 *
 *	attach: a hook, its operands and forms -> the user's site
 *	hit: the user's site, registers
 *	detach: the user's site
 *
 * Such a tap keeps no events and counts no hits.  Rescan and close are the same
 * as for other taps.
 */
#ifndef SDTKIT_TAP_RAW_PRIV_H
#define SDTKIT_TAP_RAW_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "sdtkit/tap.h"

struct sdtkit_tap_hook;

/*
 * What is called; context is that of the options, and has to stay valid after
 * the close if a hit does not return.
 */
struct sdtkit_tap_raw {
	/*
	 * Before the first hit, under the library's lock: returns what the user
	 * keeps for this site.  place.h and state.h say what a hook has; it is
	 * valid until detach.  NULL leaves the site out.
	 */
	void *(*attach)(const struct sdtkit_tap_hook *hook, void *context);
	/*
	 * When the last hit has returned, under the library's lock; never, if a
	 * hit does not return.  NULL: nothing is called.
	 */
	void (*detach)(void *site, void *context);
	/*
	 * At a hit, in the thread that hit the site and on its stack, also in
	 * the middle of another hit if a signal handler hits a site.  The
	 * registers are by their numbers in DWARF, register_count of them
	 * (machine.h).
	 *
	 * The function has to be compiled so that it uses general registers
	 * only (tap_entry_args of lib/attach/meson.build), may call nothing that
	 * uses others, leaves errno as it was, and must be fit for signal
	 * handlers.  Signals may or may not be blocked, and the thread may be
	 * cancelled if it has asked for that at any time.
	 *
	 * Returns true if no further hit of this tap is wanted: the tap is over
	 * then, and its sites in the object of this one are given back
	 * (withdraw.h).
	 */
	bool (*hit)(void *site, const uint64_t *registers, void *context);
	/*
	 * A site that cannot have a jump, or has a trap of another tap, cannot
	 * be attached to (-EOPNOTSUPP): a thread that blocks the signal of
	 * traps is killed by one.  That the opening thread does is no error.
	 */
	bool has_no_traps;
};

/*
 * As sdtkit_tap_open_with(), with these functions instead of a callback or a
 * buffer.  raw is copied; NULL: a tap of the usual kind.  Errors: the same.
 */
int sdtkit_tap_open_raw(const char *pattern,
			const struct sdtkit_tap_options *options,
			const struct sdtkit_tap_raw *raw,
			struct sdtkit_tap **tap);

#endif /* SDTKIT_TAP_RAW_PRIV_H */
