/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring -> its entries, one after the other; see read_parts.h, and file.h for
 * the order in which writer and reader look at head and limit.
 *
 *	limit - size ........... position ........... head ... limit
 *	overwritten  entries to read                  being written
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read_parts.h"

enum {
	WORD = 8,
	/* After so many looks at an idle ring, the memory of its copy is freed. */
	IDLE = 64,
};

/* The first entry of a block, as it was at one moment; false: not known. */
static bool read_block(struct sdtkit_record_pipe *pipe, uint64_t index,
		       struct sdtkit_record_block *to)
{
	uint64_t size = pipe->ring_size / SDTKIT_RECORD_BLOCKS;
	struct sdtkit_record_block *from =
		&pipe->ring->blocks[index % SDTKIT_RECORD_BLOCKS];
	uint64_t position = atomic_load(&from->position);

	atomic_init(&to->position, position);
	atomic_init(&to->number, atomic_load(&from->number));
	atomic_init(&to->pid, atomic_load(&from->pid));
	atomic_init(&to->tid, atomic_load(&from->tid));
	return position / size == index && position % WORD == 0 &&
	       atomic_load(&from->position) == position;
}

/* Copies the name of a thread, in a form that can go to a terminal. */
static void set_name(struct sdtkit_record_pipe *pipe, const char *name)
{
	size_t i;

	memcpy(pipe->name, name, SDTKIT_RECORD_NAME);
	for (i = 0; pipe->name[i] != '\0'; i++) {
		if ((unsigned char)pipe->name[i] < ' ' || pipe->name[i] == 127)
			pipe->name[i] = '?';
	}
}

/* The name of a thread that an OWNER told, which was overwritten since. */
static void name_owner(struct sdtkit_record_pipe *pipe)
{
	struct sdtkit_record_ring *ring = pipe->ring;

	pipe->name[0] = '\0';
	if (atomic_load(&ring->pid) == pipe->pid &&
	    atomic_load(&ring->tid) == pipe->tid)
		set_name(pipe, ring->name);
}

/* Goes on at the first entry of a block. */
static void begin_at(struct sdtkit_record_pipe *pipe,
		     const struct sdtkit_record_block *block)
{
	uint64_t number = block->number;

	if (!pipe->has_begun)
		pipe->overwritten = number;
	else if (number > pipe->number)
		pipe->gap += number - pipe->number;
	pipe->position = block->position;
	pipe->number = number;
	pipe->pid = block->pid;
	pipe->tid = block->tid;
	name_owner(pipe);
}

/* Moves on to the first entry at or behind low that is known, if there is. */
static bool skip_to(struct sdtkit_record_pipe *pipe, uint64_t low)
{
	uint64_t size = pipe->ring_size / SDTKIT_RECORD_BLOCKS, i;
	struct sdtkit_record_block block;

	for (i = low / size; i <= pipe->end / size; i++) {
		if (!read_block(pipe, i, &block) || block.position < low ||
		    block.position > pipe->end)
			continue;
		begin_at(pipe, &block);
		return true;
	}
	return false;
}

/* The ring is a circle. */
static void copy_circle(const struct sdtkit_record_pipe *pipe, uint64_t from,
			size_t size, unsigned char *to)
{
	size_t at = (size_t)(from % pipe->ring_size);
	size_t first = pipe->ring_size - at;

	if (first > size)
		first = size;
	memcpy(to, pipe->data + at, first);
	memcpy(to + first, pipe->data, size - first);
}

/* Copies the bytes between two positions. */
static int copy(struct sdtkit_record_pipe *pipe, uint64_t from, uint64_t head)
{
	size_t size = (size_t)(head - from);

	if (size > pipe->capacity) {
		free(pipe->bytes);
		pipe->bytes = malloc(size);
		pipe->capacity = pipe->bytes != NULL ? size : 0;
		if (pipe->bytes == NULL)
			return sdtkit_record_no_memory();
	}
	pipe->idle = 0;
	pipe->begin = from;
	pipe->position = from;
	pipe->end = head;
	if (size > 0)
		copy_circle(pipe, from, size, pipe->bytes);
	return 0;
}

/* Makes room behind what has not been returned yet, which moves to the front. */
static int make_room(struct sdtkit_record_pipe *pipe, size_t more)
{
	size_t done = pipe->entry != NULL ?
		(size_t)((const unsigned char *)pipe->entry - pipe->bytes) :
		(size_t)(pipe->position - pipe->begin);
	size_t kept = (size_t)(pipe->end - pipe->begin) - done;
	unsigned char *bytes = pipe->bytes;

	if (kept + more > pipe->capacity) {
		bytes = malloc(kept + more);
		if (bytes == NULL)
			return sdtkit_record_no_memory();
		pipe->capacity = kept + more;
	}
	memmove(bytes, pipe->bytes + done, kept);
	if (bytes != pipe->bytes)
		free(pipe->bytes);
	pipe->bytes = bytes;
	pipe->begin += done;
	if (pipe->entry != NULL)
		pipe->entry = (const void *)bytes;
	return 0;
}

int sdtkit_record_extend(bool gives_back, struct sdtkit_record_pipe *pipe)
{
	uint64_t head = atomic_load(&pipe->ring->head), limit;
	size_t more = (size_t)(head - pipe->end);
	int ret;

	/* What does not fit together is for the next fill. */
	if (pipe->is_damaged || more == 0 || head % WORD != 0 ||
	    head < pipe->end || more > pipe->ring_size)
		return 0;
	ret = make_room(pipe, more);
	if (ret < 0)
		return ret;
	copy_circle(pipe, pipe->end, more,
		    pipe->bytes + (pipe->end - pipe->begin));
	atomic_thread_fence(memory_order_acquire);
	limit = atomic_load(&pipe->ring->limit);
	if (limit > pipe->ring_size && limit - pipe->ring_size > pipe->end)
		return 0;
	pipe->end = head;
	if (gives_back)
		atomic_store(&pipe->ring->tail, head);
	return 0;
}

/* Where the first fill begins: at an entry, unless the ring was full. */
static uint64_t first_position(const struct sdtkit_record_map *map,
			       bool from_now,
			       const struct sdtkit_record_pipe *pipe,
			       uint64_t head)
{
	uint64_t some = 2 * pipe->ring_size / SDTKIT_RECORD_BLOCKS;

	if (map->mode != SDTKIT_RECORD_OVERWRITE)
		return atomic_load(&pipe->ring->tail);
	if (from_now && head > some)
		return head - some;
	return 0;
}

/* A thread that has no hits for some time, or has ended, needs no copy. */
static void rest(struct sdtkit_record_pipe *pipe)
{
	if (pipe->capacity == 0 || ++pipe->idle < IDLE)
		return;
	free(pipe->bytes);
	pipe->bytes = NULL;
	pipe->capacity = 0;
}

static void give_up(struct sdtkit_record_pipe *pipe)
{
	pipe->is_damaged = true;
	pipe->damaged_at = pipe->position;
	pipe->position = pipe->end;
}

int sdtkit_record_fill(const struct sdtkit_record_map *map, bool from_now,
		       bool gives_back, struct sdtkit_record_pipe *pipe)
{
	uint64_t head = atomic_load(&pipe->ring->head), from, limit;
	/* Whether the number of the event at from is known. */
	bool is_found = pipe->is_found;
	int ret;

	if (pipe->is_damaged || (pipe->has_begun && head == pipe->position)) {
		if (gives_back && atomic_load(&pipe->ring->tail) != head)
			atomic_store(&pipe->ring->tail, head);
		rest(pipe);
		return 0;
	}
	from = pipe->position;
	if (!pipe->has_begun) {
		from = first_position(map, from_now, pipe, head);
		is_found = from == 0 || map->mode != SDTKIT_RECORD_OVERWRITE;
	}
	if (head % WORD != 0 || from % WORD != 0 || head < from) {
		give_up(pipe);
		return 0;
	}
	if (head - from > pipe->ring_size) {
		from = head - pipe->ring_size;
		is_found = false;
	}
	ret = copy(pipe, from, head);
	if (ret < 0)
		return ret;
	atomic_thread_fence(memory_order_acquire);
	limit = atomic_load(&pipe->ring->limit);
	if (limit > pipe->ring_size && limit - pipe->ring_size > from) {
		from = limit - pipe->ring_size;
		is_found = false;
	}
	pipe->is_found = is_found || skip_to(pipe, from);
	if (!pipe->is_found)
		pipe->position = pipe->end;
	pipe->has_begun = true;
	if (gives_back)
		atomic_store(&pipe->ring->tail, head);
	return 0;
}

static void read_owner(struct sdtkit_record_pipe *pipe,
		       const struct sdtkit_record_entry *entry)
{
	const uint64_t *words = (const uint64_t *)(const void *)(entry + 1);

	if (entry->words != 5)
		return;
	pipe->pid = (uint32_t)(words[0] >> 32);
	pipe->tid = (uint32_t)words[0];
	set_name(pipe, (const char *)&words[1]);
}

static void read_lost(struct sdtkit_record_pipe *pipe,
		      const struct sdtkit_record_entry *entry)
{
	const uint64_t *words = (const uint64_t *)(const void *)(entry + 1);

	if (entry->words != 3 || words[0] <= pipe->lost)
		return;
	pipe->gap += words[0] - pipe->lost;
	pipe->lost = words[0];
}

/* The entry at the position, or NULL if there is none that is whole. */
static const struct sdtkit_record_entry *
entry_at(const struct sdtkit_record_pipe *pipe)
{
	uint64_t left = pipe->end - pipe->position;
	uint64_t to_end = pipe->ring_size - pipe->position % pipe->ring_size;
	const struct sdtkit_record_entry *entry =
		(const void *)(pipe->bytes + (pipe->position - pipe->begin));
	uint64_t size;

	if (left < WORD)
		return NULL;
	size = (uint64_t)entry->words * WORD;
	if (size == 0 || size > left || size > to_end ||
	    (entry->id != SDTKIT_RECORD_ID_PAD && size < sizeof(*entry)))
		return NULL;
	return entry;
}

uint64_t sdtkit_record_unread(const struct sdtkit_record_pipe *pipe)
{
	uint64_t head = atomic_load(&pipe->ring->head);
	uint64_t events = atomic_load(&pipe->ring->events), most;

	if (!pipe->is_damaged || head < pipe->damaged_at ||
	    events < pipe->number)
		return 0;
	most = (head - pipe->damaged_at) / sizeof(struct sdtkit_record_entry);
	return events - pipe->number < most ? events - pipe->number : most;
}

/* The counter of the ring is ahead of the copy, while its thread writes. */
void sdtkit_record_count(struct sdtkit_record_pipe *pipe)
{
	struct sdtkit_record_pipe at = *pipe;
	const struct sdtkit_record_entry *entry;

	pipe->all_events = atomic_load(&pipe->ring->events);
	pipe->all_lost = atomic_load(&pipe->ring->lost);
	while (at.position < at.end && (entry = entry_at(&at)) != NULL) {
		at.position += (uint64_t)entry->words * WORD;
		at.number += entry->id < SDTKIT_RECORD_ID_PAD;
	}
	if (at.is_found && !at.is_damaged && at.position == at.end)
		pipe->all_events = at.number;
}

bool sdtkit_record_step(struct sdtkit_record_pipe *pipe)
{
	const struct sdtkit_record_entry *entry;

	pipe->entry = NULL;
	while (pipe->position < pipe->end) {
		entry = entry_at(pipe);
		if (entry == NULL) {
			give_up(pipe);
			return false;
		}
		if (pipe->gap > 0 && entry->id != SDTKIT_RECORD_ID_PAD) {
			pipe->time = entry->time;
			return true;
		}
		pipe->position += (uint64_t)entry->words * WORD;
		if (entry->id == SDTKIT_RECORD_ID_OWNER)
			read_owner(pipe, entry);
		else if (entry->id == SDTKIT_RECORD_ID_LOST)
			read_lost(pipe, entry);
		if (entry->id >= SDTKIT_RECORD_ID_PAD)
			continue;
		pipe->number++;
		pipe->entry = entry;
		pipe->time = entry->time;
		return true;
	}
	return false;
}
