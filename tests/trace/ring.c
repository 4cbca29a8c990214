/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ring WRITERS ENTRIES KILLED PASSED - tests the ring buffer of lib/trace with
 * several processes: WRITERS threads, two in each process, put ENTRIES entries
 * each into it, and this process takes them out. KILLED of the processes are
 * killed while they write an entry. With PASSED 1, the reader now and then
 * takes a writer for a stopped one: its entry counts as lost.
 *
 * An entry consists of its writer, its number and a pattern made of both. Each
 * has to arrive whole. The numbers of a writer have no holes, but the last ones
 * of those that were killed are missing, and the entry that such a thread was
 * writing counts as lost.
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
	/* Words of 8 bytes in the pattern: an entry takes one cell or many. */
	WORDS_MAX = 200,
};

struct entry {
	uint32_t writer;
	uint32_t words;
	uint64_t number;
	uint64_t pattern[WORDS_MAX];
};

static struct sdtkit_ring *ring;
static unsigned long entries;
static uint32_t killed;
static bool passes;

static uint64_t pattern(uint32_t writer, uint64_t number, uint32_t i)
{
	return (number * 64 + writer) * 0x9e3779b97f4a7c15 + i;
}

static void write_entry(uint32_t writer, uint64_t number, uint32_t tid)
{
	uint32_t words = (uint32_t)(pattern(writer, number, 0) % WORDS_MAX), i;
	size_t size = sizeof(struct entry) - (WORDS_MAX - words) * 8;
	struct entry *entry;

	while ((entry = sdtkit_ring_reserve(ring, size, tid)) == NULL)
		sched_yield();
	if (writer % THREADS == 0 && writer / THREADS < killed &&
	    number == entries / 2)
		kill(getpid(), SIGKILL);
	entry->writer = writer;
	entry->words = words;
	entry->number = number;
	for (i = 0; i < words; i++)
		entry->pattern[i] = pattern(writer, number, i);
	sdtkit_ring_commit(ring, entry, tid);
}

static void *write_all(void *argument)
{
	uint32_t writer = (uint32_t)(uintptr_t)argument;
	uint32_t tid = (uint32_t)syscall(SYS_gettid);
	uint64_t number;

	for (number = 0; number < entries; number++)
		write_entry(writer, number, tid);
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

static void fail(const char *what, const struct entry *entry)
{
	printf("%s: writer %u number %lu\n", what, entry->writer,
	       (unsigned long)entry->number);
	exit(1);
}

static void check(const struct entry *entry, size_t size, uint64_t *next)
{
	uint32_t i;

	if (entry->writer >= WRITERS_MAX || entry->words >= WORDS_MAX ||
	    size < sizeof(*entry) - (WORDS_MAX - entry->words) * 8)
		fail("damaged", entry);
	for (i = 0; i < entry->words; i++) {
		if (entry->pattern[i] !=
		    pattern(entry->writer, entry->number, i))
			fail("overwritten", entry);
	}
	if (entry->number < next[entry->writer] ||
	    (!passes && entry->number > next[entry->writer]))
		fail("out of order", entry);
	next[entry->writer] = entry->number + 1;
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
	const void *entry;
	size_t size;

	for (;;) {
		entry = sdtkit_ring_next(ring, &size, writer, lost);
		if (entry != NULL) {
			check(entry, size, next);
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
	entries = strtoul(argv[2], NULL, 10);
	killed = (uint32_t)atoi(argv[3]);
	passes = atoi(argv[4]) != 0;
	ring = mmap(NULL, sizeof(*ring), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < writers; i += THREADS)
		start(i);
	total = read_all(next, &lost);
	for (i = killed * THREADS; i < writers; i++) {
		if (!passes && next[i] != entries) {
			printf("writer %u: %lu\n", i, (unsigned long)next[i]);
			return 1;
		}
	}
	printf("%lu entries, %lu lost, %lu laps\n", (unsigned long)total,
	       (unsigned long)lost, (unsigned long)
	       (atomic_load(&ring->head) / SDTKIT_RING_CELLS));
	return 0;
}
