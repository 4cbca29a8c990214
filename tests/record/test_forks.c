/* SPDX-License-Identifier: BSD-2-Clause */
/* A recorder in processes that fork: those that fail, and what vfork() does. */
#define _GNU_SOURCE
#include "../../lib/base/clock.h"
#include "../child.h"
#include "../cmocka_all.h"
#include "../forbid.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "inside.h"
#include "machine.h"
#include "recorded_probes.h"
/* That of records in probes. */
#undef SDTKIT_RECORD_LENGTH
#include "open_recorder.h"
#include "read.h"

enum {
	LIMIT_SECONDS = 300,
};

static struct sdtkit_recorder *record(void)
{
	/* Some machines have only traps. */
	static const struct sdtkit_recorder_options options = {
		.flags = SDTKIT_RECORDER_NO_FILE | SDTKIT_RECORDER_NO_LISTEN |
			 SDTKIT_RECORDER_TRAPS,
	};
	struct sdtkit_recorder *recorder = NULL;

	if (sdtkit_recorder_open("rec:step", &options, &recorder) < 0)
		fail_msg("%s", sdtkit_recorder_error());
	return recorder;
}

static __attribute__((noinline)) void step(uint64_t number)
{
	REC_STEP(number, "forks");
}

/* ------------------------------------------------------------ a failed fork */

/* The recorder waits for children once, for 50 ms. */
static int fail_to_fork(struct sdtkit_recorder *recorder)
{
	struct sdtkit_record_file *file = recorder->output.file;
	uint64_t begin;
	int i;

	if (forbid(SYS_clone, SECCOMP_RET_ERRNO | EAGAIN) < 0)
		return 0;
	for (i = 0; i < 3; i++) {
		if (fork() >= 0)
			return 1;
	}
	begin = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	sdtkit_record_remove_process(file);
	if (sdtkit_nanoseconds(CLOCK_MONOTONIC) - begin < 50000000)
		return 2;
	return atomic_load(&file->forks) != 0;
}

TEST(test_failed_forks)
{
	struct sdtkit_recorder *recorder = record();
	pid_t child = fork();

	if (child == 0)
		_exit(fail_to_fork(recorder));
	assert_int_equal(status_of(child), 0);
	/* A child that was given up, and comes after all. */
	sdtkit_record_end_fork(recorder->output.file);
	assert_int_equal(recorder->output.file->forks, 0);
	sdtkit_recorder_close(recorder);
}

/* ------------------------------------------------------ vfork() in a daemon */

static pid_t ids[2];

/* The first hit of the daemon is that of a child of its vfork(). */
static void be_daemon(const int *to)
{
	pid_t mine[2] = { getpid(), vfork() };

	if (mine[1] == 0) {
		step(1);
		_exit(0);
	}
	step(2);
	_exit(waitpid(mine[1], NULL, 0) != mine[1] ||
	      write(*to, mine, sizeof(mine)) != sizeof(mine));
}

static void fork_twice(int to)
{
	pid_t child = fork();

	if (child == 0)
		be_daemon(&to);
	_exit(0);
}

TEST(test_vfork_in_daemon)
{
	struct sdtkit_recorder *recorder = record();
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	int pipes[2], i;
	pid_t child;

	assert_int_equal(pipe(pipes), 0);
	child = fork();
	if (child == 0)
		fork_twice(pipes[1]);
	assert_int_equal(status_of(child), 0);
	assert_int_equal(read(pipes[0], ids, sizeof(ids)), sizeof(ids));
	if (sdtkit_record_open(recorder->output.descriptor.fd, 0, &reader) < 0)
		fail_msg("%s", sdtkit_record_error());
	for (i = 1; i <= 2; i++) {
		assert_int_equal(sdtkit_record_next(reader, &item), 1);
		assert_non_null(item.event);
		assert_int_equal(item.event->values[0].bits, i);
		assert_int_equal(item.event->pid, ids[i % 2]);
		assert_int_equal(item.event->tid, ids[i % 2]);
	}
	sdtkit_record_close(reader);
	sdtkit_recorder_close(recorder);
	close(pipes[0]);
	close(pipes[1]);
}

/* ------------------------------------------ fork() in the middle of a hit */

static atomic_int forked = -1;

/* The hit that was interrupted goes on in both processes. */
static void fork_within_hit(int number)
{
	if (sdtkit_tap_self == NULL || sdtkit_tap_self->depth == 0 ||
	    atomic_load(&forked) >= 0)
		return;
	alarm(LIMIT_SECONDS);
	atomic_store(&forked, fork());
	alarm(LIMIT_SECONDS);
	step(atomic_load(&forked) == 0 ? 2 : 3);
}

static void *step_until_forked(void *unused)
{
	while (atomic_load(&forked) < 0)
		step(1);
	return unused;
}

/* In the child there is this thread alone. */
static void *fork_and_step(void *recorder)
{
	step_until_forked(NULL);
	if (atomic_load(&forked) > 0)
		return NULL;
	step(2);
	sdtkit_recorder_close(recorder);
	step(4);
	_exit(0);
}

static void interrupt_until_forked(pthread_t thread)
{
	const struct sigaction action = { .sa_handler = fork_within_hit };
	const struct timespec pause = { .tv_nsec = 100000 };

	sigaction(SIGUSR1, &action, NULL);
	while (atomic_load(&forked) < 0) {
		pthread_kill(thread, SIGUSR1);
		nanosleep(&pause, NULL);
	}
}

/* Without jumps no hit can be interrupted. */
TEST(test_fork_within_hit)
{
	struct sdtkit_recorder *recorder;
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	int counts[5] = { 0 };
	pthread_t thread;

	if (sdtkit_tap_machine.jump == NULL)
		return;
	recorder = record();
	pthread_create(&thread, NULL, fork_and_step, recorder);
	interrupt_until_forked(thread);
	pthread_join(thread, NULL);
	assert_int_equal(status_of(atomic_load(&forked)), 0);
	step(3);
	if (sdtkit_record_open(recorder->output.descriptor.fd, 0, &reader) < 0)
		fail_msg("%s", sdtkit_record_error());
	while (sdtkit_record_next(reader, &item) > 0) {
		uint64_t number;

		assert_non_null(item.event);
		number = item.event->values[0].bits;
		assert_true(number < ROWS(counts));
		if (item.event->pid == atomic_load(&forked) && number == 1)
			number = 0;
		else
			assert_int_equal(item.event->pid, number == 2 ?
					 atomic_load(&forked) : getpid());
		counts[number]++;
	}
	/* The child has it, too, if it had not begun to be written. */
	assert_true(counts[0] <= 1);
	assert_int_equal(counts[2], 2);
	assert_int_equal(counts[3], 2);
	assert_int_equal(counts[4], 0);
	alarm(0);
	sdtkit_record_close(reader);
	sdtkit_recorder_close(recorder);
}
