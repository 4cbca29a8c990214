/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ring buffer, see ring.h. The code of writers and of the reader is in one
 * file, so that it is read together.
 */
#include <string.h>

#include "ring.h"

/*
 * A word: state, number of cells, thread, lap.
 *
 *	bits	0-2	3-13	14-35	36-63
 *
 * A thread's number has at most 22 bits (PID_MAX_LIMIT of Linux).  All zeroes
 * is a free cell of the first lap: what new shared memory consists of.
 *
 * PASSED is an entry that was busy when the reader passed it, because its
 * writer was stopped. When the writer continues, it still writes there, so the
 * cells stay taken, lap after lap, and writers and the reader pass them.
 */
enum state { FREE, BUSY, DONE, FILLER, PASSED };

enum { STATE_MASK = 7, COUNT_SHIFT = 3, TID_SHIFT = 14, LAP_SHIFT = 36 };

#define COUNT_MASK	((UINT64_C(1) << (TID_SHIFT - COUNT_SHIFT)) - 1)
#define TID_MASK	((UINT64_C(1) << (LAP_SHIFT - TID_SHIFT)) - 1)
#define CELL_MASK	((uint64_t)SDTKIT_RING_CELLS - 1)

_Static_assert((SDTKIT_RING_CELLS & (SDTKIT_RING_CELLS - 1)) == 0,
	       "cells are found by a mask");
_Static_assert(SDTKIT_RING_CELLS_MAX <= COUNT_MASK, "a count fits its bits");

static uint64_t free_word(uint64_t position)
{
	return position / SDTKIT_RING_CELLS << LAP_SHIFT;
}

static uint64_t taken_word(uint64_t position, enum state state, uint64_t count,
			   uint32_t tid)
{
	return free_word(position) | (tid & TID_MASK) << TID_SHIFT |
	       count << COUNT_SHIFT | state;
}

static enum state state_of(uint64_t word)
{
	return (enum state)(word & STATE_MASK);
}

static uint64_t count_of(uint64_t word)
{
	return word >> COUNT_SHIFT & COUNT_MASK;
}

static uint32_t tid_of(uint64_t word)
{
	return (uint32_t)(word >> TID_SHIFT & TID_MASK);
}

static bool is_of_lap(uint64_t word, uint64_t position)
{
	return word >> LAP_SHIFT == free_word(position) >> LAP_SHIFT;
}

static _Atomic uint64_t *word_at(struct sdtkit_ring *ring, uint64_t position)
{
	return &ring->words[position & CELL_MASK];
}

/* How many of these cells are free; the first one is. */
static uint64_t free_cells(struct sdtkit_ring *ring, uint64_t position,
			   uint64_t count)
{
	uint64_t i = 1;

	while (i < count && atomic_load(word_at(ring, position + i)) ==
			    free_word(position + i))
		i++;
	return i;
}

/*
 * Takes count cells at the head. If they would reach over the end of the ring
 * or over cells that were passed, the cells before that become filler. Returns
 * 1 if the cells were taken, 0 for filler or if another thread was faster, -1
 * if not enough cells are free.
 */
static int take(struct sdtkit_ring *ring, uint64_t head, uint64_t count,
		uint32_t tid)
{
	uint64_t end = SDTKIT_RING_CELLS - (head & CELL_MASK);
	uint64_t tail = atomic_load(&ring->tail), space, found, taken;

	/* The head that was read may be behind the tail by now. */
	if (head >= tail && head + count - tail > SDTKIT_RING_CELLS)
		return -1;
	space = free_cells(ring, head, count < end ? count : end);
	if (count > space)
		taken = taken_word(head, FILLER, space, tid);
	else
		taken = taken_word(head, BUSY, count, tid);
	found = free_word(head);
	if (atomic_compare_exchange_strong(word_at(ring, head), &found,
					   taken)) {
		atomic_compare_exchange_strong(&ring->head, &head,
					       head + count_of(taken));
		return state_of(taken) == BUSY;
	}
	if (is_of_lap(found, head) && count_of(found) != 0) {
		/*
		 * The thread that took the cells may have been stopped before
		 * it moved the head.
		 */
		atomic_compare_exchange_strong(&ring->head, &head,
					       head + count_of(found));
		return 0;
	}
	/* The head that was read is old, or the ring is damaged. */
	if (atomic_load(&ring->head) != head)
		return 0;
	atomic_store(&ring->closed, 1);
	return -1;
}

void *sdtkit_ring_reserve(struct sdtkit_ring *ring, size_t size, uint32_t tid)
{
	uint64_t count = (size + SDTKIT_RING_CELL - 1) / SDTKIT_RING_CELL;
	uint64_t head;
	int ret;

	if (count == 0 || count > SDTKIT_RING_CELLS_MAX ||
	    atomic_load(&ring->closed))
		return NULL;
	do {
		head = atomic_load(&ring->head);
		ret = take(ring, head, count, tid);
	} while (ret == 0);
	return ret < 0 ? NULL : ring->data[head & CELL_MASK];
}

/*
 * If the reader believed that this thread was gone, the cells may belong to
 * another entry now. If it has passed them, they are free when it comes by
 * again.
 */
void sdtkit_ring_commit(struct sdtkit_ring *ring, void *entry, uint32_t tid)
{
	size_t cell = (size_t)((unsigned char (*)[SDTKIT_RING_CELL])entry -
			       ring->data);
	uint64_t word = atomic_load(&ring->words[cell]), done;

	do {
		if ((state_of(word) != BUSY && state_of(word) != PASSED) ||
		    tid_of(word) != (tid & TID_MASK))
			return;
		done = (word & ~(uint64_t)STATE_MASK) |
		       (state_of(word) == BUSY ? DONE : FILLER);
	} while (!atomic_compare_exchange_weak(&ring->words[cell], &word,
					       done));
}

void sdtkit_ring_tell(struct sdtkit_ring_text *to, const char *text)
{
	uint32_t none = 0;
	size_t length = strlen(text);

	if (!atomic_compare_exchange_strong(&to->state, &none, 1))
		return;
	if (length >= sizeof(to->text))
		length = sizeof(to->text) - 1;
	memcpy(to->text, text, length);
	atomic_store(&to->state, 2);
}

const char *sdtkit_ring_told(struct sdtkit_ring_text *from, const char *other)
{
	if (atomic_load(&from->state) != 2)
		return other;
	from->text[sizeof(from->text) - 1] = '\0';
	return from->text;
}

void sdtkit_ring_forget(struct sdtkit_ring *ring, uint32_t tid)
{
	uint64_t position = atomic_load(&ring->tail);
	uint64_t head = atomic_load(&ring->head), word;

	for (; position < head; position += count_of(word)) {
		word = atomic_load(word_at(ring, position));
		/* The entry was read already, or is damaged. */
		if (!is_of_lap(word, position) || count_of(word) == 0)
			return;
		if (state_of(word) == BUSY && tid_of(word) == tid)
			atomic_compare_exchange_strong(
				word_at(ring, position), &word,
				taken_word(position, BUSY, count_of(word), 0));
	}
}

/* The writer may have been stopped, or have ended, before it moved the head. */
static void move_head(struct sdtkit_ring *ring, uint64_t from, uint64_t count)
{
	if (atomic_load(&ring->head) == from)
		atomic_compare_exchange_strong(&ring->head, &from,
					       from + count);
}

void sdtkit_ring_release(struct sdtkit_ring *ring)
{
	uint64_t tail = atomic_load(&ring->tail);
	uint64_t count = count_of(atomic_load(word_at(ring, tail))), i;

	move_head(ring, tail, count);
	for (i = 0; i < count; i++)
		atomic_store_explicit(word_at(ring, tail + i),
				      free_word(tail + SDTKIT_RING_CELLS),
				      memory_order_relaxed);
	atomic_store(&ring->tail, tail + count);
	atomic_store(&ring->stalled, 0);
}

/* No writer makes such a word: something else wrote here. */
static bool is_damaged(uint64_t word, uint64_t position)
{
	uint64_t count = count_of(word);

	return !is_of_lap(word, position) || count == 0 ||
	       state_of(word) < BUSY || state_of(word) > PASSED ||
	       count > SDTKIT_RING_CELLS_MAX ||
	       (position & CELL_MASK) + count > SDTKIT_RING_CELLS;
}

/* Only the position of the writers is known: continue from there. */
static void restart(struct sdtkit_ring *ring)
{
	uint64_t i;

	atomic_store(&ring->closed, 1);
	for (i = 0; i < SDTKIT_RING_CELLS; i++)
		atomic_store(&ring->words[i], 0);
	atomic_store(&ring->head, 0);
	atomic_store(&ring->tail, 0);
}

/*
 * Leaves the entry at the tail to its writer, in the next lap as well. This is
 * done before the tail moves, so that no writer of that lap takes the cells.
 * Returns false if the writer has just continued.
 */
static bool pass(struct sdtkit_ring *ring, uint64_t tail, uint64_t word)
{
	uint64_t passed = taken_word(tail + SDTKIT_RING_CELLS, PASSED,
				     count_of(word), tid_of(word));

	if (!atomic_compare_exchange_strong(word_at(ring, tail), &word,
					    passed))
		return false;
	move_head(ring, tail, count_of(passed));
	atomic_store(&ring->tail, tail + count_of(passed));
	atomic_store(&ring->stalled, 0);
	return true;
}

/*
 * Handles an entry that its writer has not completed. Returns true if the tail
 * was moved, or has to be looked at again.
 */
static bool leave_behind(struct sdtkit_ring *ring, uint64_t tail,
			 uint64_t word,
			 enum sdtkit_ring_writer (*writer)(uint32_t tid),
			 uint64_t *lost)
{
	enum sdtkit_ring_writer now = tid_of(word) != 0 ?
		writer(tid_of(word)) : SDTKIT_RING_GONE;
	bool is_new = state_of(word) == BUSY;

	if (is_new && now == SDTKIT_RING_WRITES)
		return false;
	/* The entry may have been completed in the meantime. */
	if (atomic_load(word_at(ring, tail)) != word)
		return true;
	if (now != SDTKIT_RING_GONE) {
		if (pass(ring, tail, word))
			*lost += is_new;
		return true;
	}
	*lost += is_new;
	sdtkit_ring_release(ring);
	return true;
}

const void *
sdtkit_ring_next(struct sdtkit_ring *ring, size_t *size,
		 enum sdtkit_ring_writer (*writer)(uint32_t tid),
		 uint64_t *lost)
{
	for (;;) {
		uint64_t tail = atomic_load(&ring->tail);
		uint64_t word = atomic_load(word_at(ring, tail));

		if (word == free_word(tail))
			return NULL;
		if (is_damaged(word, tail)) {
			restart(ring);
			++*lost;
			return NULL;
		}
		if (state_of(word) == DONE) {
			*size = (size_t)count_of(word) * SDTKIT_RING_CELL;
			return ring->data[tail & CELL_MASK];
		}
		if (state_of(word) == FILLER)
			sdtkit_ring_release(ring);
		else if (!leave_behind(ring, tail, word, writer, lost))
			return NULL;
	}
}
