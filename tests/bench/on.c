/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * on HITS - prints "ready"; then, for each line that it reads, it fires the
 * probe HITS times and prints the nanoseconds of a hit. Without any line it
 * does so once. on.py and nops.py attach tracers to it meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
	long hits = argc > 1 ? atol(argv[1]) : 1;
	double start;

	puts("ready");
	fflush(stdout);
	getchar();
	do {
		fire(hits / 10);	/* not measured: cold caches */
		start = now();
		fire(hits);
		printf("%.1f\n", (now() - start) / (double)hits);
		fflush(stdout);
	} while (getchar() != EOF);
	return 0;
}
