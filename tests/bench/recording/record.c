/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record THREADS - fires a probe with a number and a string in THREADS threads
 * at once. For each line of its input, a number of hits, every thread fires
 * that many, and the program prints, in nanoseconds per hit, the processor time
 * and the time that went by, both the mean of the threads:
 *
 *	54.1 55.3
 *
 * The threads stay until the input ends, so that their memory can be looked at.
 * With -DRECORD_LTTNG it has a tracepoint of LTTng-UST instead of the probe,
 * with -DRECORD_NOTHING neither.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../lib/base/clock.h"

#if defined(RECORD_LTTNG)
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "on_lttng.h"
#define FIRE(n, who)	lttng_ust_tracepoint(on, hit, n, who)
#elif defined(RECORD_NOTHING)
#define FIRE(n, who)	__asm__ volatile("" : : "r"(n), "r"(who) : "memory")
#else
#include "on.h"
#define FIRE(n, who)	ON_HIT(n, who)
#endif

struct work {
	pthread_t thread;
	double processor;
	double elapsed;
};

static char who[] = "jerry mouse!";	/* 12 bytes */
static pthread_barrier_t begin, end;
static long hits;			/* -1: the input has ended */

__attribute__((noinline)) void fire(long count)
{
	for (long n = 0; n < count; n++)
		FIRE(n, who);
}

static double now(clockid_t clock)
{
	return (double)sdtkit_nanoseconds(clock);
}

static void *run(void *argument)
{
	struct work *work = argument;

	for (;;) {
		pthread_barrier_wait(&begin);
		if (hits < 0)
			return NULL;
		work->elapsed = -now(CLOCK_MONOTONIC);
		work->processor = -now(CLOCK_THREAD_CPUTIME_ID);
		fire(hits);
		work->processor += now(CLOCK_THREAD_CPUTIME_ID);
		work->elapsed += now(CLOCK_MONOTONIC);
		pthread_barrier_wait(&end);
	}
}

static void print(const struct work *works, long threads)
{
	double processor = 0, elapsed = 0;

	for (long i = 0; i < threads; i++) {
		processor += works[i].processor;
		elapsed += works[i].elapsed;
	}
	printf("%.3f %.3f\n", processor / (double)threads / (double)hits,
	       elapsed / (double)threads / (double)hits);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? atol(argv[1]) : 1;
	struct work *works = calloc((size_t)threads, sizeof(*works));
	char line[64];

	pthread_barrier_init(&begin, NULL, (unsigned)threads + 1);
	pthread_barrier_init(&end, NULL, (unsigned)threads + 1);
	for (long i = 0; i < threads; i++)
		pthread_create(&works[i].thread, NULL, run, &works[i]);
	while (fgets(line, sizeof(line), stdin)) {
		hits = atol(line);
		pthread_barrier_wait(&begin);
		pthread_barrier_wait(&end);
		print(works, threads);
	}
	hits = -1;
	pthread_barrier_wait(&begin);
	for (long i = 0; i < threads; i++)
		pthread_join(works[i].thread, NULL);
	free(works);
	return 0;
}
