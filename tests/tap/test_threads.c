/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads run the sites while taps are opened and closed. */
#include <sched.h>
#include <unistd.h>

#include "../slower.h"
#include "event_buffer.h"
#include "threads.h"

enum {
	THREADS = 8,
	ROUNDS = 300,
	HITS = 2000,
	CANCELLED = 100,
	CLAIMS = 200000,
};

TEST(test_switched_under_load)
{
	uint64_t before = sum_of_text();
	pthread_t threads[THREADS];
	unsigned long events = 0;
	int i;

	start(threads, THREADS, run);
	/* On a busy machine, threads may not have begun after all rounds. */
	for (i = 0; i < ROUNDS / slower() || events == 0; i++) {
		struct sdtkit_tap *a = open_tap("taps:*"), *b;
		const struct sdtkit_tap_event *event;

		b = open_tap("taps:number");
		while (sdtkit_tap_next(a, &event) > 0) {
			events++;
			if (event->value_count == 2 &&
			    strcmp(event->values[1].text, "thread") != 0)
				wrong++;
		}
		sdtkit_tap_close(i % 2 ? a : b);
		sdtkit_tap_close(i % 2 ? b : a);
	}
	join(threads, THREADS);
	assert_true(events > 0);
	assert_int_equal(sum_of_text(), before);
	assert_int_equal(taps_pair_semaphore, 0);
	assert_int_equal(taps_number_semaphore, 0);
}

static void *toggle(void *unused)
{
	int i;

	for (i = 0; i < 50; i++) {
		struct sdtkit_tap *tap;

		if (sdtkit_tap_open("taps:*", &tap) < 0) {
			wrong++;
			continue;
		}
		work(7);
		if (sdtkit_tap_count(tap, "taps:pair") == 0 ||
		    sdtkit_tap_expect(tap, "taps:pair") < 0)
			wrong++;
		sdtkit_tap_close(tap);
	}
	return NULL;
}

TEST(test_switched_by_many)
{
	uint64_t before = sum_of_text();
	pthread_t threads[THREADS];

	start(threads, THREADS, toggle);
	join(threads, THREADS);
	assert_int_equal(sum_of_text(), before);
	assert_int_equal(taps_pair_semaphore, 0);
}

static void *hit(void *unused)
{
	int i;

	for (i = 0; i < HITS; i++)
		TAPS_NUMBER(i);
	return NULL;
}

/*
 * No event is lost, doubled or mixed up with another, and the events of each
 * thread are in the order of its hits.
 */
TEST(test_all_arrive)
{
	const struct sdtkit_tap_event *event;
	struct { pid_t tid; uint64_t next; } seen[THREADS] = { { 0, 0 } };
	pthread_t threads[THREADS];
	struct sdtkit_tap *tap;
	size_t i;

	tap = open_with("taps:number", .capacity = THREADS * HITS);
	start(threads, THREADS, hit);
	join(threads, THREADS);
	while (sdtkit_tap_next(tap, &event) > 0) {
		for (i = 0; seen[i].tid != 0 && seen[i].tid != event->tid; i++)
			assert_true(i + 1 < THREADS);
		seen[i].tid = event->tid;
		assert_int_equal(event->values[0].bits, seen[i].next++);
	}
	for (i = 0; i < THREADS; i++)
		assert_int_equal(seen[i].next, HITS);
	assert_int_equal(sdtkit_tap_lost(tap), 0);
	sdtkit_tap_close(tap);
}

static void *hit_until_cancelled(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;)
		TAPS_NUMBER(1);
	return NULL;
}

/*
 * Threads are cancelled wherever they are: no event stays half-written, and
 * sdtkit_tap_close() returns.
 */
TEST(test_cancelled)
{
	struct sdtkit_tap *tap = open_tap("taps:number");
	const struct sdtkit_tap_event *event;
	uint64_t events = 0;
	int i;

	for (i = 0; i < CANCELLED; i++) {
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL,
						hit_until_cancelled, NULL), 0);
		usleep((useconds_t)(300 + i));
		pthread_cancel(thread);
		pthread_join(thread, NULL);
		while (sdtkit_tap_next(tap, &event) > 0)
			events++;
	}
	assert_true(events > 0);
	assert_int_equal(events + sdtkit_tap_lost(tap),
			 sdtkit_tap_count(tap, NULL));
	alarm((unsigned int)(300 * slower()));
	sdtkit_tap_close(tap);
	alarm(0);
}

static struct sdtkit_tap_buffer *buffer;
/* How many slots of the buffer are in use or about to be taken. */
static atomic_ulong claimed;

static void *claim(void *unused)
{
	struct sdtkit_tap_slot *slot;
	unsigned long number;
	int i = 0;

	while (i < CLAIMS) {
		if (atomic_fetch_add(&claimed, 1) >= buffer->capacity) {
			claimed--;
			sched_yield();
			continue;
		}
		slot = sdtkit_tap_buffer_claim(buffer, getpid(), &number);
		if (slot == NULL)
			return NULL;
		sdtkit_tap_buffer_commit(slot, number);
		i++;
	}
	return NULL;
}

/*
 * Writers never lose an event while the buffer has a free slot, even if one is
 * interrupted while others and the reader go on.
 */
TEST(test_ring_with_space)
{
	pthread_t threads[THREADS];
	unsigned long number, tail = 0;

	good(sdtkit_tap_buffer_open(64, false, &buffer));
	start(threads, THREADS, claim);
	while (tail < (unsigned long)THREADS * CLAIMS && buffer->lost == 0) {
		struct sdtkit_tap_slot *slot;

		number = tail;
		slot = sdtkit_tap_buffer_next(buffer, &number);
		/* On one processor nobody writes before it goes. */
		if (slot == NULL)
			sched_yield();
		else
			slot->taken = true;
		sdtkit_tap_buffer_free(buffer);
		atomic_fetch_sub(&claimed, buffer->tail - tail);
		tail = buffer->tail;
	}
	/*
	 * Lets threads go that still wait for a slot, if the loop ended early.
	 */
	atomic_store(&claimed, 0);
	assert_int_equal(buffer->lost, 0);
	join(threads, THREADS);
	sdtkit_tap_buffer_close(buffer);
}
