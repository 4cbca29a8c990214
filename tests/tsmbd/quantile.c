/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quantile.c - prints the percentiles that lib/slots computes of durations.
 *
 *	printf '5000 20000' | quantile 0.5 0.99		nanoseconds
 *
 * It counts the durations in slots as the kernel does, and prints the fine and
 * the coarse percentile for each argument, and then the distribution: from,
 * number.
 */
#include <stdio.h>
#include <stdlib.h>

#include "slots.h"

/* The same as slots_fine() of slots.bpf.h, which cannot be compiled here. */
static unsigned int slot_of(unsigned long long us)
{
	unsigned int power;

	if (us < 16)
		return (unsigned int)us;
	if (us >> 32)
		return SLOTS_FINE - 1;
	power = 63 - (unsigned int)__builtin_clzll(us);
	return (power - 2) * 8 + (us >> (power - 3)) % 8;
}

int main(int argc, char **argv)
{
	static unsigned long long fine[SLOTS_FINE], slots[SLOTS_POWERS];
	static unsigned int coarse[SLOTS_COARSE];
	unsigned long long least = 0, most = 0;
	unsigned long long ns;
	int i;

	while (scanf("%llu", &ns) == 1) {
		fine[slot_of(ns / 1000)]++;
		coarse[slot_of(ns / 1000) / 2]++;
		if (most == 0 || ns < least)
			least = ns;
		if (ns > most)
			most = ns;
	}
	for (i = 1; i < argc; i++)
		printf("part %s %f %f\n", argv[i],
		       slots_quantile_fine(fine, atof(argv[i]), least, most),
		       slots_quantile_coarse(coarse, atof(argv[i]), most));
	slots_fold(fine, slots);
	for (i = 0; i < SLOTS_POWERS; i++)
		printf("slot %d %llu\n", i, slots[i]);
	return 0;
}
