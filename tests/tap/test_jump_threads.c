/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads run through sites while these are patched and restored, and while
 * signals arrive; threads that end, in all ways, in the middle of a hit.
 *
 * Sites are patched and restored 10,000 times, while the semaphores stay up,
 * and taps are opened and closed for a few seconds.  SDTKIT_TAP_SECONDS=3600
 * lets both go on for an hour each.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../slower.h"
#include "jump.h"
#include "jumps.h"
#include "patch.h"
#include "state.h"
#include "threads.h"

enum {
	THREADS = 16,
	ROUNDS = 10000,
	SECONDS = 3,
	CANCELLED = 200,
	ENDED = 6000,
};

/* 0: as long as the test takes by itself. */
static time_t seconds_wanted(void)
{
	const char *text = getenv("SDTKIT_TAP_SECONDS");

	return text != NULL ? (time_t)strtoul(text, NULL, 0) : 0;
}

static void show(unsigned long rounds)
{
	print_message("# %lu rounds, %lu runs, %lu hits\n", rounds,
		      (unsigned long)runs, (unsigned long)raw_hits);
}

/* The places of the sites that the tap is attached to. */
static size_t find_places(const struct sdtkit_tap *tap,
			  struct sdtkit_tap_place **places, size_t most)
{
	const struct sdtkit_tap_loaded *loaded;
	const struct sdtkit_tap_hook *hook;
	size_t count = 0;

	for (loaded = tap->loaded; loaded != NULL; loaded = loaded->next) {
		for (hook = loaded->hooks; hook != NULL && count < most;
		     hook = hook->sibling)
			places[count++] = hook->place;
	}
	return count;
}

static void toggle(struct sdtkit_tap_place *place)
{
	if (place->way == SDTKIT_TAP_JUMP) {
		assert_true(sdtkit_tap_jump_clear(place));
		assert_null(sdtkit_tap_jump_set(place));
	} else {
		assert_true(sdtkit_tap_clear_trap(place->address, place->trap,
						  place->protection));
		good(sdtkit_tap_set_trap(place->address, place->trap,
					 place->protection));
	}
}

TEST(test_patched_and_restored)
{
	struct sdtkit_tap *tap = open_raw("taps:pair,taps:number");
	const unsigned long rounds = ROUNDS / (unsigned int)slower();
	time_t end = time(NULL) + seconds_wanted();
	struct sdtkit_tap_place *places[8];
	size_t count = find_places(tap, places, ROWS(places));
	pthread_t threads[THREADS];
	unsigned long i;

	raw_hits = 0;
	start(threads, THREADS, run);
	/* On a busy machine, threads may not have begun after all rounds. */
	for (i = 0; i < rounds || raw_hits == 0 || time(NULL) < end; i++)
		toggle(places[i % count]);
	join(threads, THREADS);
	show(i);
	assert_true(raw_hits > 0 && raw_hits <= 2 * runs);
	sdtkit_tap_close(tap);
}

TEST(test_opened_and_closed)
{
	time_t wanted = seconds_wanted();
	time_t end = time(NULL) + (wanted > 0 ? wanted : SECONDS);
	uint64_t before = sum_of_text();
	pthread_t threads[THREADS];
	unsigned long i;

	raw_hits = 0;
	start(threads, THREADS, run);
	for (i = 0; time(NULL) < end || raw_hits == 0; i++) {
		struct sdtkit_tap *tap = open_raw(i % 2 ? "taps:*" :
							  "taps:pair");

		if (i % 3 == 0)
			sched_yield();
		sdtkit_tap_close(tap);
	}
	join(threads, THREADS);
	show(i);
	assert_true(raw_hits > 0);
	assert_int_equal(raw_attached, raw_detached);
	assert_true(sum_of_text() == before);
	assert_int_equal(taps_pair_semaphore, 0);
}

/* None is lost or told of twice while the tap is open. */
static void *hit_often(void *unused)
{
	int i;

	for (i = 0; i < 20000; i++)
		work((uint64_t)i);
	return NULL;
}

TEST(test_all_arrive)
{
	struct sdtkit_tap *tap = open_raw("taps:pair"), *others[8];
	pthread_t threads[THREADS];
	size_t i;

	raw_hits = 0;
	start(threads, THREADS, hit_often);
	for (i = 0; i < ROWS(others); i++)
		others[i] = open_tap("taps:number");
	for (i = 0; i < ROWS(others); i++)
		sdtkit_tap_close(others[i]);
	join(threads, THREADS);
	assert_int_equal(raw_hits, THREADS * 20000);
	sdtkit_tap_close(tap);
}

/* -------------------------------------------------------------- signals */

static atomic_ulong handled;

static void on_timer(int number)
{
	TAPS_PAIR(1, "handler");
	TAPS_NUMBER(2);
	handled++;
}

/* They arrive in trampolines and in hits, and hit the same sites. */
static void storm(struct sdtkit_tap *tap)
{
	const struct itimerval often = { { 0, 60 }, { 0, 60 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = on_timer };
	pthread_t threads[4];
	time_t end = time(NULL) + 2;

	handled = 0;
	sigaction(SIGALRM, &action, NULL);
	start(threads, ROWS(threads), run);
	setitimer(ITIMER_REAL, &often, NULL);
	/* On a busy machine, the timer may have signalled less by then. */
	while (time(NULL) < end || handled <= 100)
		work(7);
	setitimer(ITIMER_REAL, &never, NULL);
	join(threads, ROWS(threads));
	assert_true(handled > 100);
	sdtkit_tap_close(tap);
}

TEST(test_signals_at_raw_hits)
{
	raw_hits = 0;
	storm(open_raw("taps:*"));
	assert_true(raw_hits > handled);
}

TEST(test_signals_at_events)
{
	struct sdtkit_tap *raw = open_raw("taps:number"), *tap;

	tap = open_with("taps:pair", .capacity = 1 << 12);
	storm(tap);
	sdtkit_tap_close(raw);
}

/* -------------------------------------------------------------- threads end */

static void *hit_until_cancelled(void *type)
{
	pthread_setcanceltype((int)(intptr_t)type, NULL);
	for (;;) {
		TAPS_PAIR(1, "cancelled");
		if ((int)(intptr_t)type == PTHREAD_CANCEL_DEFERRED)
			pthread_testcancel();
	}
	return NULL;
}

static void cancel_some(int type)
{
	struct sdtkit_tap *tap = open_raw("taps:pair"), *other;
	time_t begin = time(NULL);
	int i;

	for (i = 0; i < CANCELLED; i++) {
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL,
						hit_until_cancelled,
						(void *)(intptr_t)type), 0);
		usleep((useconds_t)(300 + i));
		if (i % 10 == 0) {
			other = open_tap("taps:pair");
			pthread_cancel(thread);
			sdtkit_tap_close(other);
		} else {
			pthread_cancel(thread);
		}
		pthread_join(thread, NULL);
	}
	sdtkit_tap_close(tap);
	assert_int_equal(raw_attached, raw_detached);
	/* Also on a busy machine. */
	assert_true(time(NULL) - begin < 300);
}

TEST(test_cancelled)
{
	cancel_some(PTHREAD_CANCEL_DEFERRED);
	cancel_some(PTHREAD_CANCEL_ASYNCHRONOUS);
}

static void *hit_once(void *unused)
{
	TAPS_PAIR(1, "once");
	return unused;
}

static void *hit_and_exit(void *unused)
{
	TAPS_PAIR(1, "exit");
	syscall(SYS_exit, 0);
	return unused;
}

/* More threads than there are records, one after the other. */
TEST(test_many_threads)
{
	struct sdtkit_tap *tap = open_raw("taps:pair");
	unsigned long i;

	raw_hits = 0;
	for (i = 0; i < ENDED; i++)
		in_thread(i % 2 ? hit_once : hit_and_exit, NULL);
	assert_int_equal(raw_hits, ENDED);
	sdtkit_tap_close(tap);
	assert_int_equal(raw_attached, raw_detached);
}
