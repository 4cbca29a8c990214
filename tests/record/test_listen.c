/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The thread that listens, in a program that closes its descriptors and uses
 * their numbers for others, and in its children. A recorder that is not closed
 * in time ends the test by a signal.
 */
#define _GNU_SOURCE
#include "../child.h"
#include "../cmocka_all.h"
#include "../descriptors.h"
#include "../forbid.h"
#include "../raw_fork.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "recorded_probes.h"
#include "sdtkit/recorder.h"

enum {
	OTHERS = 16,
	SECONDS = 600,
	/* close_range(2), which has this number on all machines. */
	CLOSE_RANGE = 436,
};

static void open_recorder(struct sdtkit_recorder **recorder)
{
	static const struct sdtkit_recorder_options options = {
		.flags = SDTKIT_RECORDER_NO_FILE | SDTKIT_RECORDER_TRAPS,
	};

	alarm(SECONDS);
	if (sdtkit_recorder_open("rec:step", &options, recorder) < 0)
		fail_msg("%s", sdtkit_recorder_error());
	REC_STEP(1, "a site");
}

/* Closes what the recorder has opened, and has the numbers itself. */
static void take_descriptors(int first, int *others)
{
	int i;

	for (i = first; i < first + OTHERS; i++)
		close(i);
	for (i = 0; i < OTHERS; i++)
		others[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static void expect_untouched(int *others)
{
	uint64_t number;
	int i;

	for (i = 0; i < OTHERS; i++) {
		assert_int_equal(read(others[i], &number, sizeof(number)), -1);
		assert_int_equal(errno, EAGAIN);
		close(others[i]);
	}
}

TEST(test_closed_and_used_again)
{
	int others[OTHERS], first = dup(0);
	struct sdtkit_recorder *recorder;

	close(first);
	open_recorder(&recorder);
	take_descriptors(first, others);
	sdtkit_recorder_close(recorder);
	expect_untouched(others);
	/* The name of the socket is free again. */
	open_recorder(&recorder);
	sdtkit_recorder_close(recorder);
}

/* cmocka's skip() prints "not ok", which meson counts as a failure. */
static void leave_out(const char *why)
{
	const char *required = getenv("SDTKIT_REQUIRE_TRACERS");

	if (required != NULL && required[0] != '\0')
		fail_msg("%s", why);
	print_message("# left out: %s\n", why);
}

/* The thread cannot be told that the recorder is closed: nobody waits. */
TEST(test_thread_out_of_reach)
{
	int others[OTHERS], first = dup(0);
	struct sdtkit_recorder *recorder;

	close(first);
	open_recorder(&recorder);
	if (unshare(CLONE_NEWNET) < 0) {
		sdtkit_recorder_close(recorder);
		leave_out("a network namespace needs root");
		return;
	}
	take_descriptors(first, others);
	sdtkit_recorder_close(recorder);
	expect_untouched(others);
}

TEST(test_no_descriptor_is_left)
{
	int before = count_descriptors();
	struct sdtkit_recorder *recorder;

	open_recorder(&recorder);
	/* The file and what ends the thread. */
	assert_true(count_descriptors() <= before + 2);
	sdtkit_recorder_close(recorder);
	assert_int_equal(count_descriptors(), before);
}

/* It does not have the thread, and the C library does not know of it. */
TEST(test_close_in_raw_child)
{
	struct sdtkit_recorder *recorder;
	pid_t pid;

	open_recorder(&recorder);
	pid = raw_fork();
	if (pid == 0) {
		alarm(SECONDS / 2);
		sdtkit_recorder_close(recorder);
		_exit(0);
	}
	assert_int_equal(status_of(pid), 0);
	sdtkit_recorder_close(recorder);
}

/*
 * As a kernel before Linux 5.9: the thread has the program's descriptors. The
 * last test, since this cannot be undone.
 */
TEST(test_without_close_range)
{
	if (forbid(CLOSE_RANGE, SECCOMP_RET_ERRNO | ENOSYS) < 0) {
		leave_out("seccomp is not there");
		return;
	}
	test_closed_and_used_again(state);
	test_close_in_raw_child(state);
	test_thread_out_of_reach(state);
}
