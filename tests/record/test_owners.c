/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose a ring is: of processes that share memory or have copied it, also in
 * the middle of a hit, and of threads that find a full ring.
 */
#define _GNU_SOURCE
#include "../child.h"
#include "../raw_fork.h"
#include "../../lib/base/clock.h"
#include "made.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME	0x80
#endif

enum {
	RING = 4096,
	LARGE_RING = 1 << 20,
	FILE_SIZE = 1 << 17,
	PAGE = 4096,
	ROUNDS = 25,
	LIMIT_SECONDS = 300,
};

/* How many events have this number, all of them by this thread. */
static size_t count_of(uint64_t number, pid_t pid, pid_t tid)
{
	size_t count = 0;

	open_reader(0);
	while (sdtkit_record_next(reader, &item) > 0) {
		if (item.event == NULL ||
		    item.event->values[0].bits != number)
			continue;
		assert_int_equal(item.event->pid, pid);
		assert_int_equal(item.event->tid, tid);
		count++;
	}
	return count;
}

static uint64_t damaged(void)
{
	open_reader(0);
	read_to_end();
	look_at_info();
	return info.damaged;
}

/* ---------------------------------------------------------------- vfork() */

/* The first hits of the thread are those of the child of its vfork(). */
static pid_t vfork_and_hit(void)
{
	pid_t child = vfork();

	if (child == 0) {
		hit(1, "child");
		hit(1, "child");
		_exit(0);
	}
	hit(2, "parent");
	return child;
}

MADE(test_vfork)
{
	pid_t child;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	child = vfork_and_hit();
	assert_int_equal(status_of(child), 0);
	assert_int_equal(count_of(1, child, child), 2);
	assert_int_equal(count_of(2, getpid(), gettid()), 1);
	/* One for each. */
	assert_int_equal(made.output.file->rings_used, 2);
}

/* In memory that no process has written to a ring from yet. */
MADE(test_vfork_in_clone)
{
	pid_t child, *pid;

	pid = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	hit(0, "before");
	child = raw_fork();
	if (child == 0) {
		*pid = vfork_and_hit();
		_exit(waitpid(*pid, NULL, 0) != *pid);
	}
	assert_int_equal(status_of(child), 0);
	assert_int_equal(count_of(1, *pid, *pid), 2);
	assert_int_equal(count_of(2, child, child), 1);
	munmap(pid, PAGE);
}

/* A thread that has a ring lends it. */
MADE(test_vfork_behind_a_hit)
{
	pid_t child;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	hit(2, "parent");
	child = vfork_and_hit();
	assert_int_equal(status_of(child), 0);
	assert_int_equal(count_of(1, getpid(), gettid()), 2);
	assert_int_equal(count_of(2, getpid(), gettid()), 2);
	assert_int_equal(made.output.file->rings_used, 1);
}

/* -------------------------------------------- fork() in the middle of a hit */

static char *page;
static int go_on[2];
static pid_t forked;

static void fork_now(void)
{
	char byte;

	forked = raw_fork();
	/* The parent goes on first. */
	if (forked == 0 && read(go_on[0], &byte, 1) != 1)
		_exit(1);
}

static void fork_and_map(int number)
{
	fork_now();
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

static void end_child(void)
{
	hit(3, "child");
	_exit(0);
}

/* The child ends the hit when its parent has gone far beyond it. */
MADE(test_fork_in_entry)
{
	struct sigaction action = { .sa_handler = fork_and_map };
	uint64_t head;
	int i;

	assert_int_equal(pipe(go_on), 0);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	hit(0, "first");
	mprotect(page, PAGE, PROT_NONE);
	sigaction(SIGSEGV, &action, NULL);
	hit(1, page);
	signal(SIGSEGV, SIG_DFL);
	if (forked == 0)
		end_child();
	for (i = 0; i < ROUNDS; i++)
		hit(2, "parent");
	head = made.writer.rings[0].head;
	assert_int_equal(write(go_on[1], "", 1), 1);
	assert_int_equal(status_of(forked), 0);
	assert_int_equal(made.writer.rings[0].head, head);
	assert_int_equal(count_of(1, getpid(), gettid()), 1);
	assert_int_equal(count_of(2, getpid(), gettid()), ROUNDS);
	assert_int_equal(count_of(3, forked, forked), 1);
	assert_int_equal(damaged(), 0);
	munmap(page, PAGE);
}

static volatile int looks_left;

static uint64_t fork_at_clock(void)
{
	if (looks_left > 0 && --looks_left == 0)
		fork_now();
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

/*
 * At each look at the clock of a first hit: before, in and behind the claim. An
 * entry fits into a block of the ring, behind that of the owner.
 */
MADE(test_fork_in_claim)
{
	int look;

	for (look = 1; look <= 4; look++) {
		assert_int_equal(pipe(go_on), 0);
		make(LARGE_RING, 8 * LARGE_RING,
		     SDTKIT_RECORD_OVERWRITE);
		made.writer.clock = SDTKIT_RECORD_MONOTONIC;
		made.output.file->clock = SDTKIT_RECORD_MONOTONIC;
		made.writer.read_clock = fork_at_clock;
		atomic_store(&made.writer.clock_due, UINT64_MAX);
		forked = -1;
		looks_left = look;
		hit(1, "parent");
		if (forked == 0)
			end_child();
		looks_left = 0;
		hit(2, "parent");
		assert_int_equal(write(go_on[1], "", 1), 1);
		if (forked > 0) {
			assert_int_equal(status_of(forked), 0);
			assert_int_equal(count_of(3, forked, forked),
					 1);
		}
		assert_true(count_of(1, getpid(), gettid()) <= 1);
		assert_int_equal(count_of(2, getpid(), gettid()), 1);
		assert_int_equal(damaged(), 0);
		close(go_on[0]);
		close(go_on[1]);
	}
}

/* -------------------------------------------------------------- full rings */

static void *hit_until_lost(void *unused)
{
	uint64_t lost = made.writer.rings[0].lost;

	while (made.writer.rings[0].lost == lost)
		hit(1, "first");
	return unused;
}

/*
 * Who takes the ring of a thread that is gone, while it is full: there is not
 * even space to say so, after some threads.
 */
MADE(test_full_ring)
{
	size_t seconds = 0, i;

	alarm(LIMIT_SECONDS);
	make(RING, RING + sizeof(struct sdtkit_record_ring),
	     SDTKIT_RECORD_DISCARD);
	assert_int_equal(made.writer.ring_count, 1);
	for (i = 0; i < 8; i++)
		in_thread(hit_until_lost, NULL);
	hit(2, "lost");
	open_reader(SDTKIT_RECORD_FOLLOW);
	while (seconds < 2) {
		while (sdtkit_record_next(reader, &item) > 0) {
			if (item.event == NULL)
				continue;
			if (item.event->values[0].bits == 1) {
				assert_false((pid_t)item.event->tid ==
					     gettid());
				continue;
			}
			assert_int_equal(item.event->tid, gettid());
			seconds++;
		}
		/* The reader waits for what may be older. */
		usleep(2000);
		hit(2, "behind");
	}
	alarm(0);
}

/* --------------------------------------------------------------- old rings */

static bool maps_many_pages(void)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool can = madvise(page, PAGE, 22 /* MADV_POPULATE_READ */) == 0;

	munmap(page, PAGE);
	return can;
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static void fill_ring(uint64_t number)
{
	uint64_t head = made.writer.rings[0].head;

	while (made.writer.rings[0].head < head + LARGE_RING)
		hit(number, "fill");
}

/* A process that takes a ring that was written by another maps it in steps. */
MADE(test_faults_of_old_ring)
{
	pid_t child;
	long before;
	int i;

	if (!maps_many_pages())
		unavailable("no MADV_POPULATE_READ");
	make(LARGE_RING, LARGE_RING + sizeof(struct sdtkit_record_ring),
	     SDTKIT_RECORD_OVERWRITE);
	assert_int_equal(made.writer.ring_count, 1);
	for (i = 1; i <= 2; i++) {
		child = fork();
		if (child == 0) {
			before = faults();
			fill_ring((uint64_t)i);
			_exit(i == 2 && faults() - before >
			      LARGE_RING / PAGE / 2);
		}
		assert_int_equal(status_of(child), 0);
		assert_true(count_of((uint64_t)i, child, child) > 0);
	}
	assert_int_equal(damaged(), 0);
}

/* The processes of a server that sees no /proc use the rings of each other. */
static void serve_without_proc(const char *directory)
{
	uint32_t i;

	if (chroot(directory) < 0 || chdir("/") < 0)
		_exit(2);
	hit(0, "server");
	for (i = 0; i < 2 * made.writer.ring_count; i++) {
		pid_t child = fork();

		if (child == 0) {
			hit(1, "child");
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	_exit(made.output.file->no_ring != 0);
}

MADE(test_rings_without_proc)
{
	char directory[] = "/tmp/sdtkit-empty-XXXXXX";
	pid_t child;
	int status;

	assert_non_null(mkdtemp(directory));
	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	hit(0, "first");
	child = fork();
	if (child == 0)
		serve_without_proc(directory);
	status = status_of(child);
	rmdir(directory);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		unavailable("chroot() is not permitted");
	assert_int_equal(status, 0);
}

/* So many processes, one after the other, that have hits and are read. */
static void hit_and_read(int count)
{
	int i;

	for (i = 0; i < count; i++) {
		pid_t child = fork();

		if (child == 0) {
			hit(1, "child");
			_exit(0);
		}
		assert_int_equal(status_of(child), 0);
		while (sdtkit_record_next(reader, &item) == 0)
			usleep(1000);
		assert_int_equal(item.pid, child);
	}
}

/* They all have the same ring, since it was read before the next one comes. */
MADE(test_rings_that_were_read)
{
	int i;

	make(RING, FILE_SIZE, SDTKIT_RECORD_BLOCK);
	open_reader(SDTKIT_RECORD_FOLLOW);
	hit_and_read(10);
	assert_int_equal(made.output.file->rings_used, 1);
	/* What was not read stays. */
	close_reader();
	atomic_store(&made.output.file->reader, 0);
	for (i = 0; i < 3; i++) {
		pid_t child = fork();

		if (child == 0) {
			hit(2, "child");
			_exit(0);
		}
		assert_int_equal(status_of(child), 0);
	}
	assert_int_equal(made.output.file->rings_used, 3);
}

/* Writes the clocks' offset; false: there are no time namespaces. */
static bool set_time(void)
{
	static const char offset[] = "monotonic 86400 0";
	int fd;
	bool done;

	if (unshare(CLONE_NEWTIME) < 0)
		return false;
	fd = open("/proc/self/timens_offsets", O_WRONLY);
	done = fd >= 0 && write(fd, offset, sizeof(offset) - 1) > 0;
	close(fd);
	return done;
}

/* How many pairs of clocks a hit adds that finds one due. */
static uint64_t pairs_of_hit(void)
{
	struct sdtkit_record_file *file = made.output.file;
	uint64_t before = atomic_load(&file->clock_count);

	atomic_store(&file->clock_due, 1);
	atomic_store(&made.writer.clock_due, 1);
	hit(1, "hit");
	return atomic_load(&file->clock_count) - before;
}

/* A process whose clock is a day ahead adds none. */
MADE(test_other_clock)
{
	pid_t child, other;
	int status;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	if (made.output.file->clock != SDTKIT_RECORD_TICKS)
		unavailable("the processor's ticks are not used");
	assert_int_equal(pairs_of_hit(), 1);
	child = fork();
	if (child == 0) {
		if (!set_time())
			_exit(2);
		hit(1, "child");
		other = fork();
		if (other == 0)
			_exit((int)pairs_of_hit());
		waitpid(other, &status, 0);
		_exit(status != 0);
	}
	status = status_of(child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		unavailable("no time namespace can be made");
	assert_int_equal(status, 0);
}

/* A process that was there. */
static pid_t ended_process(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	return child;
}

/*
 * The last process that has a file removes it. A number of another PID
 * namespace may be that of a process which this one cannot see.
 */
MADE(test_last_process)
{
	struct sdtkit_record_file *file;
	uint64_t self;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	file = made.output.file;
	sdtkit_record_add_process(file);
	self = atomic_load(&file->processes[0]);
	assert_int_equal((uint32_t)self, getpid());
	atomic_store(&file->processes[1], (self & ~(uint64_t)UINT32_MAX) |
					  (uint32_t)ended_process());
	assert_true(sdtkit_record_remove_process(file));
	sdtkit_record_add_process(file);
	atomic_store(&file->processes[1], (uint32_t)ended_process());
	assert_false(sdtkit_record_remove_process(file));
}
