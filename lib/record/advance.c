/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hit needs now and then, in a ring that its thread has: space, and the
 * clock. See write.h for the rules, and file.h for the order of head and limit.
 */
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include "reader.h"
#include "system.h"
#include "write.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ	22
#endif

enum {
	/* Between two looks whether the reader has freed space. */
	LOOK_NS = 200000,
	/*
	 * How long to wait at least: most readers that are only slow get on
	 * within this time.
	 */
	SLOW_NS = 100000000,
	/* The sizes of these entries, in words. */
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

/* The most exact of three attempts is the one that took the fewest ticks. */
void sdtkit_record_tick(struct sdtkit_record_writer *writer, uint64_t ticks)
{
	struct sdtkit_record_file *file = writer->file;
	uint64_t due = atomic_load(&file->clock_due), period, best = UINT64_MAX;
	uint64_t middle = 0, time = 0;
	struct sdtkit_record_clock *pair;
	int i;

	if (writer->clock == SDTKIT_RECORD_TICKS &&
	    atomic_load(&writer->has_other_clock))
		due = ticks + writer->clock_period_max;
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

void sdtkit_record_publish(struct sdtkit_record_writer *writer,
			   struct sdtkit_record_lane *lane, uint64_t words)
{
	uint64_t before = lane->head;

	/* The child of a fork() in the middle of it does not go on to write. */
	if (!sdtkit_record_is_valid(writer, lane)) {
		lane->end = lane->head;
		return;
	}
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

/*
 * Whether a signal that ends the program is pending: all signals are blocked
 * while a hit that came by a trap is handled.
 */
static bool is_told_to_end(void)
{
	static const uint64_t ends = 1ull << (SIGTERM - 1) |
				     1ull << (SIGINT - 1) |
				     1ull << (SIGHUP - 1) |
				     1ull << (SIGQUIT - 1);
	uint64_t pending = 0;

	call(SYS_rt_sigpending, (long)&pending, sizeof(pending), 0);
	return (pending & ends) != 0;
}

/* Whether to wait for the reader: not if it has stopped reading. */
static bool is_worth_waiting(const struct sdtkit_record_writer *writer,
			     uint64_t waited_ns)
{
	struct sdtkit_record_file *file = writer->file;

	if (sdtkit_record_is_over(file) || atomic_load(&file->stalled))
		return false;
	if (waited_ns < SLOW_NS)
		return true;
	if (waited_ns > writer->patience_ns) {
		atomic_store(&file->stalled, 1);
		return false;
	}
	return !is_told_to_end();
}

/* Whether bytes below this position may be written, after a wait if wanted. */
static bool may_write(struct sdtkit_record_writer *writer,
		      struct sdtkit_record_lane *lane, uint64_t position)
{
	static const long look[] = { 0, LOOK_NS };
	struct sdtkit_record_file *file = writer->file;
	uint64_t begun = 0;
	uint32_t seen = 0;

	if (writer->mode == SDTKIT_RECORD_OVERWRITE)
		return true;
	for (;;) {
		/*
		 * Read the time before the progress: if the process is stopped
		 * in between, that time must not count as a wait.
		 */
		uint64_t now = nanoseconds();
		uint32_t progress = atomic_load(&file->progress);
		uint64_t tail = atomic_load_explicit(&lane->ring->tail,
						     memory_order_acquire);

		if (position - tail <= writer->ring_size)
			return true;
		if (begun == 0 || progress != seen)
			begun = now;
		/* The reader goes by it, and the program may have changed it. */
		if (sdtkit_record_is_valid(writer, lane))
			atomic_store(&lane->ring->head, lane->head);
		seen = progress;
		if (writer->mode != SDTKIT_RECORD_BLOCK ||
		    !is_worth_waiting(writer, now - begun))
			return false;
		call(SYS_nanosleep, (long)look, 0, 0);
	}
}

/*
 * Backs the next step of the ring with memory. If an earlier thread has written
 * there, the pages exist and only have to be mapped: one call maps them all,
 * instead of a page fault for each.
 */
static bool make_step(struct sdtkit_record_writer *writer,
		      struct sdtkit_record_lane *lane)
{
	uint64_t at = lane->ready & (writer->ring_size - 1);
	uint32_t size = sdtkit_record_step_size(writer);

	if (at + size <= lane->ring->backed) {
		call(SYS_madvise, (long)(lane->data + at), (long)size,
		     MADV_POPULATE_READ);
	} else {
		if (!sdtkit_record_back(lane->data + at, size))
			return false;
		lane->ring->backed = at + size;
	}
	lane->ready += size;
	lane->unready -= size;
	return true;
}

static bool make_ready(struct sdtkit_record_writer *writer,
		       struct sdtkit_record_lane *lane, uint64_t position)
{
	while (lane->unready > 0 && lane->ready < position) {
		if (!make_step(writer, lane))
			return false;
	}
	return true;
}

/* Makes bytes writable up to a position, which is rounded up to a block. */
static bool extend(struct sdtkit_record_writer *writer,
		   struct sdtkit_record_lane *lane, uint64_t position)
{
	uint64_t block = writer->block;
	uint64_t limit = (position + block - 1) & ~(block - 1);
	uint64_t lap_end = (lane->head | (writer->ring_size - 1)) + 1;

	if (!sdtkit_record_is_valid(writer, lane) ||
	    !make_ready(writer, lane, position))
		return false;
	if (limit > atomic_load_explicit(&lane->ring->limit,
					 memory_order_relaxed)) {
		if (!may_write(writer, lane, limit) ||
		    !sdtkit_record_is_valid(writer, lane))
			return false;
		atomic_store_explicit(&lane->ring->limit, limit,
				      memory_order_relaxed);
		atomic_thread_fence(memory_order_release);
	}
	limit = atomic_load_explicit(&lane->ring->limit, memory_order_relaxed);
	lane->end = limit < lap_end ? limit : lap_end;
	if (lane->unready > 0 && lane->end > lane->ready)
		lane->end = lane->ready;
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
static bool find_space(struct sdtkit_record_writer *writer,
		       struct sdtkit_record_lane *lane, uint32_t size)
{
	uint64_t lap_end = (lane->head | (writer->ring_size - 1)) + 1;

	if (lane->head + size > lap_end) {
		if (!extend(writer, lane, lap_end + size))
			return false;
		put_entry(writer, lane, SDTKIT_RECORD_ID_PAD,
			  (uint32_t)(lap_end - lane->head) / 8, 0);
		sdtkit_record_publish(writer, lane, (lap_end - lane->head) / 8);
		if (lane->head != lap_end)
			return false;
	}
	return extend(writer, lane, lane->head + size);
}

/* Tells in the ring how many hits have been lost so far. */
static void put_lost(struct sdtkit_record_writer *writer,
		     struct sdtkit_record_lane *lane, uint64_t time)
{
	uint64_t lost = atomic_load_explicit(&lane->ring->lost,
					     memory_order_relaxed);

	if (lost == lane->ring->told || !sdtkit_record_is_valid(writer, lane))
		return;
	put_entry(writer, lane, SDTKIT_RECORD_ID_LOST, LOST, time);
	((uint64_t *)(void *)word_at(writer, lane))[2] = lost;
	lane->ring->told = lost;
	sdtkit_record_publish(writer, lane, LOST);
}

static void put_owner(struct sdtkit_record_writer *writer,
		      struct sdtkit_record_lane *lane, uint64_t time)
{
	struct sdtkit_record_ring *ring = lane->ring;
	uint64_t *words = (uint64_t *)(void *)word_at(writer, lane);
	uint64_t *name = (void *)ring->name;

	put_entry(writer, lane, SDTKIT_RECORD_ID_OWNER, OWNER, time);
	words[2] = (uint64_t)atomic_load(&ring->pid) << 32 |
		   atomic_load(&ring->tid);
	words[3] = name[0];
	words[4] = name[1];
	sdtkit_record_publish(writer, lane, OWNER);
	lane->is_untold = false;
}

void sdtkit_record_tell_owner(struct sdtkit_record_writer *writer,
			      struct sdtkit_record_lane *lane)
{
	lane->is_untold = true;
	if (find_space(writer, lane, OWNER * 8))
		put_owner(writer, lane, sdtkit_record_now(writer));
}

/*
 * The memory is full. The thread takes another ring, if one is left, but does
 * not look for it at each hit.
 */
static void leave_ring(const struct sdtkit_record_writer *writer,
		       struct sdtkit_record_lane *lane, uint64_t time)
{
	lane->generation = 0;
	lane->again = time + writer->clock_period_max / 16;
}

bool sdtkit_record_advance(struct sdtkit_record_writer *writer,
			   struct sdtkit_record_lane *lane, uint32_t most,
			   uint64_t time)
{
	if (sdtkit_record_is_over(writer->file) ||
	    !sdtkit_record_is_valid(writer, lane))
		return false;
	most += (LOST + OWNER) * 8;
	if (find_space(writer, lane, most)) {
		if (lane->is_untold)
			put_owner(writer, lane, time);
		put_lost(writer, lane, time);
		/* A lane that is not valid has a head that did not move. */
		return sdtkit_record_is_valid(writer, lane);
	}
	if (sdtkit_record_is_valid(writer, lane))
		atomic_store_explicit(&lane->ring->lost, atomic_load_explicit(
			&lane->ring->lost, memory_order_relaxed) + 1,
			memory_order_relaxed);
	if (lane->unready > 0 && lane->ready < lane->head + most)
		leave_ring(writer, lane, time);
	return false;
}
