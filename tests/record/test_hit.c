/* SPDX-License-Identifier: BSD-2-Clause */
/* The path of a hit, and the reader: with sites made by hand. */
#define _GNU_SOURCE
#include "../raw_fork.h"
#include "../slower.h"
#include "made.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	RING = 4096,
	FILE_SIZE = 1 << 20,
	MANY = 100000,
};

static void expect_step(const struct sdtkit_record_item *item, uint64_t number,
			const char *text)
{
	const struct sdtkit_tap_event *event = item->event;

	assert_non_null(event);
	assert_string_equal(event->probe->probe, "step");
	assert_int_equal(event->value_count, 2);
	assert_int_equal(event->values[0].bits, number);
	assert_string_equal(event->values[1].text, text);
	assert_int_equal(event->values[1].length, strlen(text));
}

static const char longest[] = "0123456789012345678901234567890";

TEST(test_values)
{
	static const char *const texts[] = {
		"", "a", "seven..", "eight...", "nine.....", "hello world!",
		longest,
	};
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct made made;
	uint64_t last = 0;
	size_t i;

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	for (i = 0; i < ROWS(texts); i++)
		hit(&made, i << 33, texts[i]);
	reader = reader_of(&made, 0);
	for (i = 0; i < ROWS(texts); i++) {
		assert_int_equal(sdtkit_record_next(reader, &item), 1);
		expect_step(&item, i << 33, texts[i]);
		assert_false(item.event->values[1].cut);
		assert_int_equal(item.event->pid, getpid());
		assert_int_equal(item.event->tid, getpid());
		assert_true(item.time >= last);
		last = item.time;
	}
	assert_int_equal(sdtkit_record_next(reader, &item), 0);
	sdtkit_record_close(reader);
	unmake(&made);
}

/* The last bytes of a number of 8 bytes, its lowest ones on s390x. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOWEST(bytes)	(8 - (bytes))
#else
#define LOWEST(bytes)	0
#endif

/* Where the number may be; hit() gives its address as the number. */
TEST(test_operands)
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
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct made made;
	size_t i;

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	for (i = 0; i < ROWS(rows); i++) {
		made.site.ops[0] = rows[i].op;
		made.more.ops[0] = rows[i].more;
		hit(&made, (uintptr_t)numbers, "text");
	}
	reader = reader_of(&made, 0);
	for (i = 0; i < ROWS(rows); i++) {
		assert_int_equal(sdtkit_record_next(reader, &item), 1);
		expect_step(&item, rows[i].expected, "text");
	}
	sdtkit_record_close(reader);
	unmake(&made);
}

/* CLOCK_MONOTONIC, whatever the clock of a hit is. */
TEST(test_time)
{
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct timespec before, after, pause = { .tv_nsec = 20000000 };
	struct made made;

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	nanosleep(&pause, NULL);
	clock_gettime(CLOCK_MONOTONIC, &before);
	hit(&made, 1, "x");
	clock_gettime(CLOCK_MONOTONIC, &after);
	nanosleep(&pause, NULL);
	hit(&made, 2, "x");
	reader = reader_of(&made, 0);
	assert_int_equal(sdtkit_record_next(reader, &item), 1);
	/* As exact as a system call is: a millisecond is plenty. */
	assert_true(item.time + 1000000 > (uint64_t)before.tv_sec * 1000000000 +
		    (uint64_t)before.tv_nsec);
	assert_true(item.time < (uint64_t)after.tv_sec * 1000000000 +
		    (uint64_t)after.tv_nsec + 1000000);
	sdtkit_record_close(reader);
	unmake(&made);
}

TEST(test_cut)
{
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct made made;
	char text[64];

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	memset(text, 'x', sizeof(text));
	text[63] = '\0';
	hit(&made, 1, text);
	hit(&made, 2, NULL);
	reader = reader_of(&made, 0);
	assert_int_equal(sdtkit_record_next(reader, &item), 1);
	assert_true(item.event->values[1].cut);
	assert_int_equal(item.event->values[1].length, 31);
	assert_int_equal(strlen(item.event->values[1].text), 31);
	assert_int_equal(sdtkit_record_next(reader, &item), 1);
	assert_null(item.event->values[1].text);
	assert_null(item.event->values[1].why);
	sdtkit_record_close(reader);
	unmake(&made);
}

/* Strings at the end of mapped memory, and addresses of nothing. */
static void fault(bool is_blocked)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *page = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = page + size;
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct made made;
	sigset_t set;

	munmap(end, size);
	strcpy(end - 3, "ab");
	memset(end - 96, 'y', 10);
	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	if (is_blocked)
		sigprocmask(SIG_BLOCK, &set, NULL);
	hit(&made, 1, end - 3);
	memset(end - 6, 'z', 6);
	hit(&made, 2, end - 6);
	hit(&made, 3, (char *)16);
	hit(&made, 4, (char *)(uintptr_t)0x8000000000000000);
	hit(&made, 5, "fine");
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	reader = reader_of(&made, 0);
	assert_int_equal(sdtkit_record_next(reader, &item), 1);
	expect_step(&item, 1, "ab");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(sdtkit_record_next(reader, &item), 1);
		assert_null(item.event->values[1].text);
		assert_string_equal(item.event->values[1].why,
				    "there is no memory at that address");
	}
	assert_int_equal(sdtkit_record_next(reader, &item), 1);
	expect_step(&item, 5, "fine");
	sdtkit_record_close(reader);
	unmake(&made);
	munmap(page, size);
}

TEST(test_fault)
{
	fault(false);
}

/* In a thread of its own: what blocks signals is asked for once a thread. */
static void *fault_blocked(void *unused)
{
	fault(true);
	return unused;
}

TEST(test_fault_blocked)
{
	pthread_t thread;

	pthread_create(&thread, NULL, fault_blocked, NULL);
	pthread_join(thread, NULL);
}

/* What a process does that may be ended by a fault; 0: all was right. */
static int in_child(int (*body)(struct made *made), struct made *made)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(body(made));
	waitpid(pid, &status, 0);
	return status;
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

static int hit_with_own_sigbus(struct made *made)
{
	signal(SIGBUS, on_own_fault);
	hit(made, 1, behind_end());
	return 0;
}

/* The thread has hit before, and its ring has space for more. */
static int hit_with_later_handler(struct made *made)
{
	const struct timespec pause = { .tv_nsec = 100000000 };

	hit(made, 1, "fine");
	signal(SIGSEGV, on_own_fault);
	nanosleep(&pause, NULL);
	hit(made, 2, (char *)16);
	return 0;
}

static int hit_filter_while_blocked(struct made *made)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigprocmask(SIG_BLOCK, &set, NULL);
	hit(made, 1, (char *)16);
	return 0;
}

/* No fault of a hit reaches the program or the kernel. */
TEST(test_handlers_of_the_program)
{
	struct sdtkit_record_test test = {
		.compare = SDTKIT_RECORD_LIKE,
		.operand = { .number = 4 },
		.text = "some*",
	};
	struct made made;

	make(&made, 1 << 18, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	assert_int_equal(in_child(hit_with_own_sigbus, &made), 0);
	assert_int_equal(in_child(hit_with_later_handler, &made), 0);
	made.site.is_filtered = true;
	made.more.test_count = 1;
	made.more.tests = &test;
	assert_int_equal(in_child(hit_filter_while_blocked, &made), 0);
	unmake(&made);
}

static uint64_t read_run(struct sdtkit_record_reader *reader, uint64_t *first)
{
	struct sdtkit_record_item item;
	uint64_t count = 0, next = 0;

	while (sdtkit_record_next(reader, &item) > 0) {
		char text[32];

		assert_non_null(item.event);
		if (count++ == 0)
			*first = next = item.event->values[0].bits;
		snprintf(text, sizeof(text), "%.*s",
			 (int)(next % 30), longest);
		expect_step(&item, next, text);
		next++;
	}
	return count;
}

/* Every number is there or counted as overwritten, in each size of ring. */
TEST(test_overwrite)
{
	uint32_t size;

	for (size = RING; size <= 1 << 16; size *= 2) {
		struct sdtkit_record_reader *reader;
		struct sdtkit_record_info info;
		uint64_t first = 0, count, i;
		struct made made;
		char text[32];

		make(&made, size, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
		for (i = 0; i < MANY; i++) {
			snprintf(text, sizeof(text), "%.*s", (int)(i % 30),
				 longest);
			hit(&made, i, text);
		}
		reader = reader_of(&made, 0);
		count = read_run(reader, &first);
		sdtkit_record_info(reader, &info);
		assert_int_equal(info.events, MANY);
		assert_int_equal(info.overwritten, first);
		assert_int_equal(first + count, MANY);
		assert_int_equal(info.damaged, 0);
		assert_int_equal(info.lost, 0);
		/* Most of the ring is still there. */
		assert_true(count > size / 100);
		sdtkit_record_close(reader);
		unmake(&made);
	}
}

TEST(test_discard)
{
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct sdtkit_record_info info;
	uint64_t i, events = 0, lost = 0;
	struct made made;

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_DISCARD);
	for (i = 0; i < 1000; i++)
		hit(&made, i, "before");
	reader = reader_of(&made, SDTKIT_RECORD_FOLLOW);
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
				hit(&made, i, "behind");
		}
	}
	sdtkit_record_info(reader, &info);
	assert_int_equal(events + lost, 1020);
	assert_true(lost > 800 && lost < 1000);
	assert_int_equal(info.events, events);
	assert_int_equal(info.lost, lost);
	sdtkit_record_close(reader);
	unmake(&made);
}

static void *hit_second(void *argument)
{
	hit(argument, 2, "second");
	return NULL;
}

/* A ring that has something older than the rings before it. */
TEST(test_order_of_rings)
{
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	pthread_t thread;
	struct made made;
	uint64_t i;

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_DISCARD);
	reader = reader_of(&made, SDTKIT_RECORD_FOLLOW);
	hit(&made, 1, "first");
	while (sdtkit_record_next(reader, &item) == 0)
		usleep(1000);
	assert_int_equal(item.event->values[0].bits, 1);
	pthread_create(&thread, NULL, hit_second, &made);
	pthread_join(thread, NULL);
	hit(&made, 3, "third");
	usleep(2000);
	for (i = 2; i <= 3; i++) {
		assert_int_equal(sdtkit_record_next(reader, &item), 1);
		assert_int_equal(item.event->values[0].bits, i);
	}
	sdtkit_record_close(reader);
	unmake(&made);
}

/* The younger of two rings does not pass what another one got meanwhile. */
TEST(test_order_behind_a_young_one)
{
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	pthread_t thread;
	struct made made;
	uint64_t i;

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_DISCARD);
	reader = reader_of(&made, SDTKIT_RECORD_FOLLOW);
	hit(&made, 0, "too young");
	while (sdtkit_record_next(reader, &item) > 0) {
		/* This machine is busy: it is not young any more. */
		hit(&made, 0, "too young");
	}
	hit(&made, 1, "first");
	pthread_create(&thread, NULL, hit_second, &made);
	pthread_join(thread, NULL);
	usleep(2000);
	for (i = 0; i <= 2; i++) {
		assert_int_equal(sdtkit_record_next(reader, &item), 1);
		assert_int_equal(item.event->values[0].bits, i);
	}
	sdtkit_record_close(reader);
	unmake(&made);
}

static void *hit_many(void *argument)
{
	struct made *made = argument;
	uint64_t i;

	for (i = 0; i < MANY; i++)
		hit(made, i, "waits");
	return NULL;
}

/* Nothing is lost while there is a reader; all goes on when it has gone. */
TEST(test_block)
{
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	uint64_t count = 0;
	struct made made;
	pthread_t thread;

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_BLOCK);
	reader = reader_of(&made, SDTKIT_RECORD_FOLLOW);
	pthread_create(&thread, NULL, hit_many, &made);
	while (count < MANY / 2) {
		while (sdtkit_record_next(reader, &item) > 0) {
			assert_non_null(item.event);
			assert_int_equal(item.event->values[0].bits, count++);
		}
		usleep(100);
	}
	sdtkit_record_close(reader);
	pthread_join(thread, NULL);
	unmake(&made);
}

/* Returns the number that is next: all before were read, or said to be lost. */
static uint64_t read_on(struct sdtkit_record_reader *reader, uint64_t next,
			bool *begun)
{
	struct sdtkit_record_item item;

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
TEST(test_overtaken)
{
	struct sdtkit_record_reader *reader;
	uint64_t next = 0;
	struct made made;
	pthread_t thread;
	bool begun = false;
	int looks;

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	pthread_create(&thread, NULL, hit_many, &made);
	reader = reader_of(&made, SDTKIT_RECORD_FOLLOW);
	for (looks = 0; looks < 2000 && next < MANY; looks++) {
		next = read_on(reader, next, &begun);
		usleep(looks % 7 * 100);
	}
	pthread_join(thread, NULL);
	assert_int_equal(read_on(reader, next, &begun), MANY);
	sdtkit_record_close(reader);
	unmake(&made);
}

static atomic_bool is_over;

static void *hit_until_over(void *made)
{
	while (!atomic_load(&is_over))
		hit(made, 1, "goes on");
	return NULL;
}

/* Waits until the thread has hit again; returns how often it has. */
static uint64_t wait_for_hits(struct made *made, uint64_t before)
{
	uint64_t now;

	do {
		sched_yield();
		now = atomic_load(&made->writer.rings[0].events);
	} while (now == before);
	return now;
}

/* The counts of a snapshot are those of its events, while a thread goes on. */
TEST(test_snapshot_of_live_thread)
{
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct sdtkit_record_info info;
	uint64_t count, hits = 0;
	struct made made;
	pthread_t thread;
	int i;

	make(&made, 1 << 18, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	pthread_create(&thread, NULL, hit_until_over, &made);
	for (i = 0; i < 200; i++) {
		hits = wait_for_hits(&made, hits);
		reader = reader_of(&made, 0);
		hits = wait_for_hits(&made, hits);
		for (count = 0; sdtkit_record_next(reader, &item) > 0;)
			count += item.event != NULL;
		sdtkit_record_info(reader, &info);
		/* All may be overwritten while it is copied. */
		if (count > 0)
			assert_int_equal(info.events - info.overwritten, count);
		sdtkit_record_close(reader);
	}
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
	unmake(&made);
}

/* The handler of a signal hits in the middle of a hit: other rings. */
static struct made *nested;
static volatile sig_atomic_t depth;

static void on_signal(int number)
{
	hit(nested, 1000 + (uint64_t)depth, "nested");
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

TEST(test_nested)
{
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_NODEFER | SA_RESTART };
	pthread_t self = pthread_self(), thread;
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct sdtkit_record_info info;
	struct made made;
	uint64_t i, steps = 0, others = 0;

	make(&made, 1 << 22, 1 << 25, SDTKIT_RECORD_OVERWRITE);
	nested = &made;
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, disturb, &self);
	for (i = 0; i < 20000; i++) {
		hit(&made, i, "outer");
		usleep(i % 10 == 0 ? 1 : 0);
	}
	pthread_join(thread, NULL);
	reader = reader_of(&made, 0);
	while (sdtkit_record_next(reader, &item) > 0) {
		assert_non_null(item.event);
		if (strcmp(item.event->values[1].text, "outer") == 0)
			assert_int_equal(item.event->values[0].bits, steps++);
		else
			others++;
	}
	sdtkit_record_info(reader, &info);
	assert_int_equal(steps, 20000);
	assert_true(others > 0);
	assert_int_equal(info.events + info.lost, steps + others + info.lost);
	sdtkit_record_close(reader);
	unmake(&made);
}

/* Short threads use rings again; nothing is lost, and the file is bounded. */
static void *hit_once(void *argument)
{
	hit(argument, (uint64_t)gettid(), "once");
	return NULL;
}

TEST(test_short_threads)
{
	const int threads = 10000 / slower();
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct sdtkit_record_info info;
	struct made made;
	uint64_t count = 0;
	pthread_t thread;
	int i;

	make(&made, 1 << 16, 1 << 19, SDTKIT_RECORD_OVERWRITE);
	for (i = 0; i < threads; i++) {
		assert_int_equal(pthread_create(&thread, NULL, hit_once,
						&made), 0);
		pthread_join(thread, NULL);
	}
	reader = reader_of(&made, 0);
	while (sdtkit_record_next(reader, &item) > 0) {
		assert_int_equal(item.event->values[0].bits, item.event->tid);
		count++;
	}
	sdtkit_record_info(reader, &info);
	assert_int_equal(info.rings_used, info.ring_count);
	assert_true(info.ring_count < 10);
	assert_int_equal(info.events, threads);
	assert_int_equal(info.no_ring, 0);
	assert_int_equal(count + info.overwritten, threads);
	sdtkit_record_close(reader);
	unmake(&made);
}

/* More threads at a time than rings: each hit is written or counted. */
static pthread_barrier_t barrier;

static void *hit_and_stay(void *argument)
{
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 100; i++)
		hit(argument, 1, "many");
	pthread_barrier_wait(&barrier);
	return NULL;
}

TEST(test_no_ring)
{
	enum { THREADS = 16 };
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_info info;
	pthread_t threads[THREADS];
	struct made made;
	int i;

	make(&made, 1 << 16, 1 << 19, SDTKIT_RECORD_OVERWRITE);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, hit_and_stay, &made);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	reader = reader_of(&made, 0);
	sdtkit_record_info(reader, &info);
	assert_true(info.no_ring > 0);
	assert_int_equal(info.events + info.no_ring, 100 * THREADS);
	assert_int_equal(info.lost, info.no_ring);
	sdtkit_record_close(reader);
	unmake(&made);
}

/* A child that the C library does not know of has rings of its own. */
TEST(test_raw_clone)
{
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct made made;
	uint64_t of_child = 0, count = 0;
	pid_t pid;

	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	hit(&made, 0, "parent");
	pid = raw_fork();
	if (pid == 0) {
		hit(&made, 1, "child");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	hit(&made, 2, "parent");
	reader = reader_of(&made, 0);
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
	sdtkit_record_close(reader);
	unmake(&made);
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

static void make_with_clock(struct made *made, uint64_t (*read_clock)(void))
{
	make(made, RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	made->writer.clock = SDTKIT_RECORD_MONOTONIC;
	made->output.file->clock = SDTKIT_RECORD_MONOTONIC;
	made->writer.read_clock = read_clock;
	atomic_store(&made->writer.clock_due, UINT64_MAX);
}

static uint64_t events_of(struct made *made)
{
	struct sdtkit_record_reader *reader = reader_of(made, 0);
	struct sdtkit_record_info info;

	sdtkit_record_info(reader, &info);
	sdtkit_record_close(reader);
	return info.events;
}

/* Handlers of signals leave hits by siglongjmp(): the next ones are recorded. */
TEST(test_left_hits)
{
	struct made made;
	volatile int i;

	make_with_clock(&made, leave_at_clock);
	for (i = 0; i < 2 * SDTKIT_RECORD_LEVELS; i++) {
		if (sigsetjmp(left, 1) == 0)
			hit(&made, 0, "left");
		made.writer.read_clock = count_up;
		hit(&made, 1, "step");
		made.writer.read_clock = leave_at_clock;
	}
	assert_int_equal(events_of(&made), 2 * SDTKIT_RECORD_LEVELS);
	assert_int_equal(made.output.file->too_deep, 0);
	unmake(&made);
}

static struct made *nested;

static void hit_nested(int number)
{
	nested->writer.read_clock = count_up;
	hit(nested, 2, "handler");
}

static uint64_t raise_at_clock(void)
{
	raise(SIGUSR1);
	return count_up();
}

/* The handler's stack is above that of the hit that it interrupts. */
TEST(test_handler_on_other_stack)
{
	char memory[1 << 16];
	const stack_t other = { .ss_sp = memory, .ss_size = sizeof(memory) };
	const stack_t none = { .ss_flags = SS_DISABLE };
	struct sigaction action = { .sa_handler = hit_nested,
				    .sa_flags = SA_ONSTACK }, before;
	struct made made;

	nested = &made;
	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &action, &before);
	make_with_clock(&made, count_up);
	hit(&made, 1, "first");
	made.writer.read_clock = raise_at_clock;
	hit(&made, 1, "outer");
	sigaction(SIGUSR1, &before, NULL);
	sigaltstack(&none, NULL);
	assert_int_equal(events_of(&made), 3);
	assert_int_equal(made.output.file->rings_used, 2);
	unmake(&made);
}
