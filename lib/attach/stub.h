/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for what sites jump to.  On x86-64:
 *
 *	site		nop, jmp stub		the displacement is the site's own
 *	stub		jmp trampoline		at one certain address
 *	trampoline	saves, calls the library, jmp behind the site
 *
 * On a machine whose jump reaches any address of its range, the site jumps to
 * the trampoline.
 *
 * Invariants:
 * 1. no memory is writable and executable: it is a file in memory that is
 *    mapped twice, and the mapping that is written to cannot be executed;
 * 2. nothing is freed, moved or used for another place: a thread may be in it
 *    at any time;
 * 3. a child process, which has the same file, does not write to it.
 */
#ifndef SDTKIT_TAP_STUB_PRIV_H
#define SDTKIT_TAP_STUB_PRIV_H

#include <stddef.h>
#include <stdint.h>

struct sdtkit_tap_place;

/*
 * Makes a trampoline for the place and, where the machine needs one, a stub;
 * sets *target to what the site has to jump to.  NULL, or why it cannot be
 * done.
 */
const char *sdtkit_tap_stub_make(const struct sdtkit_tap_place *place,
				 uintptr_t *target);

/*
 * Forgets where no memory was found, because some may be free by now: before
 * the sites of an object.
 */
void sdtkit_tap_stub_look_again(void);

#endif /* SDTKIT_TAP_STUB_PRIV_H */
