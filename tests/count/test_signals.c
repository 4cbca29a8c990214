/* SPDX-License-Identifier: BSD-2-Clause */
/* Hits that take fewer instructions, and signals that interrupt hits. */
#define _GNU_SOURCE
#include "counted.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <sys/time.h>

/* The arguments are in registers. */
static __attribute__((noinline)) void plain(uint32_t took_us, enum verb verb,
					    int status)
{
	COUNTED_PLAIN(took_us, verb, status);
}

static __attribute__((noinline)) void begins(uint64_t id, enum verb verb)
{
	COUNTED_BEGINS(id, verb);
}

static __attribute__((noinline)) void ends(uint64_t id, int status)
{
	COUNTED_ENDS(id, status);
}

static __attribute__((noinline)) void told(uint32_t took_us, enum verb verb,
					   int status)
{
	COUNTED_TOLD(took_us, verb, status, 1);
}

/* What is counted in fewer instructions has the same numbers. */
COUNTED(test_plain)
{
	const struct sdtkit_count_sums *one, *other;
	unsigned int seed = 5;
	uint32_t i, verb;

	for (i = 0; i < 10000; i++) {
		uint32_t took = (uint32_t)rand_r(&seed) >> i % 32;
		int status = i % 7 == 0 ? -(int)i : 0;

		verb = i % 9;
		plain(took, (enum verb)verb, status);
		told(took, (enum verb)verb, status);
	}
	read_counts();
	assert_total("plain", .ended = 10000);
	for (verb = 0; verb < 9; verb++) {
		one = row_of("plain", verb, 0);
		other = row_of("told", verb, 0);
		assert_int_equal(one->count, other->count);
		assert_int_equal(one->errors, other->errors);
		assert_int_equal(one->total, other->total);
		assert_int_equal(one->least, other->least);
		assert_int_equal(one->most, other->most);
		assert_memory_equal(one->slots, other->slots,
				    sizeof(one->slots));
	}
}

static void *end_brief(void *argument)
{
	ends(1, -1);
	return argument;
}

/* More than a thread has room for, one in another thread, and mistakes. */
COUNTED(test_brief)
{
	const struct sdtkit_count_sums *get, *put;
	uint64_t before = now(), i;

	for (i = 0; i < 1000; i++) {
		begins(i, GET);
		begins(i + 5000, PUT);
		ends(i, i % 4 == 0);
	}
	for (i = 0; i < 1000; i++)
		ends(i + 5000, 0);
	ends(3, 0);
	begins(4, PUT);
	begins(4, GET);
	ends(4, 0);
	begins(1, PUT);
	in_thread(end_brief, NULL);
	begins(2, GET);
	pause_us(20000);
	ends(2, 0);
	read_counts();
	get = row_of("brief", GET, 0);
	put = row_of("brief", PUT, 0);
	assert_int_equal(get->count, 1002);
	assert_int_equal(get->errors, 250);
	assert_int_equal(put->count, 1001);
	assert_int_equal(put->errors, 1);
	assert_in_range(get->most, 20000000, (now() - before) * 2);
	assert_int_equal(slots_of(get), 1002);
	assert_total("brief", .started = 2004, .ended = 2003, .restarted = 1,
		     .unmatched = 1);
}

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
	plain(2, PUT, 0);
	told(2, PUT, 0);
	begins(2, PUT);
	ends(2, 0);
	handled++;
}

/* A timer interrupts hits; all of both are counted. */
COUNTED(test_signals)
{
	static const char *const spans[] = { "plain", "brief", "told" };
	const struct itimerval often = { { 0, 50 }, { 0, 50 } }, never = { 0 };
	uint64_t before = now(), hits = 0;
	uint32_t i;

	signal(SIGALRM, on_signal);
	handled = 0;
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 1000 && now() - before < 20000000000) {
		for (i = 0; i < 1000; i++) {
			plain(1, GET, 0);
			told(1, GET, 0);
			begins(1, GET);
			ends(1, 0);
		}
		hits += 1000;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_DFL);
	read_counts();
	for (i = 0; i < ROWS(spans); i++) {
		assert_int_equal(row_of(spans[i], GET, 0)->count, hits);
		assert_int_equal(row_of(spans[i], PUT, 0)->count, handled);
	}
	assert_int_equal(counts->lost, 0);
}

static sigjmp_buf out;

static void jump_out(int number)
{
	handled++;
	siglongjmp(out, 1);
}

/* How many hits there were, and how many jumps out of them. */
static volatile uint64_t *jumped;

/*
 * The timer is set once for each jump: a second signal during siglongjmp(),
 * which a busy machine has time for, would put one handler on the other until
 * the stack is full.
 */
static void (*hit)(uint32_t took_us, enum verb verb, int status);

static int jump_in_child(void)
{
	const struct itimerval soon = { { 0, 0 }, { 0, 100 } };
	uint64_t before = now();

	signal(SIGALRM, jump_out);
	handled = 0;
	/* The first hit takes long: on a busy machine, each would be left. */
	jumped[0]++;
	hit(1, GET, 0);
	(void)sigsetjmp(out, 1);
	jumped[1] = (uint64_t)handled;
	if (handled == 300)
		return 0;
	setitimer(ITIMER_REAL, &soon, NULL);
	while (now() - before < 20000000000) {
		jumped[0]++;
		hit(1, GET, 0);
	}
	return 1;
}

/*
 * Spans that are left in the middle are not counted, or are; others all are. In
 * a child, whose thread loses its levels: from then on, all hits of a span are
 * lost.
 */
static void jump_out_of(const char *span, unsigned int hits)
{
	jumped = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(jumped, MAP_FAILED);
	assert_int_equal(in_child(jump_in_child), 0);
	read_counts();
	assert_in_range(row_of(span, GET, 0)->count + counts->lost / hits,
			jumped[0] - jumped[1], jumped[0]);
	munmap((void *)(uintptr_t)jumped, 4096);
}

COUNTED(test_jumps)
{
	hit = told;
	jump_out_of("told", 1);
}

COUNTED(test_plain_jumps)
{
	hit = plain;
	jump_out_of("plain", 1);
}

static void begin_and_end(uint32_t id, enum verb verb, int status)
{
	begins(id, verb);
	ends(id, status);
}

COUNTED(test_brief_jumps)
{
	hit = begin_and_end;
	jump_out_of("brief", 2);
}
