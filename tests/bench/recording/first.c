/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * first THREADS - starts so many threads, one after the other, which all stay,
 * with one hit each. For each of them the output has the nanoseconds of the
 * processor that the hit took, with the reading of the clock:
 *
 *	21043
 *	20874
 *
 * It does so when a line comes, and ends with the input.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../lib/base/clock.h"
#include "on.h"

static char who[] = "jerry mouse!";
static pthread_barrier_t fired, end;

__attribute__((noinline)) void fire(long n)
{
	ON_HIT(n, who);
}

static long now(void)
{
	return (long)sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

static void *run(void *argument)
{
	long *took = argument, begin = now();

	begin = now();
	fire(*took);
	*took = now() - begin;
	pthread_barrier_wait(&fired);
	pthread_barrier_wait(&end);
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? atol(argv[1]) : 1;
	pthread_t all[threads];
	long took[threads];
	int first = getchar();

	fire(-1);
	pthread_barrier_init(&fired, NULL, 2);
	pthread_barrier_init(&end, NULL, (unsigned)threads + 1);
	for (long i = 0; i < threads; i++) {
		took[i] = i;
		pthread_create(&all[i], NULL, run, &took[i]);
		pthread_barrier_wait(&fired);
	}
	for (long i = 0; i < threads; i++)
		printf("%ld\n", took[i]);
	fflush(stdout);
	while (first != EOF && getchar() != EOF)
		;
	pthread_barrier_wait(&end);
	for (long i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	return 0;
}
