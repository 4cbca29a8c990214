/* SPDX-License-Identifier: BSD-2-Clause */
/* See patience.h. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "patience.h"
#include "reader.h"
#include "ring.h"

enum {
	/*
	 * Between two attempts to find space in the ring, so that the reader
	 * gets the CPU.
	 */
	LOOK_NS = 200000,
	/*
	 * How long to wait at least: most readers that are only slow read on
	 * within this time.
	 */
	SLOW_MS = 100,
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/*
 * Whether a signal that ends the program is pending. A hit blocks all signals
 * while it is handled.
 */
static bool is_told_to_end(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
	sigset_t pending;
	size_t i;

	if (sigpending(&pending) < 0)
		return false;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (sigismember(&pending, numbers[i]))
			return true;
	}
	return false;
}

static bool is_worth_waiting(struct sdtkit_ring *ring, uint64_t waited_ms)
{
	if (waited_ms < SLOW_MS)
		return true;
	return waited_ms < ring->orders.patience_ms &&
	       !sdtkit_reader_is_gone(ring);
}

/*
 * syscall(), because nanosleep() is a cancellation point: a thread that is
 * cancelled would end there, in the middle of a hit.  The kernel's timespec
 * consists of two longs, whatever the C library's does on 32-bit machines.
 */
static void let_reader_run(void)
{
	static const long look[] = { 0, LOOK_NS };

	syscall(SYS_nanosleep, look, NULL);
}

void *sdtkit_patience_reserve(struct sdtkit_ring *ring, size_t size,
			      uint32_t tid)
{
	uint64_t tail, seen = UINT64_MAX, since = 0, waited;
	void *entry;

	while (!atomic_load(&ring->stalled)) {
		entry = sdtkit_ring_reserve(ring, size, tid);
		if (entry != NULL || atomic_load(&ring->closed))
			return entry;
		tail = atomic_load(&ring->tail);
		if (tail != seen)
			since = now_ms();
		seen = tail;
		waited = now_ms() - since;
		if (!is_worth_waiting(ring, waited))
			atomic_store(&ring->stalled, 1);
		else if (waited >= SLOW_MS && is_told_to_end())
			return NULL;
		let_reader_run();
	}
	return NULL;
}
