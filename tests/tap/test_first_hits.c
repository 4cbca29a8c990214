/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first hit of a thread or of a process, which takes a record (inside.h):
 * whose it is, and that a handler of a signal may leave it by siglongjmp().
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>

#include "../child.h"
#include "../raw_fork.h"
#include "inside.h"
#include "machine.h"
#include "raw_hits.h"
#include "tap_all.h"

enum {
	LIMIT_SECONDS = 300,
};

static int open_raw(void **state)
{
	struct sdtkit_tap *tap = NULL;

	good(sdtkit_tap_open_raw("taps:pair", NULL, &raw_counting, &tap));
	raw_hits = 0;
	*state = tap;
	return 0;
}

static int close_tap(void **state)
{
	sdtkit_tap_close(*state);
	return 0;
}

static __attribute__((noinline)) void fire(uint64_t number)
{
	TAPS_PAIR(number, "first");
}

static bool has_own_record(void)
{
	return sdtkit_tap_self != NULL &&
	       sdtkit_tap_self->tid == (pid_t)syscall(SYS_gettid);
}

/* ---------------------------------------------------------------- vfork() */

/* The first hit in this memory is that of a vfork()'s child. */
static int vfork_hits_first(void)
{
	unsigned long before = raw_hits;
	pid_t child = vfork();

	if (child == 0) {
		fire(1);
		_exit(0);
	}
	if (status_of(child) != 0 || raw_hits != before + 1)
		return 1;
	/* It is gone: its parent's hits must not be counted as its own. */
	if (sdtkit_tap_self != NULL && sdtkit_tap_self->tid == child)
		return 2;
	fire(2);
	if (raw_hits != before + 2)
		return 3;
	return !is_by_jump() || has_own_record() ? 0 : 4;
}

TEST_WITH(test_vfork_after_fork, open_raw, close_tap)
{
	pid_t child;

	fire(0);
	child = fork();
	if (child == 0)
		_exit(vfork_hits_first());
	assert_int_equal(status_of(child), 0);
}

TEST_WITH(test_vfork_after_clone, open_raw, close_tap)
{
	pid_t child;

	fire(0);
	child = raw_fork();
	if (child == 0)
		_exit(vfork_hits_first());
	assert_int_equal(status_of(child), 0);
}

/* As a daemon does; the parent does not hit. */
TEST_WITH(test_vfork_after_two_forks, open_raw, close_tap)
{
	pid_t child;

	child = fork();
	if (child == 0) {
		child = fork();
		if (child == 0)
			_exit(vfork_hits_first());
		_exit(status_of(child) != 0);
	}
	assert_int_equal(status_of(child), 0);
}

/* A thread of the process that opened the tap. */
static void *vfork_in_thread(void *unused)
{
	return (void *)(intptr_t)vfork_hits_first();
}

TEST_WITH(test_vfork_in_thread, open_raw, close_tap)
{
	assert_null(in_thread(vfork_in_thread, NULL));
}

/* ----------------------------------------------------------- siglongjmp() */

static _Thread_local sigjmp_buf out;

static void jump_out(int number)
{
	siglongjmp(out, 1);
}

static void raise_signal(void)
{
	raise(SIGUSR1);
}

static void *leave_first_hit(void *unused)
{
	if (sigsetjmp(out, 1) == 0)
		fire(1);
	return unused;
}

/* A close that waited for the hit would wait without end. */
static void prepare_to_leave(void)
{
	signal(SIGUSR1, jump_out);
	raw_extra = raise_signal;
	alarm(LIMIT_SECONDS);
}

static int left_in_thread(struct sdtkit_tap *tap)
{
	prepare_to_leave();
	in_thread(leave_first_hit, NULL);
	sdtkit_tap_close(tap);
	return raw_hits == 1 ? 0 : 1;
}

TEST_WITH(test_left_in_thread, open_raw, close_tap)
{
	pid_t child;

	child = fork();
	if (child == 0)
		_exit(left_in_thread(*state));
	assert_int_equal(status_of(child), 0);
}

/* In a process whose threads have no records. */
static int left_without_record(struct sdtkit_tap *tap)
{
	prepare_to_leave();
	leave_first_hit(NULL);
	raw_extra = NULL;
	fire(2);
	if (raw_hits != 2 || has_own_record())
		return 1;
	sdtkit_tap_close(tap);
	return 0;
}

TEST_WITH(test_left_without_record, open_raw, close_tap)
{
	pid_t child = raw_fork();

	if (child == 0) {
		child = raw_fork();
		if (child == 0)
			_exit(left_without_record(*state));
		_exit(status_of(child) != 0);
	}
	assert_int_equal(status_of(child), 0);
}
