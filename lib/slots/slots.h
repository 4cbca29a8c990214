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
 * Returns a percentile in the unit of the slots; part is 0.99 for p99. It is
 * the middle of a slot; 0 if nothing was counted. eighths is how many eighths
 * of a power of two a slot has: 1, which makes the result at most a sixteenth
 * off, or 2 for an eighth.
 */
double slots_quantile(const unsigned long long *slots, int count, int eighths,
		      double part);

/*
 * Likewise of microseconds, but never less than the shortest duration or more
 * than the longest one, which are in nanoseconds.
 */
double slots_quantile_fine(const unsigned long long slots[SLOTS_FINE],
			   double part, unsigned long long min_ns,
			   unsigned long long max_ns);
double slots_quantile_coarse(const unsigned int slots[SLOTS_COARSE],
			     double part, unsigned long long max_ns);

/* Returns the least value of a fine slot, or where the last slot ends. */
unsigned long long slots_least(int slot);

/* Returns the fine slot that counts a value. */
int slots_slot(unsigned long long value);

/* Converts fine slots to powers of two: 0 and 1, 2 and 3, 4 to 7... */
void slots_fold(const unsigned long long fine[SLOTS_FINE],
		unsigned long long powers[SLOTS_POWERS]);

#endif /* SLOTS_H */
