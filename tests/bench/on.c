/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * on HITS [PARTS] - says "ready", and for each line that it gets fires the probe
 * HITS times and prints the nanoseconds that a hit took: in the fastest part, if
 * PARTS says in how many these are measured. If it gets no line, it does so once.
 * on.py and nops.py attach tracers to it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../lib/base/clock.h"
#include "on.h"

#ifdef ON_SYS_SDT
#define FIRE(n, who)	(ON_HIT_ENABLED() ? (void)({ ON_HIT(n, who); }) : (void)0)
#else
#define FIRE(n, who)	ON_HIT(n, who)
#endif

static char who[] = "jerry";

static __attribute__((noinline)) void fire(long hits)
{
	for (long n = 0; n < hits; n++)
		FIRE(n, who);
}

static double now(void)
{
	return (double)sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

static double fastest(long hits, long parts)
{
	double least = 0;

	for (long i = 0; i < parts; i++) {
		double start = now(), taken;

		fire(hits / parts);
		taken = (now() - start) / (double)(hits / parts);
		if (i == 0 || taken < least)
			least = taken;
	}
	return least;
}

int main(int argc, char **argv)
{
	long hits = argc > 1 ? atol(argv[1]) : 1;
	long parts = argc > 2 ? atol(argv[2]) : 1;

	puts("ready");
	fflush(stdout);
	getchar();
	do {
		fire(hits / 10);	/* the first hits find cold caches */
		printf("%.1f\n", fastest(hits, parts));
		fflush(stdout);
	} while (getchar() != EOF);
	return 0;
}
