/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test-tap-withdraw PLUG.so: taps whose hits say that they are over, as those of
 * the library of sdtkit trace do when its tracer has gone.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>

#include "../child.h"
#include "../slower.h"
#include "raw.h"
#include "threads.h"

enum {
	THREADS = 4,
	ROUNDS = 200,
	WANTED = 3,
};

static struct sdtkit_tap *given_up;
static atomic_int calls;

static void *attach(const struct sdtkit_tap_hook *hook, void *context)
{
	return (void *)(uintptr_t)hook;
}

static bool end_after_some(void *site, const uint64_t *registers, void *context)
{
	return ++calls >= WANTED;
}

static const struct sdtkit_tap_raw ending = {
	.attach = attach,
	.hit = end_after_some,
};

static void open_ending(const char *pattern)
{
	calls = 0;
	given_up = NULL;
	good(sdtkit_tap_open_raw(pattern, NULL, &ending, &given_up));
}

static void close_ending(void)
{
	sdtkit_tap_close(given_up);
	given_up = NULL;
}

TEST(test_all_is_restored)
{
	uint64_t before = sum_of_text();
	int i;

	open_ending("taps:*");
	assert_true(sum_of_text() != before);
	for (i = 0; i < 100; i++)
		TAPS_NUMBER(i);
	assert_int_equal(calls, WANTED);
	assert_true(sum_of_text() == before);
	assert_int_equal(taps_number_semaphore, 0);
	/*
	 * The semaphore of a probe that was not hit is lowered too, because it
	 * is in the same object.
	 */
	assert_int_equal(taps_pair_semaphore, 0);
	assert_int_equal(sdtkit_tap_rescan(given_up), 0);
	assert_true(sum_of_text() == before);
	close_ending();
	assert_true(sum_of_text() == before);
	assert_int_equal(taps_number_semaphore, 0);
}

TEST(test_others_stay)
{
	uint64_t before = sum_of_text();
	struct sdtkit_tap *other = open_tap("taps:number"), *third;
	uint16_t semaphore = taps_number_semaphore;
	int i;

	open_ending("taps:*");
	for (i = 0; i < 10; i++)
		TAPS_NUMBER(i);
	assert_int_equal(taps_number_semaphore, semaphore);
	assert_int_equal(taps_pair_semaphore, 0);
	assert_int_equal(sdtkit_tap_count(other, NULL), 10);
	third = open_tap("taps:*");
	good(sdtkit_tap_rescan(other));
	TAPS_NUMBER(10);
	TAPS_PAIR(1, "third");
	assert_int_equal(sdtkit_tap_count(third, NULL), 2);
	sdtkit_tap_close(other);
	sdtkit_tap_close(third);
	/* The withdrawn tap is still open, but has no trap left. */
	assert_true(sum_of_text() == before);
	assert_int_equal(taps_number_semaphore, 0);
	close_ending();
	assert_true(sum_of_text() == before);
}

static void (*plug_call)(int n);

/*
 * Only the object that was hit is certainly still loaded: nothing may be
 * written to another library that the tap knew.
 */
TEST(test_unloaded_library)
{
	void *handle = dlopen(test_argument, RTLD_NOW | RTLD_LOCAL);
	uint64_t before = sum_of_text();
	int i;

	assert_non_null(handle);
	*(void **)&plug_call = dlsym(handle, "plug_call");
	open_ending("taps:*,plug:*");
	plug_call(1);
	dlclose(handle);
	for (i = 0; i < 10; i++)
		TAPS_NUMBER(i);
	assert_int_equal(calls, WANTED);
	assert_true(sum_of_text() == before);
	handle = dlopen(test_argument, RTLD_NOW | RTLD_LOCAL);
	*(void **)&plug_call = dlsym(handle, "plug_call");
	plug_call(2);
	assert_int_equal(sdtkit_tap_rescan(given_up), 0);
	close_ending();
	plug_call(3);
	dlclose(handle);
}

static void *open_and_close(void *unused)
{
	while (!stop)
		sdtkit_tap_close(open_tap("taps:*"));
	return NULL;
}

/* A child that is forked during the withdrawal can still use the library. */
static void fork_one(void)
{
	pid_t child = fork();

	if (child == 0) {
		alarm(300);
		TAPS_NUMBER(1);
		close_ending();
		sdtkit_tap_close(open_tap("taps:*"));
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
}

TEST(test_under_load)
{
	uint64_t before = sum_of_text();
	pthread_t threads[THREADS];
	int round;

	start(threads, 1, open_and_close);
	start(threads + 1, THREADS - 1, run);
	for (round = 0; round < ROUNDS / slower(); round++) {
		open_ending("taps:*");
		while (calls < WANTED)
			sched_yield();
		if (round % 20 == 0)
			fork_one();
		close_ending();
	}
	join(threads, THREADS);
	assert_true(sum_of_text() == before);
	assert_int_equal(taps_number_semaphore, 0);
	assert_int_equal(taps_pair_semaphore, 0);
}
