/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quantile.c - prints the percentiles that tsmbd's quantile.c computes of
 * durations.
 *
 *	printf '5000 20000' | quantile 0.5 0.99		nanoseconds
 *
 * It counts the durations in slots as the kernel does, and prints the fine and
 * the coarse percentile for each argument, and then the distribution: from,
 * number.
 */
#include <stdio.h>
#include <stdlib.h>

#include "quantile.h"

/* The same as slots_fine() of slots.bpf.h, which cannot be compiled here. */
static unsigned int slot_of(unsigned long long us)
{
	unsigned int power;

	if (us < 16)
		return (unsigned int)us;
	if (us >> 32)
		return TSMBD_FINE - 1;
	power = 63 - (unsigned int)__builtin_clzll(us);
	return (power - 2) * 8 + (us >> (power - 3)) % 8;
}

int main(int argc, char **argv)
{
	static unsigned long long fine[TSMBD_FINE], slots[TSMBD_SLOTS];
	static unsigned int coarse[TSMBD_COARSE];
	struct tsmbd_extreme extreme = { 0, 0 };
	unsigned long long ns;
	int i;

	while (scanf("%llu", &ns) == 1) {
		fine[slot_of(ns / 1000)]++;
		coarse[slot_of(ns / 1000) / 2]++;
		if (extreme.max == 0 || ns < extreme.min)
			extreme.min = ns;
		if (ns > extreme.max)
			extreme.max = ns;
	}
	for (i = 1; i < argc; i++)
		printf("part %s %f %f\n", argv[i],
		       quantile_fine(fine, atof(argv[i]), &extreme),
		       quantile_coarse(coarse, atof(argv[i]),
				       extreme.max));
	quantile_fold(fine, slots);
	for (i = 0; i < TSMBD_SLOTS; i++)
		printf("slot %d %llu\n", i, slots[i]);
	return 0;
}
