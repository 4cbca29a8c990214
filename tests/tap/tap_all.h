/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of libsdtkit-tap share. */
#ifndef SDTKIT_TESTS_TAP_TAP_ALL_H
#define SDTKIT_TESTS_TAP_TAP_ALL_H

#include "../cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sdtkit/tap.h>

#include "taps_probes.h"

/* Asserts that a call succeeds, and prints the error if it does not. */
#define good(call)							\
	do {								\
		if ((call) < 0)						\
			fail_msg("%s", sdtkit_tap_error());		\
	} while (0)

/*
 * Asserts that a call fails with this error and with this text in its message.
 */
#define bad(error, part, call)						\
	do {								\
		assert_int_equal(call, -(error));			\
		if (strstr(sdtkit_tap_error(), part) == NULL)		\
			fail_msg("\"%s\" lacks \"%s\"",			\
				 sdtkit_tap_error(), part);		\
	} while (0)

/* For what is about traps only: in a process of its own. */
static inline void only_traps(void)
{
	setenv("SDTKIT_TAP_WAY", "trap", 1);
}

static inline struct sdtkit_tap *open_tap(const char *pattern)
{
	struct sdtkit_tap *tap = NULL;

	good(sdtkit_tap_open(pattern, &tap));
	return tap;
}

static inline struct sdtkit_tap *
open_with_options(const char *pattern,
		  const struct sdtkit_tap_options *options)
{
	struct sdtkit_tap *tap = NULL;

	good(sdtkit_tap_open_with(pattern, options, &tap));
	return tap;
}

/* open_with("taps:*", .capacity = 4) */
#define open_with(pattern, ...)						\
	open_with_options(pattern, &(const struct sdtkit_tap_options) {	\
			  __VA_ARGS__ })

/*
 * Whether sites get jumps: not on every machine, and not with
 * SDTKIT_TAP_WAY=trap.
 */
bool is_by_jump(void);

/* Returns a sum over the program's code, which changes if a byte does. */
uint64_t sum_of_text(void);

/* The same, whichever operands the second nops of x86-64's sites have. */
uint64_t sum_of_instructions(void);

#endif /* SDTKIT_TESTS_TAP_TAP_ALL_H */
