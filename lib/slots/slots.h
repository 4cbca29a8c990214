/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Distributions of durations, as programs in the kernel count them: see
 * slots_fine() in slots.bpf.h.
 */
#ifndef SLOTS_H
#define SLOTS_H

/*
 * Returns a percentile in the unit of the slots; part is 0.99 for p99. It is
 * the middle of a slot; 0 if nothing was counted. eighths is how many eighths
 * of a power of two a slot has: 1, which makes the result at most a sixteenth
 * off, or 2 for an eighth.
 */
double slots_quantile(const unsigned long long *slots, int count, int eighths,
		      double part);

/*
 * Converts slots of eighths to slots of powers of two: 0 and 1, 2 and 3, 4 to
 * 7... There have to be count / 8 + 2 of these.
 */
void slots_fold(const unsigned long long *slots, int count,
		unsigned long long *powers);

#endif /* SLOTS_H */
