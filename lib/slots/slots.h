/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Distributions of durations, as programs in the kernel count them: see
 * slots_fine() in slots.bpf.h.
 */
#ifndef SLOTS_H
#define SLOTS_H

enum {
	SLOTS_POWERS = 32,		/* of a distribution: powers of 2 */
	SLOTS_FINE = 240,		/* likewise: eighths of these */
	SLOTS_COARSE = SLOTS_FINE / 2,	/* quarters */
};

/*
 * Histograms for Prometheus: the limits of their buckets are powers of two of
 * the unit of the slots, so that each bucket is exact, and the first one is not
 * less than 8 us.
 */
enum { SLOTS_BUCKETS = 25, SLOTS_FIRST_NS = 8000 };

/*
 * Returns a percentile in the unit of the slots; part is 0.99 for p99. It is
 * the middle of a slot; 0 if nothing was counted. eighths is how many eighths
 * of a power of two a slot has: 1, which makes the result at most a sixteenth
 * off, or 2 for an eighth.
 */
double slots_quantile(const unsigned long long *slots, int count, int eighths,
		      double part);

/* Returns the least value of a fine slot, or where the last slot ends. */
unsigned long long slots_least(int slot);

/* Returns the fine slot that counts a value. */
int slots_slot(unsigned long long value);

/* Converts fine slots to powers of two: 0 and 1, 2 and 3, 4 to 7... */
void slots_fold(const unsigned long long fine[SLOTS_FINE],
		unsigned long long powers[SLOTS_POWERS]);

#endif /* SLOTS_H */
