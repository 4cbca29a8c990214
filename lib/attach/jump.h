/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A jump at a site, instead of a trap: a hit takes nanoseconds instead of
 * microseconds.  For the default site of x86-64:
 *
 *	90			nop		tracers put their trap here
 *	66 2e 0f 1f 84 ...	ten-byte nop	66 becomes e9: a jump
 *
 * One byte is replaced by one store.  The four behind it, which stay, are the
 * displacement of the jump, so that what it reaches (stub.h) is in every
 * process as far below the site.
 *
 * Invariants:
 * 1. whatever tracers of the kernel do at the two nops, and in whichever order,
 *    each instruction is a whole one: they restore one byte, as this does;
 * 2. what cannot have a jump has a trap, unless a tap wants none (raw.h): this
 *    never fails, it says why;
 * 3. all registers, and the stack below the stack pointer, are as they were
 *    when the program goes on behind the site; the flags are not, which no
 *    compiler expects of an asm statement.
 */
#ifndef SDTKIT_TAP_JUMP_PRIV_H
#define SDTKIT_TAP_JUMP_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sdtkit_tap_place;

/*
 * Decides whether there can be jumps in this process.  The environment variable
 * SDTKIT_TAP_WAY=trap forbids them.
 */
void sdtkit_tap_jump_prepare(void);

/*
 * Writes the jump, and what it jumps to if it is the first at this place.
 * NULL, or why there is none.
 */
const char *sdtkit_tap_jump_set(struct sdtkit_tap_place *place);

/* Whether the jump is at the place. */
bool sdtkit_tap_jump_is_set(const struct sdtkit_tap_place *place);

/* Restores the nop.  False if a policy forbids to write the code by now. */
bool sdtkit_tap_jump_clear(const struct sdtkit_tap_place *place);

#endif /* SDTKIT_TAP_JUMP_PRIV_H */
