/* SPDX-License-Identifier: BSD-2-Clause */
/* The path of a hit, and the reader: with sites made by hand. */
#define _GNU_SOURCE
#include "../child.h"
#include "../raw_fork.h"
#include "../slower.h"
#include "../../lib/base/clock.h"
#include "made.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum {
	RING = 4096,
	FILE_SIZE = 1 << 20,
	MANY = 100000,
};

/* The item is a step. */
static void expect_step(uint64_t number, const char *text)
{
	const struct sdtkit_tap_event *event = item.event;

	assert_non_null(event);
	assert_string_equal(event->probe->probe, "step");
	assert_int_equal(event->value_count, 2);
	assert_int_equal(event->values[0].bits, number);
	assert_string_equal(event->values[1].text, text);
	assert_int_equal(event->values[1].length, strlen(text));
}

static const char longest[] = "0123456789012345678901234567890";

MADE(test_values)
{
	static const char *const texts[] = {
		"", "a", "seven..", "eight...", "nine.....", "hello world!",
		longest,
	};
	uint64_t last = 0;
	size_t i;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	for (i = 0; i < ROWS(texts); i++)
		hit(i << 33, texts[i]);
	open_reader(0);
	for (i = 0; i < ROWS(texts); i++) {
		next_event();
		expect_step(i << 33, texts[i]);
		assert_false(item.event->values[1].cut);
		assert_int_equal(item.event->pid, getpid());
		assert_int_equal(item.event->tid, getpid());
		assert_true(item.time >= last);
		last = item.time;
	}
	assert_int_equal(sdtkit_record_next(reader, &item), 0);
}

/* The last bytes of a number of 8 bytes, its lowest ones on s390x. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOWEST(bytes)	(8 - (bytes))
#else
#define LOWEST(bytes)	0
#endif

/* Where the number may be; hit() gives its address as the number. */
MADE(test_operands)
{
	static const uint64_t numbers[] = { 1, 0xfffffffffffffff0, 3 };
	static const struct {
		struct sdtkit_record_op op;
		struct sdtkit_record_more more;
		uint64_t expected;
	} rows[] = {
		{ { SDTKIT_RECORD_MEMORY, 5, 0, 0, 0, 8 }, { .size = 0 },
		  0xfffffffffffffff0 },
		{ { SDTKIT_RECORD_MEMORY, 5, 56, 0, 1, 8 + LOWEST(1) },
		  { .size = 0 },
		  0xfffffffffffffff0 },
		{ { SDTKIT_RECORD_MEMORY, 5, 48, 0, 0, 8 + LOWEST(2) },
		  { .size = 0 }, 0xfff0 },
		/* Register 3 is 0. */
		{ { SDTKIT_RECORD_INDEXED, 5, 0, 0, 0, 0 },
		  { .index = 3, .scale = 8, .constant = 16 }, 3 },
		{ { SDTKIT_RECORD_CONSTANT, 0, 0, 0, 0, 0 },
		  { .constant = (int64_t)1 << 40 }, (uint64_t)1 << 40 },
		{ { SDTKIT_RECORD_NONE, 0, 0, 0, 0, 0 }, { .constant = 7 }, 0 },
	};
	size_t i;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	for (i = 0; i < ROWS(rows); i++) {
		made.site.ops[0] = rows[i].op;
		made.more.ops[0] = rows[i].more;
		hit((uintptr_t)numbers, "text");
	}
	open_reader(0);
	for (i = 0; i < ROWS(rows); i++) {
		next_event();
		expect_step(rows[i].expected, "text");
	}
}

/* CLOCK_MONOTONIC, whatever the clock of a hit is. */
MADE(test_time)
{
	struct timespec pause = { .tv_nsec = 20000000 };
	uint64_t before, after;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	nanosleep(&pause, NULL);
	before = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	hit(1, "x");
	after = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	nanosleep(&pause, NULL);
	hit(2, "x");
	open_reader(0);
	next_event();
	/* As exact as a system call is: a millisecond is plenty. */
	assert_true(item.time + 1000000 > before);
	assert_true(item.time < after + 1000000);
}

MADE(test_cut)
{
	char text[64];

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	memset(text, 'x', sizeof(text));
	text[63] = '\0';
	hit(1, text);
	hit(2, NULL);
	open_reader(0);
	next_event();
	assert_true(item.event->values[1].cut);
	assert_int_equal(item.event->values[1].length, 31);
	assert_int_equal(strlen(item.event->values[1].text), 31);
	next_event();
	assert_null(item.event->values[1].text);
	assert_null(item.event->values[1].why);
}

/* Strings at the end of mapped memory, and addresses of nothing. */
static void fault(bool is_blocked)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *page = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = page + size;
	sigset_t set;

	munmap(end, size);
	strcpy(end - 3, "ab");
	memset(end - 96, 'y', 10);
	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	if (is_blocked)
		sigprocmask(SIG_BLOCK, &set, NULL);
	hit(1, end - 3);
	memset(end - 6, 'z', 6);
	hit(2, end - 6);
	hit(3, (char *)16);
	hit(4, (char *)(uintptr_t)0x8000000000000000);
	hit(5, "fine");
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	open_reader(0);
	next_event();
	expect_step(1, "ab");
	for (int i = 0; i < 3; i++) {
		next_event();
		assert_null(item.event->values[1].text);
		assert_string_equal(item.event->values[1].why,
				    "there is no memory at that address");
	}
	next_event();
	expect_step(5, "fine");
	munmap(page, size);
}

MADE(test_fault)
{
	fault(false);
}

/* In a thread of its own: what blocks signals is asked for once a thread. */
static void *fault_blocked(void *unused)
{
	fault(true);
	return unused;
}

MADE(test_fault_blocked)
{
	in_thread(fault_blocked, NULL);
}

static void on_own_fault(int number)
{
	_exit(3);
}

/* An address behind the end of a file, where a load raises SIGBUS. */
static char *behind_end(void)
{
	int fd = memfd_create("short", MFD_CLOEXEC);
	char *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	close(fd);
	return at;
}

static int hit_with_own_sigbus(void)
{
	signal(SIGBUS, on_own_fault);
	hit(1, behind_end());
	return 0;
}

/* The thread has hit before, and its ring has space for more. */
static int hit_with_later_handler(void)
{
	const struct timespec pause = { .tv_nsec = 100000000 };

	hit(1, "fine");
	signal(SIGSEGV, on_own_fault);
	nanosleep(&pause, NULL);
	hit(2, (char *)16);
	return 0;
}

static int hit_filter_while_blocked(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigprocmask(SIG_BLOCK, &set, NULL);
	hit(1, (char *)16);
	return 0;
}

/* No fault of a hit reaches the program or the kernel. */
MADE(test_handlers_of_the_program)
{
	struct sdtkit_record_test test = {
		.compare = SDTKIT_RECORD_LIKE,
		.operand = { .number = 4 },
		.text = "some*",
	};

	make(1 << 18, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	assert_int_equal(in_child(hit_with_own_sigbus), 0);
	assert_int_equal(in_child(hit_with_later_handler), 0);
	made.site.is_filtered = true;
	made.more.test_count = 1;
	made.more.tests = &test;
	assert_int_equal(in_child(hit_filter_while_blocked), 0);
}

static uint64_t read_run(uint64_t *first)
{
	uint64_t count = 0, next = 0;

	while (sdtkit_record_next(reader, &item) > 0) {
		char text[32];

		assert_non_null(item.event);
		if (count++ == 0)
			*first = next = item.event->values[0].bits;
		snprintf(text, sizeof(text), "%.*s",
			 (int)(next % 30), longest);
		expect_step(next, text);
		next++;
	}
	return count;
}

/* Every number is there or counted as overwritten, in each size of ring. */
MADE(test_overwrite)
{
	uint32_t size;

	for (size = RING; size <= 1 << 16; size *= 2) {
		uint64_t first = 0, count, i;
		char text[32];

		make(size, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
		for (i = 0; i < MANY; i++) {
			snprintf(text, sizeof(text), "%.*s", (int)(i % 30),
				 longest);
			hit(i, text);
		}
		open_reader(0);
		count = read_run(&first);
		look_at_info();
		assert_int_equal(info.events, MANY);
		assert_int_equal(info.overwritten, first);
		assert_int_equal(first + count, MANY);
		assert_int_equal(info.damaged, 0);
		assert_int_equal(info.lost, 0);
		/* Most of the ring is still there. */
		assert_true(count > size / 100);
	}
}

MADE(test_discard)
{
	uint64_t i, events = 0, lost = 0;

	make(RING, FILE_SIZE, SDTKIT_RECORD_DISCARD);
	for (i = 0; i < 1000; i++)
		hit(i, "before");
	open_reader(SDTKIT_RECORD_FOLLOW);
	for (int looks = 0; looks < 5; looks++) {
		while (sdtkit_record_next(reader, &item) > 0) {
			if (item.event != NULL)
				assert_int_equal(item.event->values[0].bits,
						 lost + events++);
			lost += item.lost;
		}
		usleep(2000);
		/* In place: between those before and those behind. */
		if (looks == 0) {
			for (; i < 1020; i++)
				hit(i, "behind");
		}
	}
	look_at_info();
	assert_int_equal(events + lost, 1020);
	assert_true(lost > 800 && lost < 1000);
	assert_int_equal(info.events, events);
	assert_int_equal(info.lost, lost);
}

static void *hit_second(void *unused)
{
	hit(2, "second");
	return unused;
}

/* A ring that has something older than the rings before it. */
MADE(test_order_of_rings)
{
	uint64_t i;

	make(RING, FILE_SIZE, SDTKIT_RECORD_DISCARD);
	open_reader(SDTKIT_RECORD_FOLLOW);
	hit(1, "first");
	while (sdtkit_record_next(reader, &item) == 0)
		usleep(1000);
	assert_int_equal(item.event->values[0].bits, 1);
	in_thread(hit_second, NULL);
	hit(3, "third");
	usleep(2000);
	for (i = 2; i <= 3; i++)
		assert_int_equal(next_event()->values[0].bits, i);
}

/* The younger of two rings does not pass what another one got meanwhile. */
MADE(test_order_behind_a_young_one)
{
	uint64_t i;

	make(RING, FILE_SIZE, SDTKIT_RECORD_DISCARD);
	open_reader(SDTKIT_RECORD_FOLLOW);
	hit(0, "too young");
	while (sdtkit_record_next(reader, &item) > 0) {
		/* This machine is busy: it is not young any more. */
		hit(0, "too young");
	}
	hit(1, "first");
	in_thread(hit_second, NULL);
	usleep(2000);
	for (i = 0; i <= 2; i++)
		assert_int_equal(next_event()->values[0].bits, i);
}

static void *hit_many(void *unused)
{
	uint64_t i;

	for (i = 0; i < MANY; i++)
		hit(i, "waits");
	return unused;
}

/* Nothing is lost while there is a reader; all goes on when it has gone. */
MADE(test_block)
{
	uint64_t count = 0;
	pthread_t thread;

	make(RING, FILE_SIZE, SDTKIT_RECORD_BLOCK);
	open_reader(SDTKIT_RECORD_FOLLOW);
	pthread_create(&thread, NULL, hit_many, NULL);
	while (count < MANY / 2) {
		while (sdtkit_record_next(reader, &item) > 0) {
			assert_non_null(item.event);
			assert_int_equal(item.event->values[0].bits, count++);
		}
		usleep(100);
	}
	close_reader();
	pthread_join(thread, NULL);
}

/* Returns the number that is next: all before were read, or said to be lost. */
static uint64_t read_on(uint64_t next, bool *begun)
{
	while (sdtkit_record_next(reader, &item) > 0) {
		/* What came before the reader is not in a gap. */
		if (item.event == NULL) {
			next += *begun ? item.lost : 0;
			continue;
		}
		if (!*begun)
			next = item.event->values[0].bits;
		*begun = true;
		assert_int_equal(item.event->values[0].bits, next++);
		assert_string_equal(item.event->values[1].text, "waits");
	}
	return next;
}

/* A reader that is slow, while a thread overwrites: no wrong event, no lie. */
MADE(test_overtaken)
{
	uint64_t next = 0;
	pthread_t thread;
	bool begun = false;
	int looks;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	pthread_create(&thread, NULL, hit_many, NULL);
	open_reader(SDTKIT_RECORD_FOLLOW);
	for (looks = 0; looks < 2000 && next < MANY; looks++) {
		next = read_on(next, &begun);
		usleep(looks % 7 * 100);
	}
	pthread_join(thread, NULL);
	/* The reader waits for what may be older than the last hits. */
	usleep(2000);
	assert_int_equal(read_on(next, &begun), MANY);
}

static atomic_bool is_over;

static void *hit_until_over(void *unused)
{
	while (!atomic_load(&is_over))
		hit(1, "goes on");
	return unused;
}

/* Waits until the thread has hit again; returns how often it has. */
static uint64_t wait_for_hits(uint64_t before)
{
	uint64_t now;

	do {
		sched_yield();
		now = atomic_load(&made.writer.rings[0].events);
	} while (now == before);
	return now;
}

/* The counts of a snapshot are those of its events, while a thread goes on. */
MADE(test_snapshot_of_live_thread)
{
	uint64_t count, hits = 0;
	pthread_t thread;
	int i;

	make(1 << 18, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	pthread_create(&thread, NULL, hit_until_over, NULL);
	for (i = 0; i < 200; i++) {
		hits = wait_for_hits(hits);
		open_reader(0);
		hits = wait_for_hits(hits);
		count = read_to_end();
		look_at_info();
		/* All may be overwritten while it is copied. */
		if (count > 0)
			assert_int_equal(info.events - info.overwritten, count);
	}
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
}

/* The handler of a signal hits in the middle of a hit: other rings. */
static volatile sig_atomic_t depth;

static void on_signal(int number)
{
	hit(1000 + (uint64_t)depth, "nested");
}

static void *disturb(void *argument)
{
	pthread_t *thread = argument;
	int i;

	for (i = 0; i < 2000; i++) {
		pthread_kill(*thread, SIGUSR1);
		usleep(20);
	}
	return NULL;
}

MADE(test_nested)
{
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_NODEFER | SA_RESTART };
	pthread_t self = pthread_self(), thread;
	uint64_t i, steps = 0, others = 0;

	make(1 << 22, 1 << 25, SDTKIT_RECORD_OVERWRITE);
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, disturb, &self);
	for (i = 0; i < 20000; i++) {
		hit(i, "outer");
		usleep(i % 10 == 0 ? 1 : 0);
	}
	pthread_join(thread, NULL);
	open_reader(0);
	while (sdtkit_record_next(reader, &item) > 0) {
		assert_non_null(item.event);
		if (strcmp(item.event->values[1].text, "outer") == 0)
			assert_int_equal(item.event->values[0].bits, steps++);
		else
			others++;
	}
	look_at_info();
	assert_int_equal(steps, 20000);
	assert_true(others > 0);
	assert_int_equal(info.events + info.lost, steps + others + info.lost);
}

/* Short threads use rings again; nothing is lost, and the file is bounded. */
static void *hit_once(void *unused)
{
	hit((uint64_t)gettid(), "once");
	return unused;
}

MADE(test_short_threads)
{
	const int threads = 10000 / slower();
	uint64_t count = 0;
	int i;

	make(1 << 16, 1 << 19, SDTKIT_RECORD_OVERWRITE);
	for (i = 0; i < threads; i++)
		in_thread(hit_once, NULL);
	open_reader(0);
	while (sdtkit_record_next(reader, &item) > 0) {
		assert_int_equal(item.event->values[0].bits, item.event->tid);
		count++;
	}
	look_at_info();
	assert_int_equal(info.rings_used, info.ring_count);
	assert_true(info.ring_count < 10);
	assert_int_equal(info.events, threads);
	assert_int_equal(info.no_ring, 0);
	assert_int_equal(count + info.overwritten, threads);
}

/* More threads at a time than rings: each hit is written or counted. */
static pthread_barrier_t barrier;

static void *hit_and_stay(void *unused)
{
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 100; i++)
		hit(1, "many");
	pthread_barrier_wait(&barrier);
	return unused;
}

MADE(test_no_ring)
{
	enum { THREADS = 16 };
	pthread_t threads[THREADS];
	int i;

	make(1 << 16, 1 << 19, SDTKIT_RECORD_OVERWRITE);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, hit_and_stay, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	open_reader(0);
	look_at_info();
	assert_true(info.no_ring > 0);
	assert_int_equal(info.events + info.no_ring, 100 * THREADS);
	assert_int_equal(info.lost, info.no_ring);
}

/* A child that the C library does not know of has rings of its own. */
MADE(test_raw_clone)
{
	uint64_t of_child = 0, count = 0;
	pid_t pid;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	hit(0, "parent");
	pid = raw_fork();
	if (pid == 0) {
		hit(1, "child");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	hit(2, "parent");
	open_reader(0);
	while (sdtkit_record_next(reader, &item) > 0) {
		assert_int_equal(item.event->values[0].bits, count++);
		if (strcmp(item.event->values[1].text, "child") == 0) {
			assert_int_equal(item.event->pid, pid);
			of_child++;
		} else {
			assert_int_equal(item.event->pid, getpid());
		}
	}
	assert_int_equal(count, 3);
	assert_int_equal(of_child, 1);
}

/* ------------------------------------------------ hits that do not return */

static sigjmp_buf left;

static uint64_t leave_at_clock(void)
{
	siglongjmp(left, 1);
}

static uint64_t count_up(void)
{
	static uint64_t now = 1;

	return now++;
}

static void make_with_clock(uint64_t (*read_clock)(void))
{
	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	made.writer.clock = SDTKIT_RECORD_MONOTONIC;
	made.output.file->clock = SDTKIT_RECORD_MONOTONIC;
	made.writer.read_clock = read_clock;
	atomic_store(&made.writer.clock_due, UINT64_MAX);
}

static uint64_t events_of(void)
{
	open_reader(0);
	look_at_info();
	return info.events;
}

/* Handlers of signals leave hits by siglongjmp(): the next ones are recorded. */
MADE(test_left_hits)
{
	volatile int i;

	make_with_clock(leave_at_clock);
	for (i = 0; i < 2 * SDTKIT_RECORD_LEVELS; i++) {
		if (sigsetjmp(left, 1) == 0)
			hit(0, "left");
		made.writer.read_clock = count_up;
		hit(1, "step");
		made.writer.read_clock = leave_at_clock;
	}
	assert_int_equal(events_of(), 2 * SDTKIT_RECORD_LEVELS);
	assert_int_equal(made.output.file->too_deep, 0);
}

static void hit_nested(int number)
{
	made.writer.read_clock = count_up;
	hit(2, "handler");
}

static uint64_t raise_at_clock(void)
{
	raise(SIGUSR1);
	return count_up();
}

/* The handler's stack is above that of the hit that it interrupts. */
MADE(test_handler_on_other_stack)
{
	char memory[1 << 16];
	const stack_t other = { .ss_sp = memory, .ss_size = sizeof(memory) };
	const stack_t none = { .ss_flags = SS_DISABLE };
	struct sigaction action = { .sa_handler = hit_nested,
				    .sa_flags = SA_ONSTACK }, before;

	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &action, &before);
	make_with_clock(count_up);
	hit(1, "first");
	made.writer.read_clock = raise_at_clock;
	hit(1, "outer");
	sigaction(SIGUSR1, &before, NULL);
	sigaltstack(&none, NULL);
	assert_int_equal(events_of(), 3);
	assert_int_equal(made.output.file->rings_used, 2);
}
