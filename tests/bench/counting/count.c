/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * count THREADS - fires the probes of spans in THREADS threads at once. For each
 * line of its input, a kind and a number of spans, every thread fires that many,
 * and the program prints, in nanoseconds for a span, the processor time and the
 * time that went by, both the mean of the threads:
 *
 *	told 1000000
 *	12.1 12.3
 *
 * The kinds are those of count.d: told has an end only; the others have a start
 * and an end. The key of `moved` begins in one thread and ends in the next one.
 * `names N` has N names for spans of `told`, whose times are spread over some
 * octaves; the others have 8 names.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/base/clock.h"
#include "count.h"

enum { NAMES = 8, BATCH = 64 };

struct work {
	pthread_t thread;
	uintptr_t number;
	double processor;
	double elapsed;
};

static pthread_barrier_t begin, end, turn;
static char kind[16];
static long spans;			/* -1: the input has ended */
static long threads;

__attribute__((noinline)) static void told(long count)
{
	for (long n = 0; n < count; n++)
		COUNT_DONE((uint64_t)(1000 + (n & 1023)), (int)(n % NAMES));
}

__attribute__((noinline)) static void timed(long count, uintptr_t self)
{
	for (long n = 0; n < count; n++) {
		uintptr_t req = self << 32 | (uintptr_t)(n & 63) << 6;

		COUNT_BEGUN((void *)req, (int)(n % NAMES));
		COUNT_ENDED((void *)req, 0);
	}
}

__attribute__((noinline)) static void nested(long count)
{
	for (long n = 0; n < count; n++) {
		COUNT_ENTERED((int)(n % NAMES));
		COUNT_LEFT();
	}
}

__attribute__((noinline)) static void moved(long count, uintptr_t self)
{
	uintptr_t next = (self + 1) % (uintptr_t)threads;

	for (long n = 0; n < count; n += BATCH) {
		for (uintptr_t i = 0; i < BATCH; i++)
			COUNT_SENT((void *)((self + 1) << 32 | i << 6), 1);
		pthread_barrier_wait(&turn);
		for (uintptr_t i = 0; i < BATCH; i++)
			COUNT_RECEIVED((void *)((next + 1) << 32 | i << 6));
		pthread_barrier_wait(&turn);
	}
}

/* From 64 ns to 2 us for each name: five octaves. */
__attribute__((noinline)) static void names(long count)
{
	for (long n = 0; n < count; n++) {
		for (long took = 64; took < 2048; took += 64)
			COUNT_DONE((uint64_t)(took << (n & 3)), (int)n + 100);
	}
}

static void fire(uintptr_t self)
{
	if (strcmp(kind, "told") == 0)
		told(spans);
	else if (strcmp(kind, "timed") == 0)
		timed(spans, self + 1);
	else if (strcmp(kind, "nested") == 0)
		nested(spans);
	else if (strcmp(kind, "moved") == 0)
		moved(spans, self);
	else
		names(spans);
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
		if (spans < 0)
			return NULL;
		work->elapsed = -now(CLOCK_MONOTONIC);
		work->processor = -now(CLOCK_THREAD_CPUTIME_ID);
		fire(work->number);
		work->processor += now(CLOCK_THREAD_CPUTIME_ID);
		work->elapsed += now(CLOCK_MONOTONIC);
		pthread_barrier_wait(&end);
	}
}

static void print(const struct work *works)
{
	double processor = 0, elapsed = 0;

	for (long i = 0; i < threads; i++) {
		processor += works[i].processor;
		elapsed += works[i].elapsed;
	}
	printf("%.3f %.3f\n", processor / (double)threads / (double)spans,
	       elapsed / (double)threads / (double)spans);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	char line[64];
	struct work *works;

	threads = argc > 1 ? atol(argv[1]) : 1;
	works = calloc((size_t)threads, sizeof(*works));
	pthread_barrier_init(&begin, NULL, (unsigned)threads + 1);
	pthread_barrier_init(&end, NULL, (unsigned)threads + 1);
	pthread_barrier_init(&turn, NULL, (unsigned)threads);
	for (long i = 0; i < threads; i++) {
		works[i].number = (uintptr_t)i;
		pthread_create(&works[i].thread, NULL, run, &works[i]);
	}
	while (fgets(line, sizeof(line), stdin) &&
	       sscanf(line, "%15s %ld", kind, &spans) == 2) {
		pthread_barrier_wait(&begin);
		pthread_barrier_wait(&end);
		print(works);
	}
	spans = -1;
	pthread_barrier_wait(&begin);
	for (long i = 0; i < threads; i++)
		pthread_join(works[i].thread, NULL);
	free(works);
	return 0;
}
