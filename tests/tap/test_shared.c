/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Taps of probes that share a semaphore: each adds its part and takes it back,
 * in any order, in a child, from another thread. (plug.d has a group too, so
 * that test_libraries.c covers libraries that are unloaded and loaded again.)
 */
#include "../child.h"
#include "tap_all.h"

#include "shared_probes.h"

static void fire(void)
{
	if (SHARED_PAIR_TRACED()) {
		SHARED_ONE(1);
		SHARED_TWO(2);
	}
	SHARED_ALONE(3);
}

/* Asserts the group's count of attachments, and what its guards say. */
static void assert_attached(unsigned int count)
{
	assert_int_equal(shared_pair_traced_semaphore, count);
	assert_int_equal(SHARED_PAIR_TRACED(), count > 0);
	assert_int_equal(SHARED_ONE_ENABLED(), count > 0);
	assert_int_equal(SHARED_TWO_ENABLED(), count > 0);
	assert_int_equal(SHARED_ALONE_ENABLED(), 0);
}

TEST(test_any_order)
{
	struct sdtkit_tap *taps[2];
	int first;

	for (first = 0; first < 2; first++) {
		assert_attached(0);
		fire();
		taps[0] = open_tap("shared:one");
		assert_attached(1);
		fire();
		taps[1] = open_tap("shared:two");
		assert_attached(2);
		fire();
		assert_int_equal(sdtkit_tap_count(taps[0], NULL), 2);
		assert_int_equal(sdtkit_tap_count(taps[1], NULL), 1);
		sdtkit_tap_close(taps[first]);
		assert_attached(1);
		fire();
		assert_int_equal(sdtkit_tap_count(taps[!first], NULL),
				 first == 0 ? 2 : 3);
		sdtkit_tap_close(taps[!first]);
	}
	assert_attached(0);
}

/* Twice the same, and by both names. */
TEST(test_one_tap)
{
	struct sdtkit_tap *tap = open_tap("shared:*,!*:alone");
	struct sdtkit_tap *alias = open_tap("common:one");

	assert_attached(3);
	fire();
	assert_int_equal(sdtkit_tap_count(tap, "shared:one"), 1);
	assert_int_equal(sdtkit_tap_count(tap, "shared:two"), 1);
	assert_int_equal(sdtkit_tap_count(alias, NULL), 1);
	sdtkit_tap_close(tap);
	assert_attached(1);
	sdtkit_tap_close(alias);
	assert_attached(0);
}

TEST(test_rescan)
{
	struct sdtkit_tap *one = open_tap("shared:one");
	struct sdtkit_tap *two = open_tap("shared:two");

	good(sdtkit_tap_rescan(one));
	good(sdtkit_tap_rescan(two));
	assert_attached(2);
	sdtkit_tap_close(one);
	sdtkit_tap_close(two);
	assert_attached(0);
}

/* A child has copies, which its own taps and those that it inherits change. */
TEST(test_child)
{
	struct sdtkit_tap *one = open_tap("shared:one");
	struct sdtkit_tap *two;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		two = open_tap("shared:two");
		fire();
		status = sdtkit_tap_count(two, NULL) == 1 ? 0 : 1;
		sdtkit_tap_close(two);
		sdtkit_tap_close(one);
		_exit(shared_pair_traced_semaphore == 0 ? status : 2);
	}
	assert_int_equal(status_of(pid), 0);
	assert_attached(1);
	sdtkit_tap_close(one);
	assert_attached(0);
}

static void *open_and_close(void *pattern)
{
	int i;

	for (i = 0; i < 50; i++)
		sdtkit_tap_close(open_tap(pattern));
	return NULL;
}

TEST(test_threads)
{
	char one[] = "shared:one", two[] = "shared:two";
	pthread_t threads[2];

	assert_int_equal(pthread_create(&threads[0], NULL, open_and_close, one),
			 0);
	assert_int_equal(pthread_create(&threads[1], NULL, open_and_close, two),
			 0);
	fire();
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert_attached(0);
}
