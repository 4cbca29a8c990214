/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hit needs now and then: a ring for a new thread, space in it, the
 * clock. See write.h for the rules.
 *
 * A thread does not give its ring back. Who needs one takes, of those whose
 * thread is gone, the one that was written to longest ago; its contents stay
 * until they are overwritten. So it does not matter how a thread ends.
 */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <time.h>

#include "system.h"
#include "write.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif

enum {
	/* Between two looks whether the reader has freed space; how many. */
	LOOK_NS = 200000,
	LOOKS = 25000,
	/* As the kernel numbers it; the C library has its own structure. */
	KERNEL_ACTION_WORDS = 4,
	/* Words: an OWNER, a LOST. */
	OWNER = 5,
	LOST = 3,
};

static long call(long number, long a, long b, long c)
{
	return sdtkit_record_system(number, a, b, c, 0, 0, 0);
}

static uint64_t nanoseconds(void)
{
	struct timespec t;

	call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Of three attempts the one that took the fewest ticks is the most exact. */
void sdtkit_record_tick(struct sdtkit_record_writer *writer, uint64_t ticks)
{
	struct sdtkit_record_file *file = writer->file;
	uint64_t due = atomic_load(&file->clock_due), period, best = UINT64_MAX;
	uint64_t middle = 0, time = 0;
	struct sdtkit_record_clock *pair;
	int i;

	if (writer->clock != SDTKIT_RECORD_TICKS || ticks < due) {
		atomic_store(&writer->clock_due, due);
		return;
	}
	/* At first often, since the rate is not known well. */
	period = ticks - atomic_load(&file->clocks[0].ticks);
	if (period > writer->clock_period_max)
		period = writer->clock_period_max;
	if (!atomic_compare_exchange_strong(&file->clock_due, &due,
					    ticks + period))
		return;
	atomic_store(&writer->clock_due, ticks + period);
	for (i = 0; i < 3; i++) {
		uint64_t before = sdtkit_record_now(writer);
		uint64_t between = nanoseconds();
		uint64_t took = sdtkit_record_now(writer) - before;

		if (took < best) {
			best = took;
			middle = before + took / 2;
			time = between;
		}
	}
	/* The first pair stays: the beginning is never forgotten. */
	pair = &file->clocks[1 + atomic_fetch_add(&file->clock_count, 1) %
			     (SDTKIT_RECORD_CLOCKS - 1)];
	atomic_store(&pair->ticks, 0);
	atomic_store(&pair->time, time);
	atomic_store(&pair->ticks, middle);
}

static unsigned char *word_at(const struct sdtkit_record_writer *writer,
			      const struct sdtkit_record_lane *lane)
{
	return lane->data + (lane->head & (writer->ring_size - 1));
}

/* Publishes that the ring is written up to head. */
static void publish(struct sdtkit_record_writer *writer,
		    struct sdtkit_record_lane *lane, uint64_t words)
{
	uint64_t before = lane->head;

	lane->head += words * 8;
	atomic_store_explicit(&lane->ring->head, lane->head,
			      memory_order_release);
	if ((before ^ lane->head) >= writer->block)
		sdtkit_record_mark_block(writer, lane);
}

void sdtkit_record_mark_block(struct sdtkit_record_writer *writer,
			      struct sdtkit_record_lane *lane)
{
	struct sdtkit_record_ring *ring = lane->ring;
	struct sdtkit_record_block *block =
		&ring->blocks[lane->head / writer->block %
			      SDTKIT_RECORD_BLOCKS];

	atomic_store(&block->position, UINT64_MAX);
	atomic_store(&block->number, lane->events);
	atomic_store(&block->pid, atomic_load(&ring->pid));
	atomic_store(&block->tid, atomic_load(&ring->tid));
	atomic_store(&block->position, lane->head);
}

/* Whether bytes below this position may be written, after a wait if wanted. */
static bool may_write(struct sdtkit_record_writer *writer,
		      struct sdtkit_record_lane *lane, uint64_t position)
{
	static const long look[] = { 0, LOOK_NS };
	struct sdtkit_record_file *file = writer->file;
	uint32_t i;

	if (writer->mode == SDTKIT_RECORD_OVERWRITE)
		return true;
	for (i = 0; i < LOOKS; i++) {
		uint64_t tail = atomic_load_explicit(&lane->ring->tail,
						     memory_order_acquire);

		if (position - tail <= writer->ring_size)
			return true;
		if (writer->mode != SDTKIT_RECORD_BLOCK ||
		    !atomic_load(&file->has_reader) ||
		    atomic_load(&file->closed))
			return false;
		call(SYS_nanosleep, (long)look, 0, 0);
	}
	/* It reads nothing any more: nobody else waits for it. */
	atomic_store(&file->has_reader, 0);
	return false;
}

/* Makes bytes writable up to a position, which is rounded up to a block. */
static bool extend(struct sdtkit_record_writer *writer,
		   struct sdtkit_record_lane *lane, uint64_t position)
{
	uint64_t block = writer->block;
	uint64_t limit = (position + block - 1) & ~(block - 1);
	uint64_t lap_end = (lane->head | (writer->ring_size - 1)) + 1;

	if (limit > atomic_load_explicit(&lane->ring->limit,
					 memory_order_relaxed)) {
		if (!may_write(writer, lane, limit))
			return false;
		atomic_store_explicit(&lane->ring->limit, limit,
				      memory_order_relaxed);
		atomic_thread_fence(memory_order_release);
	}
	limit = atomic_load_explicit(&lane->ring->limit, memory_order_relaxed);
	lane->end = limit < lap_end ? limit : lap_end;
	return true;
}

static void put_entry(struct sdtkit_record_writer *writer,
		      struct sdtkit_record_lane *lane, uint16_t id,
		      uint32_t words, uint64_t time)
{
	struct sdtkit_record_entry *entry = (void *)word_at(writer, lane);

	entry->id = id;
	entry->unreadable = 0;
	entry->words = words;
	if (id != SDTKIT_RECORD_ID_PAD)
		entry->time = time;
}

/* Leaves the end of the data empty if the entry would cross it. */
static bool find_place(struct sdtkit_record_writer *writer,
		       struct sdtkit_record_lane *lane, uint32_t size)
{
	uint64_t lap_end = (lane->head | (writer->ring_size - 1)) + 1;

	if (lane->head + size > lap_end) {
		if (!extend(writer, lane, lap_end + size))
			return false;
		put_entry(writer, lane, SDTKIT_RECORD_ID_PAD,
			  (uint32_t)(lap_end - lane->head) / 8, 0);
		publish(writer, lane, (lap_end - lane->head) / 8);
	}
	return extend(writer, lane, lane->head + size);
}

/* Tells in the ring how many hits have been lost so far. */
static void put_lost(struct sdtkit_record_writer *writer,
		     struct sdtkit_record_lane *lane, uint64_t time)
{
	uint64_t lost = atomic_load_explicit(&lane->ring->lost,
					     memory_order_relaxed);

	if (lost == lane->ring->told)
		return;
	put_entry(writer, lane, SDTKIT_RECORD_ID_LOST, LOST, time);
	((uint64_t *)(void *)word_at(writer, lane))[2] = lost;
	lane->ring->told = lost;
	publish(writer, lane, LOST);
}

/* Whether a fault in a load would not reach our handler. */
static bool is_careful(void)
{
	uint64_t set = 0, faults = 1ull << (SIGSEGV - 1) |
				   1ull << (SIGBUS - 1);
	uintptr_t action[KERNEL_ACTION_WORDS] = { 0 };

	sdtkit_record_system(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&set,
			     sizeof(set), 0, 0);
	sdtkit_record_system(SYS_rt_sigaction, SIGSEGV, 0, (long)action,
			     sizeof(set), 0, 0);
	return (set & faults) != 0 ||
	       action[0] != (uintptr_t)sdtkit_record_on_fault;
}

bool sdtkit_record_advance(struct sdtkit_record_writer *writer,
			   struct sdtkit_record_thread *thread,
			   struct sdtkit_record_lane *lane, uint32_t most,
			   uint64_t time)
{
	if (atomic_load(&writer->file->closed))
		return false;
	if (time >= thread->check_due) {
		thread->check_due = time + writer->clock_period_max / 16;
		thread->is_careful = is_careful();
	}
	if (find_place(writer, lane, most + LOST * 8)) {
		put_lost(writer, lane, time);
		return true;
	}
	atomic_store_explicit(&lane->ring->lost,
			      atomic_load_explicit(&lane->ring->lost,
						   memory_order_relaxed) + 1,
			      memory_order_relaxed);
	return false;
}

bool sdtkit_record_is_alive(const struct sdtkit_record_writer *writer,
			    struct sdtkit_record_ring *ring)
{
	uint64_t namespace = atomic_load((_Atomic uint64_t *)
					 (uintptr_t)&writer->pid_namespace);

	/* Numbers of another PID namespace mean other threads here. */
	if (namespace == 0 || ring->pid_namespace != namespace)
		return true;
	return call(SYS_tgkill, (long)atomic_load(&ring->pid),
		    (long)atomic_load(&ring->tid), 0) != -ESRCH;
}

bool sdtkit_record_back(unsigned char *data, size_t size)
{
	long ret = call(SYS_madvise, (long)data, (long)size,
			MADV_POPULATE_WRITE);
	size_t i;

	if (ret != -EINVAL)
		return ret == 0;
	/* Before Linux 5.14: the kernel writes into each page, or fails. */
	for (i = 0; i < size; i += SDTKIT_RECORD_PAGE) {
		uint64_t *words = (void *)(data + i);

		if (call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)words, 0)
		    != 0)
			return false;
		words[0] = words[1] = 0;
	}
	return true;
}

static struct sdtkit_record_ring *
take_new(const struct sdtkit_record_writer *writer)
{
	struct sdtkit_record_file *file = writer->file;
	uint32_t i, used;

	for (i = atomic_load(&file->rings_used); i < writer->ring_count; i++) {
		uint32_t state = SDTKIT_RECORD_FREE;

		if (!atomic_compare_exchange_strong(&writer->rings[i].state,
						    &state,
						    SDTKIT_RECORD_TAKEN))
			continue;
		if (!sdtkit_record_back(writer->data +
					(uint64_t)i * writer->ring_size,
					writer->ring_size)) {
			atomic_store(&writer->rings[i].state,
				     SDTKIT_RECORD_FREE);
			return NULL;
		}
		used = atomic_load(&file->rings_used);
		while (used <= i && !atomic_compare_exchange_weak(
				&file->rings_used, &used, i + 1))
			;
		return &writer->rings[i];
	}
	return NULL;
}

/* The dead ring that was written to longest ago, or NULL. */
static struct sdtkit_record_ring *
find_dead(const struct sdtkit_record_writer *writer, uint32_t pid, uint32_t tid,
	  uint32_t level)
{
	uint32_t used = atomic_load(&writer->file->rings_used), i;
	struct sdtkit_record_ring *oldest = NULL;

	for (i = 0; i < used && i < writer->ring_count; i++) {
		struct sdtkit_record_ring *ring = &writer->rings[i];
		/* An earlier thread may have had the numbers of this one. */
		bool is_mine = ring->level == level &&
			       atomic_load(&ring->pid) == pid &&
			       atomic_load(&ring->tid) == tid;

		if (atomic_load(&ring->state) != SDTKIT_RECORD_USED ||
		    (oldest != NULL &&
		     atomic_load(&ring->last) >= atomic_load(&oldest->last)) ||
		    (!is_mine && sdtkit_record_is_alive(writer, ring)))
			continue;
		oldest = ring;
	}
	return oldest;
}

static struct sdtkit_record_ring *
take_dead(const struct sdtkit_record_writer *writer, uint32_t pid, uint32_t tid,
	  uint32_t level)
{
	struct sdtkit_record_ring *ring;

	while ((ring = find_dead(writer, pid, tid, level)) != NULL) {
		uint32_t state = SDTKIT_RECORD_USED;

		if (atomic_compare_exchange_strong(&ring->state, &state,
						   SDTKIT_RECORD_TAKEN))
			return ring;
	}
	return NULL;
}

/* A process that begins: it has no lanes yet. */
static void begin_process(struct sdtkit_record_writer *writer)
{
	static _Atomic uint64_t generations = 1;
	uint64_t none = 0;
	struct stat status;

	if (atomic_load(writer->generation) != 0)
		return;
	status.st_ino = 0;
#ifdef __x86_64__
	sdtkit_record_system(SYS_newfstatat, AT_FDCWD,
			     (long)"/proc/self/ns/pid", (long)&status, 0, 0, 0);
#else
	stat("/proc/self/ns/pid", &status);
#endif
	atomic_store(&writer->pid_namespace, status.st_ino);
	atomic_compare_exchange_strong(writer->generation, &none,
				       atomic_fetch_add(&generations, 1));
}

static void tell_owner(struct sdtkit_record_writer *writer,
		       struct sdtkit_record_lane *lane)
{
	struct sdtkit_record_ring *ring = lane->ring;
	uint64_t *words, *name = (void *)ring->name;

	if (!find_place(writer, lane, OWNER * 8))
		return;
	words = (uint64_t *)(void *)word_at(writer, lane);
	put_entry(writer, lane, SDTKIT_RECORD_ID_OWNER, OWNER,
		  sdtkit_record_now(writer));
	words[2] = (uint64_t)atomic_load(&ring->pid) << 32 |
		   atomic_load(&ring->tid);
	words[3] = name[0];
	words[4] = name[1];
	publish(writer, lane, OWNER);
}

static bool claim(struct sdtkit_record_writer *writer,
		  struct sdtkit_record_thread *thread, uint32_t level)
{
	struct sdtkit_record_lane *lane =
		&thread->lanes[writer->index][level];
	uint32_t pid = (uint32_t)call(SYS_getpid, 0, 0, 0);
	uint32_t tid = (uint32_t)call(SYS_gettid, 0, 0, 0);
	struct sdtkit_record_ring *ring;

	begin_process(writer);
	thread->is_careful = is_careful();
	ring = take_new(writer);
	if (ring == NULL)
		ring = take_dead(writer, pid, tid, level);
	if (ring == NULL)
		return false;
	atomic_store(&ring->pid, pid);
	atomic_store(&ring->tid, tid);
	ring->level = level;
	ring->pid_namespace = atomic_load(&writer->pid_namespace);
	call(SYS_prctl, PR_GET_NAME, (long)ring->name, 0);
	lane->ring = ring;
	lane->data = writer->data + (uint64_t)(ring - writer->rings) *
				    writer->ring_size;
	lane->head = atomic_load(&ring->head);
	lane->end = 0;
	lane->events = atomic_load(&ring->events);
	atomic_store(&ring->state, SDTKIT_RECORD_USED);
	tell_owner(writer, lane);
	lane->generation = ~atomic_load(writer->generation);
	return true;
}

/* To look for a ring takes long, so not every hit does it in vain. */
bool sdtkit_record_claim(struct sdtkit_record_writer *writer,
			 struct sdtkit_record_thread *thread, uint32_t level)
{
	struct sdtkit_record_lane *lane =
		&thread->lanes[writer->index][level];
	uint64_t now = sdtkit_record_now(writer);

	if (atomic_load(&writer->file->closed))
		return false;
	if (now >= lane->again && claim(writer, thread, level))
		return true;
	if (now >= lane->again)
		lane->again = now + writer->clock_period_max / 16;
	atomic_fetch_add(&writer->file->no_ring, 1);
	return false;
}
