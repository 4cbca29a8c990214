/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions of this process: looking at them, and changing them. */
#ifndef SDTKIT_TAP_PATCH_PRIV_H
#define SDTKIT_TAP_PATCH_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

/* The trap for the nop that is at this address; NULL: there is none. */
const struct sdtkit_tap_trap *sdtkit_tap_find_nop(uintptr_t address);

/* Whether this trap is there. */
bool sdtkit_tap_is_trapped(uintptr_t address,
			   const struct sdtkit_tap_trap *trap);

/*
 * Puts the trap at the head of the nop.  protection is what the page has, in
 * the terms of mprotect(2).  Errors: -EACCES.
 */
int sdtkit_tap_set_trap(uintptr_t address, const struct sdtkit_tap_trap *trap,
			int protection);

/* Puts the nop's head back.  False: the text was sealed since. */
bool sdtkit_tap_clear_trap(uintptr_t address,
			   const struct sdtkit_tap_trap *trap, int protection);

#endif /* SDTKIT_TAP_PATCH_PRIV_H */
