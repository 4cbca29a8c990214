/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Distributions of microseconds, as the kernel counts them: in eighths of
 * powers of two, see lib/slots/slots.bpf.h; or in quarters.
 */
#ifndef TSMBD_QUANTILE_H
#define TSMBD_QUANTILE_H

#include "tsmbd.h"

/*
 * Returns a percentile in microseconds; part is 0.99 for p99. It is the middle
 * of a slot, so at most a sixteenth off, but never below the shortest request
 * or above the longest. 0 if there are no requests.
 */
double quantile_fine(const unsigned long long slots[TSMBD_FINE], double part,
		     const struct tsmbd_extreme *extreme);

/* The same for slots of quarters, at most an eighth off. */
double quantile_coarse(const unsigned int slots[TSMBD_COARSE], double part,
		       unsigned long long max_ns);

/* The least number of microseconds that a fine slot counts. */
unsigned long long quantile_least(int slot);

/* The fine slot that counts so many microseconds. */
int quantile_slot(unsigned long long us);

/* Converts it to slots of powers of two: 0 and 1, 2 and 3, 4 to 7... */
void quantile_fold(const unsigned long long fine[TSMBD_FINE],
		   unsigned long long slots[TSMBD_SLOTS]);

#endif /* TSMBD_QUANTILE_H */
