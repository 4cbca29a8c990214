/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares and replaces instructions of this process. */
#ifndef SDTKIT_TAP_PATCH_PRIV_H
#define SDTKIT_TAP_PATCH_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

/* Finds the trap for the nop at this address; NULL if there is no nop. */
const struct sdtkit_tap_trap *sdtkit_tap_find_nop(uintptr_t address);

/* Whether this trap is at the address. */
bool sdtkit_tap_is_trapped(uintptr_t address,
			   const struct sdtkit_tap_trap *trap);

/*
 * Writes the trap over the beginning of the nop.  protection is that of the
 * page, as for mprotect(2).  Errors: -EACCES.
 */
int sdtkit_tap_set_trap(uintptr_t address, const struct sdtkit_tap_trap *trap,
			int protection);

/* Restores the nop.  False if a policy forbids to write the code by now. */
bool sdtkit_tap_clear_trap(uintptr_t address,
			   const struct sdtkit_tap_trap *trap, int protection);

/* Whether this number of size bytes is at the address. */
bool sdtkit_tap_holds(uintptr_t address, uint32_t number, unsigned int size);

/*
 * Replaces a number of 1 or 4 bytes, unless another one is there, also if
 * somebody else has just written it.  False: it was not replaced.
 */
bool sdtkit_tap_exchange(uintptr_t address, uint32_t from, uint32_t to,
			 unsigned int size, int protection);

#endif /* SDTKIT_TAP_PATCH_PRIV_H */
