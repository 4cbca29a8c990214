/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads that run through sites, and see whether what they compute suffers. */
#ifndef SDTKIT_TESTS_TAP_THREADS_H
#define SDTKIT_TESTS_TAP_THREADS_H

#include <pthread.h>
#include <stdatomic.h>

#include "tap_all.h"

static atomic_bool stop;
static atomic_ulong wrong, runs;

static __attribute__((noinline)) uint64_t work(uint64_t x)
{
	uint64_t y = x * 3, z = x ^ 0x5555;
	double f = (double)(x & 0xffff) * 0.5;

	TAPS_PAIR(x, "thread");
	TAPS_NUMBER((int32_t)x);
	return (double)(x & 0xffff) == 2 * f && (z ^ 0x5555) == x ? y + x : 0;
}

static inline void *run(void *unused)
{
	uint64_t i;

	for (i = 1; !stop; i++) {
		if (work(i) != 4 * i)
			wrong++;
	}
	runs += i;
	return NULL;
}

static inline void start(pthread_t *threads, size_t count,
			 void *(*function)(void *))
{
	size_t i;

	stop = false;
	wrong = 0;
	runs = 0;
	for (i = 0; i < count; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, function,
						NULL), 0);
}

static inline void join(const pthread_t *threads, size_t count)
{
	size_t i;

	stop = true;
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(wrong, 0);
}

#endif /* SDTKIT_TESTS_TAP_THREADS_H */
