/* SPDX-License-Identifier: BSD-2-Clause */
/* A hit by a jump: what trampolines call. */
#ifndef SDTKIT_TAP_JUMP_HIT_PRIV_H
#define SDTKIT_TAP_JUMP_HIT_PRIV_H

#include <stdint.h>

struct sdtkit_tap_place;

/* What the first function leaves for the second. */
enum sdtkit_tap_rest {
	SDTKIT_TAP_NOTHING,
	/* The hooks that are not raw, and raw ones whose tap is over. */
	SDTKIT_TAP_EVENTS,
	/* All hooks. */
	SDTKIT_TAP_ALL,
};

/*
 * Called by a trampoline, with the registers that the thread had at the site.
 * It uses general registers only.
 */
enum sdtkit_tap_rest sdtkit_tap_on_jump(const struct sdtkit_tap_place *place,
					const uint64_t *registers);

/*
 * Called behind that, if something is left, when vector registers have been
 * saved too.
 */
void sdtkit_tap_on_jump_rest(const struct sdtkit_tap_place *place,
			     const uint64_t *registers, const void *vectors,
			     enum sdtkit_tap_rest rest);

#endif /* SDTKIT_TAP_JUMP_HIT_PRIV_H */
