/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hit at a place, however the library was told of it -> every tap that is
 * attached there.
 *
 *	trap.c: a signal, its context ------> deliver --> each hook's callback,
 *	jump_hit.c: a jump, saved registers ----^         buffer or raw function
 */
#ifndef SDTKIT_TAP_DELIVER_PRIV_H
#define SDTKIT_TAP_DELIVER_PRIV_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "decode.h"
#include "epoch.h"
#include "place.h"

/* A thread that must not be cancelled, nor ignored by who frees hooks. */
struct sdtkit_tap_visitor {
	struct sdtkit_tap_reader reader;
	int cancel_state;
	int cancel_type;
};

/* Around all that reads places and hooks at a hit. */
void sdtkit_tap_visitor_enter(pid_t tid, struct sdtkit_tap_visitor *visitor);
void sdtkit_tap_visitor_leave(const struct sdtkit_tap_visitor *visitor);

/*
 * Gives the hit to all hooks of the place.  Nothing in here allocates or waits.
 */
void sdtkit_tap_deliver(const struct sdtkit_tap_place *place,
			const struct sdtkit_tap_thread *thread);

/* The same for one kind of hooks. */
void sdtkit_tap_deliver_raw(const struct sdtkit_tap_place *place,
			    const uint64_t *registers);
void sdtkit_tap_deliver_events(const struct sdtkit_tap_place *place,
			       const struct sdtkit_tap_thread *thread);

#endif /* SDTKIT_TAP_DELIVER_PRIV_H */
