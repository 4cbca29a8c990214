/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Distributions of microseconds, as the kernel counts them: in eighths of
 * powers of two, see fine_slot_of() in state.bpf.h; or in quarters.
 */
#ifndef TSMBD_QUANTILE_H
#define TSMBD_QUANTILE_H

#include "tsmbd.h"

/*
 * The microseconds that a part of the requests did not exceed: 0.99 for p99.
 * It is the middle of the slot, at most a sixteenth off, and not beyond the
 * shortest or longest one. 0 if there are none.
 */
double quantile_fine(const unsigned long long slots[TSMBD_FINE], double part,
		     const struct tsmbd_extreme *extreme);

/* Likewise, of quarters; at most an eighth off. The shortest is not known. */
double quantile_coarse(const unsigned int slots[TSMBD_COARSE], double part,
		       unsigned long long max_ns);

/* The same distribution in whole powers of two: 0 and 1, 2 and 3, 4 to 7... */
void quantile_fold(const unsigned long long fine[TSMBD_FINE],
		   unsigned long long slots[TSMBD_SLOTS]);

#endif /* TSMBD_QUANTILE_H */
