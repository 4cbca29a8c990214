/* SPDX-License-Identifier: BSD-2-Clause */
/* Children that are forked while a tap is open. */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "../child.h"
#include "state.h"
#include "tap_all.h"

/*
 * An assertion for children of fork(), where cmocka cannot be used: the exit
 * status is the number.
 */
#define CHECK(condition, number)					\
	do {								\
		if (!(condition))					\
			_exit(number);					\
	} while (0)

TEST(test_own_copy)
{
	struct sdtkit_tap *tap = open_tap("taps:*"), *another;
	uint64_t tapped = sum_of_text();
	pid_t child;

	TAPS_NUMBER(1);
	child = fork();
	if (child == 0) {
		TAPS_NUMBER(2);
		CHECK(sdtkit_tap_count(tap, NULL) == 2, 1);
		CHECK(sdtkit_tap_open("taps:number", &another) == 0, 2);
		TAPS_NUMBER(3);
		CHECK(sdtkit_tap_count(another, NULL) == 1, 3);
		sdtkit_tap_close(another);
		sdtkit_tap_close(tap);
		TAPS_NUMBER(4);
		CHECK(taps_number_semaphore == 0, 4);
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
	assert_int_equal(sdtkit_tap_count(tap, NULL), 1);
	assert_int_equal(sum_of_text(), tapped);
	good(sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_int("n", 1)));
	good(sdtkit_tap_expect_none(tap, NULL));
	sdtkit_tap_close(tap);
}

TEST(test_children)
{
	const struct sdtkit_tap_event *event;
	struct sdtkit_tap *tap;
	pid_t child;

	tap = open_with("taps:*", .flags = SDTKIT_TAP_CHILDREN);
	TAPS_PAIR(1, "parent");
	child = fork();
	if (child == 0) {
		TAPS_PAIR(2, "child");
		CHECK(sdtkit_tap_rescan(tap) == -EPERM, 1);
		sdtkit_tap_close(tap);
		TAPS_PAIR(3, "child");
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
	TAPS_PAIR(4, "parent");
	assert_int_equal(sdtkit_tap_count(tap, NULL), 3);
	good(sdtkit_tap_expect_next(tap, "taps:pair", sdtkit_tap_int(NULL, 1)));
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	assert_int_equal(event->pid, child);
	assert_int_equal(event->values[0].bits, 2);
	assert_string_equal(event->values[1].text, "child");
	good(sdtkit_tap_expect_next(tap, "taps:pair", sdtkit_tap_int(NULL, 4)));
	sdtkit_tap_close(tap);
}

static void *hit(void *stop)
{
	while (!*(atomic_bool *)stop)
		TAPS_NUMBER(0);
	return NULL;
}

/*
 * The child of fork() has one thread only: those of the parent that were in the
 * handler of the trap never leave it there, and nothing may wait for them.
 */
TEST(test_forked_while_threads_hit)
{
	struct sdtkit_tap *tap = open_tap("taps:number");
	atomic_bool stop = false;
	pthread_t threads[4];
	size_t i;

	for (i = 0; i < ROWS(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hit, &stop),
				 0);
	for (i = 0; i < 50; i++) {
		pid_t child = fork();

		if (child == 0) {
			alarm(300);
			TAPS_NUMBER(1);
			sdtkit_tap_close(tap);
			_exit(0);
		}
		assert_int_equal(status_of(child), 0);
	}
	stop = true;
	for (i = 0; i < ROWS(threads); i++)
		pthread_join(threads[i], NULL);
	sdtkit_tap_close(tap);
}

enum { BUSY = 4 };

static atomic_int busy;
static atomic_bool go_on;

/*
 * A callback that does not return until the test says so, in the parent only.
 */
static void keep_slot(const struct sdtkit_tap_event *event, void *context)
{
	if (event->pid != *(pid_t *)context)
		return;
	busy++;
	while (!go_on)
		usleep(1000);
}

static void *hit_once(void *unused)
{
	TAPS_NUMBER(0);
	return NULL;
}

/*
 * The slots that callbacks of the parent's threads occupy are free in the
 * child.
 */
TEST(test_forked_while_calls_go_on)
{
	pid_t parent = getpid(), child;
	pthread_t threads[BUSY];
	struct sdtkit_tap *tap;
	size_t i;

	tap = open_with("taps:number", .callback = keep_slot, .capacity = BUSY,
			.context = &parent);
	for (i = 0; i < BUSY; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hit_once,
						NULL), 0);
	while (busy < BUSY)
		usleep(1000);
	child = fork();
	if (child == 0) {
		TAPS_NUMBER(1);
		_exit(sdtkit_tap_lost(tap) != 0);
	}
	assert_int_equal(status_of(child), 0);
	go_on = true;
	for (i = 0; i < BUSY; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(sdtkit_tap_lost(tap), 0);
	sdtkit_tap_close(tap);
}

/* An event that a thread of the parent was writing is lost in the child. */
TEST(test_forked_while_an_event_is_written)
{
	const struct sdtkit_tap_event *event;
	unsigned long number;
	struct sdtkit_tap *tap = open_with("taps:number", .capacity = 4);
	pid_t child;
	int i, seen = 0;

	assert_non_null(sdtkit_tap_buffer_claim(tap->buffer, getpid(),
						&number));
	child = fork();
	if (child == 0) {
		for (i = 0; i < 20; i++) {
			TAPS_NUMBER(i);
			seen += sdtkit_tap_next(tap, &event);
		}
		_exit(seen != 20 || sdtkit_tap_lost(tap) != 1);
	}
	assert_int_equal(status_of(child), 0);
	sdtkit_tap_close(tap);
}

/*
 * In a PID namespace, an event has the process ID that the process itself sees.
 */
TEST(test_child_in_a_namespace)
{
	const struct sdtkit_tap_event *event;
	struct sdtkit_tap *tap;
	pid_t child;
	int status;

	tap = open_with("taps:number", .flags = SDTKIT_TAP_CHILDREN);
	child = fork();
	if (child == 0) {
		if (unshare(CLONE_NEWPID) < 0)
			_exit(77);
		child = fork();
		if (child == 0) {
			TAPS_NUMBER(1);
			_exit(0);
		}
		_exit(waitpid(child, NULL, 0) != child);
	}
	status = status_of(child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		sdtkit_tap_close(tap);
		unavailable("no right to make a PID namespace");
	}
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	assert_int_equal(event->pid, 1);
	sdtkit_tap_close(tap);
}

/*
 * An event that a child was writing when it was killed does not stop the
 * reader.
 */
TEST(test_killed_children)
{
	const struct sdtkit_tap_event *event;
	struct sdtkit_tap *tap;
	uint64_t seen = 0, before;
	int i;

	tap = open_with("taps:number", .flags = SDTKIT_TAP_CHILDREN,
			.capacity = 100000);
	for (i = 0; i < 30; i++) {
		pid_t child;

		before = sdtkit_tap_count(tap, NULL);
		child = fork();
		while (child == 0)
			TAPS_NUMBER(1);
		/* two hits: the event of the first one is complete */
		while (sdtkit_tap_count(tap, NULL) < before + 2)
			usleep(500);
		kill(child, SIGKILL);
		assert_int_equal(status_of(child), SIGKILL);
	}
	TAPS_NUMBER(2);
	while (sdtkit_tap_next(tap, &event) > 0)
		seen++;
	assert_true(seen > 30);
	/*
	 * A child may be killed after it has counted a hit and before it has
	 * taken a slot for the event.
	 */
	assert_in_range(sdtkit_tap_count(tap, NULL) - seen -
			sdtkit_tap_lost(tap), 0, 30);
	sdtkit_tap_close(tap);
}

/* The number of a process that was there. */
static pid_t dead_process(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	assert_int_equal(status_of(child), 0);
	return child;
}

/*
 * A writer that was killed when it had taken a slot, and had not moved the head
 * yet: the number that it had is lost, and all others go on.
 */
TEST(test_killed_before_the_head_moves)
{
	struct sdtkit_tap *tap = open_tap("taps:number");
	const struct sdtkit_tap_event *event;
	struct sdtkit_tap_slot *slot;
	unsigned long number;
	int i;

	TAPS_NUMBER(1);
	slot = sdtkit_tap_buffer_claim(tap->buffer, dead_process(), &number);
	assert_non_null(slot);
	assert_int_equal(number, 1);
	atomic_store(&tap->buffer->head, 1);
	for (i = 2; i < 5; i++) {
		TAPS_NUMBER(i);
		assert_int_equal(atomic_load(&tap->buffer->head), i + 1);
	}
	for (i = 1; i < 5; i++) {
		assert_int_equal(sdtkit_tap_next(tap, &event), 1);
		assert_int_equal(event->values[0].bits, i);
	}
	assert_int_equal(sdtkit_tap_next(tap, &event), 0);
	assert_int_equal(sdtkit_tap_lost(tap), 1);
	assert_int_equal(atomic_load(&tap->buffer->tail), 5);
	sdtkit_tap_close(tap);
}

static void killed_in_child(const struct sdtkit_tap_event *event,
			    void *context)
{
	if (event->pid != *(pid_t *)context)
		raise(SIGKILL);
}

/*
 * A child of vfork() that is killed in the handler has marked, in the memory of
 * its parent, that it is in there. The parent must not wait for it.
 */
TEST(test_vfork_killed_in_a_hit)
{
	pid_t parent = getpid(), child;
	struct sdtkit_tap *tap;

	tap = open_with("taps:number", .callback = killed_in_child,
			.context = &parent);
	child = vfork();
	if (child == 0) {
		TAPS_NUMBER(1);
		_exit(0);
	}
	assert_int_equal(status_of(child), SIGKILL);
	TAPS_NUMBER(2);
	assert_int_equal(sdtkit_tap_count(tap, NULL), 2);
	assert_int_equal(sdtkit_tap_lost(tap), 0);
	alarm(300);
	sdtkit_tap_close(tap);
	alarm(0);
}

TEST(test_executed)
{
	struct sdtkit_tap *tap = open_tap("taps:*");
	const struct sdtkit_tap_event *event;
	pid_t child = fork();

	if (child == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	assert_int_equal(status_of(child), 0);
	child = vfork();
	if (child == 0) {
		TAPS_PAIR(5, "vfork");
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	assert_int_equal(status_of(child), 0);
	TAPS_NUMBER(6);
	/*
	 * The child of vfork() shared the parent's memory, but the event has
	 * its own process ID.
	 */
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	assert_int_equal(event->pid, child);
	assert_int_equal(event->tid, child);
	assert_string_equal(event->values[1].text, "vfork");
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	assert_int_equal(event->pid, getpid());
	assert_int_equal(event->tid, getpid());
	sdtkit_tap_close(tap);
}
