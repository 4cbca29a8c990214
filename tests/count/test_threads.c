/* SPDX-License-Identifier: BSD-2-Clause */
/* Spans of many threads, spans in spans, and more than there is room for. */
#define _GNU_SOURCE
#include "counted.h"

#include <sys/syscall.h>

enum {
	THREADS = 16,
	ROUNDS = 20000,
};

static void *ask(void *argument)
{
	uint64_t client = (uintptr_t)argument, i;

	for (i = 0; i < ROUNDS; i++) {
		COUNTED_ASKED(client, i, GET);
		COUNTED_ANSWERED(i, client, 0, 0);
		COUNTED_TOLD(1, PUT, 0, 1);
	}
	return NULL;
}

static void *answer(void *argument)
{
	uint64_t i;

	for (i = 0; i < 100; i++)
		COUNTED_ANSWERED(i, (uintptr_t)argument, 1, 0);
	return NULL;
}

COUNTED(test_threads)
{
	pthread_t threads[THREADS];
	uintptr_t i, round;

	/* The second ones take the sets that the first ones leave. */
	for (round = 0; round < 2; round++) {
		for (i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, ask, (void *)i);
		for (i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	read_counts();
	assert_int_equal(row_of("asked", GET, 0)->count, 2 * THREADS * ROUNDS);
	assert_int_equal(row_of("told", PUT, 0)->count, 2 * THREADS * ROUNDS);
	assert_int_equal(row_of("told", PUT, 0)->sum[0], 2 * THREADS * ROUNDS);
	assert_total("asked", .started = 2 * THREADS * ROUNDS,
		     .ended = 2 * THREADS * ROUNDS);
	assert_in_range(counts->set_count, 1, 2 * THREADS - 1);
}

/* A key begins in one thread, and ends in another. */
COUNTED(test_moved)
{
	uint64_t round, i;

	for (round = 0; round < 3; round++) {
		for (i = 0; i < 100; i++)
			COUNTED_ASKED(5, i, GET);
		in_thread(answer, (void *)5);
	}
	read_counts();
	assert_int_equal(row_of("asked", GET, 1)->count, 300);
	assert_total("asked", .started = 300, .ended = 300);
}

static pid_t entered;

static void *enter_only(void *argument)
{
	int i;

	entered = (pid_t)syscall(SYS_gettid);
	for (i = 0; i < 200; i++)
		COUNTED_ENTER("bob");
	return argument;
}

static void *nest(void *argument)
{
	const int depth = 500;
	int i;

	for (i = 0; i < depth; i++)
		COUNTED_ENTER("ann");
	for (i = 0; i < depth; i++)
		COUNTED_LEAVE();
	return argument;
}

static void *leave_once(void *argument)
{
	COUNTED_LEAVE();
	return argument;
}

/* What a thread that has ended was in is not what the next one is in. */
COUNTED(test_left)
{
	in_thread(enter_only, NULL);
	/* A thread that has been joined may still be ending. */
	while (syscall(SYS_tgkill, getpid(), entered, 0) == 0)
		sched_yield();
	in_thread(leave_once, NULL);
	in_thread(nest, NULL);
	read_counts();
	assert_total("call", .started = 700, .ended = 500, .unmatched = 1,
		     .left = 200);
}

/* More than all tables have: those that began first are lost, and counted. */
COUNTED(test_many_under_way)
{
	const uint64_t many = 20000;
	uint64_t i;

	for (i = 0; i < many; i++)
		COUNTED_QUEUED(i);
	for (i = 0; i < many; i++)
		COUNTED_DONE(i);
	read_counts();
	assert_in_range(total_of("queued")->ended, 5000, 8192 + 64);
	assert_int_equal(total_of("queued")->ended + total_of("queued")->lost,
			 many);
	assert_int_equal(total_of("queued")->unmatched,
			 total_of("queued")->lost);
}

/* Calls have room beside whatever a thread has begun, at any depth. */
COUNTED(test_deep_beside_many)
{
	uint64_t i;

	for (i = 0; i < 100; i++)
		COUNTED_QUEUED(i);
	nest(NULL);
	for (i = 0; i < 4; i++)
		in_thread(nest, NULL);
	for (i = 0; i < 100; i++)
		COUNTED_DONE(i);
	read_counts();
	assert_total("queued", .started = 100, .ended = 100);
	assert_total("call", .started = 5 * 500, .ended = 5 * 500);
}

static int begin_waits(void **state)
{
	count_with("counted:*,waits:*", 0, 0);
	return 0;
}

static void wait_for(int why)
{
	WAITS_BEGIN(why);
	pause_us(1000);
	WAITS_END();
}

static void *answer_and_wait(void *argument)
{
	COUNTED_ANSWERED(2, 1, 0, 0);
	wait_for(0);
	return argument;
}

/* What the spans of a name were without those inside them. */
static uint64_t inside(const char *name)
{
	unsigned int span = span_of(name);
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < counts->row_count; i++) {
		if (counts->rows[i].span == span)
			sum += counts->rows[i].running - counts->rows[i].self;
	}
	return sum;
}

enum { FOR_NONE, FOR_JOB, FOR_CLIENT, FOR_CALL, FOR_WAIT };

static void wait_in_call(void)
{
	COUNTED_ENTER("ann");
	wait_for(FOR_CALL);
	WAITS_BEGIN(FOR_CALL);
	wait_for(FOR_WAIT);
	WAITS_END();
	COUNTED_LEAVE();
}

/* A wait is in what its thread has started or resumed, and still runs. */
TEST_WITH(test_running, begin_waits, end)
{
	wait_for(FOR_NONE);
	COUNTED_QUEUED(7);
	wait_for(FOR_JOB);
	COUNTED_ASKED(1, 2, GET);
	wait_for(FOR_CLIENT);
	in_thread(answer_and_wait, NULL);
	wait_for(FOR_JOB);
	wait_in_call();
	COUNTED_SLEEPS(7);
	wait_for(FOR_NONE);
	COUNTED_ASKED(1, 3, GET);
	COUNTED_WAKES(7);
	wait_for(FOR_JOB);
	COUNTED_DONE(7);
	wait_for(FOR_CLIENT);
	COUNTED_ANSWERED(3, 1, 0, 0);
	wait_for(FOR_NONE);
	read_counts();
	assert_int_equal(inside("queued"), row_of("wait", FOR_JOB, 0)->running);
	assert_int_equal(inside("asked"),
			 row_of("wait", FOR_CLIENT, 0)->running);
	assert_int_equal(inside("call"), row_of("wait", FOR_CALL, 0)->running);
	assert_int_equal(inside("wait"), row_of("wait", FOR_WAIT, 0)->running);
	assert_int_equal(row_of("wait", FOR_JOB, 0)->count, 3);
	assert_int_equal(row_of("wait", FOR_NONE, 0)->count, 4);
}

static void *ask_once(void *argument)
{
	COUNTED_ASKED(9, 9, GET);
	return argument;
}

static void *wait_once(void *argument)
{
	wait_for(FOR_NONE);
	return argument;
}

/* What a thread ran is not what runs in the one that has its set then. */
TEST_WITH(test_running_left, begin_waits, end)
{
	in_thread(ask_once, NULL);
	in_thread(wait_once, NULL);
	COUNTED_ANSWERED(9, 9, 0, 0);
	read_counts();
	assert_int_equal(row_of("asked", GET, 0)->count, 1);
	assert_int_equal(inside("asked"), 0);
}

/* More than a list has room for: what began last is still known. */
TEST_WITH(test_running_many, begin_waits, end)
{
	uint64_t i;

	/* Keys that move leave room in the table of the thread. */
	COUNTED_ASKED(1, 2, GET);
	in_thread(answer_and_wait, NULL);
	for (i = 0; i < 2 * SDTKIT_COUNT_LIST; i++)
		COUNTED_ASKED(1, i, GET);
	wait_for(FOR_CLIENT);
	for (i = 0; i < 2 * SDTKIT_COUNT_LIST; i++)
		COUNTED_ANSWERED(i, 1, 0, 0);
	wait_for(FOR_NONE);
	read_counts();
	assert_int_equal(inside("asked"),
			 row_of("wait", FOR_CLIENT, 0)->running);
}

static int begin_small(void **state)
{
	count_with("counted:told", 1 << 20, 32 << 10);
	return 0;
}

/* Names for which there is no room are counted together. */
TEST_WITH(test_many_names, begin_small, end)
{
	uint64_t named = 0, other = 0;
	size_t i;

	for (i = 0; i < 1000; i++)
		COUNTED_TOLD(3, (enum verb)(i + 10), 0, 2);
	read_counts();
	for (i = 0; i < counts->row_count; i++)
		*(counts->rows[i].is_other ? &other : &named) +=
			counts->rows[i].count;
	assert_in_range(named, 50, 999);
	assert_int_equal(named + other, 1000);
	assert_total("told", .ended = 1000);
	assert_true(counts->set_bytes <= 32 << 10);
}

/* 200 names whose times are spread over five octaves. */
COUNTED(test_memory)
{
	uint32_t i, took;

	for (i = 0; i < 200; i++) {
		for (took = 1; took < 32; took++)
			COUNTED_TOLD(took, (enum verb)i, 0, 1);
	}
	read_counts();
	assert_int_equal(counts->row_count, 200);
	assert_int_equal(counts->set_count, 1);
	assert_in_range(counts->set_bytes, 1, 128 << 10);
}
