/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A raw tap that counts, for the tests of jumps: hits, sites that are attached.
 * raw_hits.c is compiled as the entry of jumps is, for general registers only.
 */
#ifndef SDTKIT_TESTS_TAP_RAW_HITS_H
#define SDTKIT_TESTS_TAP_RAW_HITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "raw.h"

extern atomic_ulong raw_hits, raw_attached, raw_detached;
/* What the last hit of this thread was given. */
extern _Thread_local uint64_t raw_seen[16];
/* Called in a hit, with general registers only; NULL: nothing is. */
extern void (*volatile raw_extra)(void);
/* What a hit returns: the tap is over. */
extern atomic_bool raw_is_over;

extern const struct sdtkit_tap_raw raw_counting;

#endif /* SDTKIT_TESTS_TAP_RAW_HITS_H */
