/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ring WRITERS RECORDS KILLED PASSED: processes fill the ring, two threads each,
 * and this one empties it; so many of them are killed while they write a
 * record.  With PASSED 1, now and then a record that is being written is taken
 * for one of a stopped writer, and counts as lost.
 *
 * A record is its writer, its number and a pattern made of both.  Each must be
 * whole; numbers of a writer have no gaps, but that the last ones of those that
 * were killed are missing, and what was being written then counts as lost.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ring.h"

enum {
	WRITERS_MAX = 64,
	THREADS = 2,
	/* In 8 byte words: from one cell to many. */
	WORDS_MAX = 200,
};

struct record {
	uint32_t writer;
	uint32_t words;
	uint64_t number;
	uint64_t pattern[WORDS_MAX];
};

static struct sdtkit_ring *ring;
static unsigned long records;
static uint32_t killed;
static bool passes;

static uint64_t pattern(uint32_t writer, uint64_t number, uint32_t i)
{
	return (number * 64 + writer) * 0x9e3779b97f4a7c15 + i;
}

static void write_record(uint32_t writer, uint64_t number, uint32_t tid)
{
	uint32_t words = (uint32_t)(pattern(writer, number, 0) % WORDS_MAX), i;
	size_t size = sizeof(struct record) - (WORDS_MAX - words) * 8;
	struct record *record;

	while ((record = sdtkit_ring_reserve(ring, size, tid)) == NULL)
		sched_yield();
	if (writer % THREADS == 0 && writer / THREADS < killed &&
	    number == records / 2)
		kill(getpid(), SIGKILL);
	record->writer = writer;
	record->words = words;
	record->number = number;
	for (i = 0; i < words; i++)
		record->pattern[i] = pattern(writer, number, i);
	sdtkit_ring_commit(ring, record, tid);
}

static void *write_all(void *argument)
{
	uint32_t writer = (uint32_t)(uintptr_t)argument;
	uint32_t tid = (uint32_t)syscall(SYS_gettid);
	uint64_t number;

	for (number = 0; number < records; number++)
		write_record(writer, number, tid);
	return NULL;
}

static void start(uint32_t first)
{
	pthread_t thread[THREADS];
	uintptr_t i;

	if (fork() != 0)
		return;
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, write_all,
			       (void *)(first + i));
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	_exit(0);
}

static enum sdtkit_ring_writer writer(uint32_t tid)
{
	static unsigned long looks;

	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	if (kill((pid_t)tid, 0) < 0 && errno == ESRCH)
		return SDTKIT_RING_GONE;
	return passes && ++looks % 5 == 0 ? SDTKIT_RING_STOPPED :
					    SDTKIT_RING_WRITES;
}

static void fail(const char *what, const struct record *record)
{
	printf("%s: writer %u number %lu\n", what, record->writer,
	       (unsigned long)record->number);
	exit(1);
}

static void check(const struct record *record, size_t size, uint64_t *next)
{
	uint32_t i;

	if (record->writer >= WRITERS_MAX || record->words >= WORDS_MAX ||
	    size < sizeof(*record) - (WORDS_MAX - record->words) * 8)
		fail("damaged", record);
	for (i = 0; i < record->words; i++) {
		if (record->pattern[i] !=
		    pattern(record->writer, record->number, i))
			fail("overwritten", record);
	}
	if (record->number < next[record->writer] ||
	    (!passes && record->number > next[record->writer]))
		fail("out of order", record);
	next[record->writer] = record->number + 1;
}

static bool have_ended(void)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		;
	return pid < 0;
}

static uint64_t read_all(uint64_t *next, uint64_t *lost)
{
	bool ended = false;
	uint64_t total = 0;
	const void *record;
	size_t size;

	for (;;) {
		record = sdtkit_ring_next(ring, &size, writer, lost);
		if (record != NULL) {
			check(record, size, next);
			sdtkit_ring_release(ring);
			total++;
		} else if (ended) {
			return total;
		} else {
			ended = have_ended();
		}
	}
}

int main(int argc, char **argv)
{
	uint64_t next[WRITERS_MAX] = { 0 }, total, lost = 0;
	uint32_t writers, i;

	if (argc != 5)
		return 2;
	writers = (uint32_t)atoi(argv[1]);
	records = strtoul(argv[2], NULL, 10);
	killed = (uint32_t)atoi(argv[3]);
	passes = atoi(argv[4]) != 0;
	ring = mmap(NULL, sizeof(*ring), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < writers; i += THREADS)
		start(i);
	total = read_all(next, &lost);
	for (i = killed * THREADS; i < writers; i++) {
		if (!passes && next[i] != records) {
			printf("writer %u: %lu\n", i, (unsigned long)next[i]);
			return 1;
		}
	}
	printf("%lu records, %lu lost, %lu laps\n", (unsigned long)total,
	       (unsigned long)lost, (unsigned long)
	       (atomic_load(&ring->head) / SDTKIT_RING_CELLS));
	return 0;
}
