/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The entries of all rings, by time; see read.h.
 *
 *	rings --fill--> copies --heap by time--> the next item
 *
 * When all copies are read, and the reader follows, they are filled anew. What
 * is younger than the beginning of the fill stays for the next one: another
 * ring may have got something older meanwhile.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "read_parts.h"
#include "reader.h"

enum {
	/* Between two signs of life. */
	ITEMS = 256,
};

static bool is_older(const struct sdtkit_record_reader *reader, uint32_t one,
		     uint32_t other)
{
	const struct sdtkit_record_pipe *a = &reader->pipes[one];
	const struct sdtkit_record_pipe *b = &reader->pipes[other];

	return a->time != b->time ? a->time < b->time : one < other;
}

/* Lets the pipe at this place of the heap sink to where it belongs. */
static void sink(struct sdtkit_record_reader *reader, uint32_t at)
{
	uint32_t *heap = reader->heap;

	for (;;) {
		uint32_t least = at, child = 2 * at + 1, other;

		if (child < reader->heap_size &&
		    is_older(reader, heap[child], heap[least]))
			least = child;
		if (child + 1 < reader->heap_size &&
		    is_older(reader, heap[child + 1], heap[least]))
			least = child + 1;
		if (least == at)
			return;
		other = heap[at];
		heap[at] = heap[least];
		heap[least] = other;
		at = least;
	}
}

/* Goes on in a pipe; false if nothing is left in its copy. */
static bool step(struct sdtkit_record_reader *reader,
		 struct sdtkit_record_pipe *pipe)
{
	bool more = sdtkit_record_step(pipe);

	if (more)
		pipe->time = sdtkit_record_time(&reader->map, &reader->clocks,
						pipe->time);
	/*
	 * An entry of the future, from a damaged file, would be held back until
	 * its time, and in mode BLOCK its writer would wait for the reader.
	 */
	if (pipe->time > reader->copied)
		pipe->time = reader->copied;
	return more;
}

/* New rings come when threads begin; they are never fewer. */
static void find_rings(struct sdtkit_record_reader *reader)
{
	struct sdtkit_record_map *map = &reader->map;
	char *file = (char *)map->file;
	uint32_t used = atomic_load(&map->file->rings_used);

	if (used > map->ring_count)
		used = map->ring_count;
	for (; reader->pipe_count < used; reader->pipe_count++) {
		uint32_t i = reader->pipe_count;

		reader->pipes[i].ring = (struct sdtkit_record_ring *)(void *)
			(file + map->rings_at) + i;
		reader->pipes[i].data = (unsigned char *)file + map->data_at +
					(uint64_t)i * map->ring_size;
		reader->pipes[i].ring_size = map->ring_size;
	}
}

/* Writers that wait see that the reader takes what there is. */
static void get_on(struct sdtkit_record_reader *reader)
{
	if (!reader->map.is_writable)
		return;
	atomic_fetch_add(&reader->map.file->progress, 1);
	atomic_store(&reader->map.file->stalled, 0);
}

static int fill(struct sdtkit_record_reader *reader)
{
	bool follows = reader->flags & SDTKIT_RECORD_FOLLOW;
	uint64_t until = follows && !reader->has_ended &&
			 !sdtkit_record_is_closed(reader) ?
			 sdtkit_nanoseconds(CLOCK_MONOTONIC) - 1000000 : UINT64_MAX;
	bool is_last = reader->has_ended && reader->heap_size == 0;
	bool *is_in = calloc(reader->map.ring_count + 1, sizeof(*is_in));
	uint32_t i;
	int ret = 0;

	if (is_in == NULL)
		return sdtkit_record_no_memory();
	for (i = 0; i < reader->heap_size; i++)
		is_in[reader->heap[i]] = true;
	get_on(reader);
	find_rings(reader);
	for (i = 0; ret == 0 && i < reader->pipe_count; i++) {
		bool gives_back = follows && reader->map.is_writable;

		if (is_in[i])
			ret = sdtkit_record_extend(gives_back,
						   &reader->pipes[i]);
		else
			ret = sdtkit_record_fill(&reader->map,
				reader->flags & SDTKIT_RECORD_FROM_NOW,
				gives_back, &reader->pipes[i]);
		if (ret == 0 && !follows)
			sdtkit_record_count(&reader->pipes[i]);
	}
	reader->no_ring = atomic_load(&reader->map.file->no_ring);
	reader->too_deep = atomic_load(&reader->map.file->too_deep);
	reader->copied = follows ? sdtkit_nanoseconds(CLOCK_MONOTONIC) : UINT64_MAX;
	/* Later than the rings: what they have is described by now. */
	if (ret == 0)
		ret = sdtkit_record_read_probes(&reader->map, &reader->probes);
	sdtkit_record_read_clocks(&reader->map, &reader->clocks);
	for (i = 0; ret == 0 && i < reader->pipe_count; i++) {
		if (!is_in[i] && step(reader, &reader->pipes[i]))
			reader->heap[reader->heap_size++] = i;
	}
	for (i = reader->heap_size; i-- > 0;)
		sink(reader, i);
	free(is_in);
	reader->until = until;
	reader->is_filled = true;
	reader->is_last = is_last;
	return ret == 0 ? sdtkit_record_check(&reader->map) : ret;
}

/* Goes on behind the item that was returned last. */
static void move_on(struct sdtkit_record_reader *reader)
{
	struct sdtkit_record_pipe *pipe = reader->returned;

	if (pipe == NULL)
		return;
	reader->returned = NULL;
	if (pipe->entry == NULL)
		pipe->gap = 0;
	if (!step(reader, pipe))
		reader->heap[0] = reader->heap[--reader->heap_size];
	sink(reader, 0);
}

/* Makes an item of the next entry. False: there is none to show, go on. */
static bool make_item(struct sdtkit_record_reader *reader,
		      struct sdtkit_record_pipe *pipe,
		      struct sdtkit_record_item *item)
{
	struct sdtkit_tap_event *event = &reader->space.event;
	const struct sdtkit_record_seen *seen = NULL;

	if ((reader->flags & SDTKIT_RECORD_FROM_NOW) &&
	    pipe->time < reader->opened)
		return false;
	*item = (struct sdtkit_record_item) {
		.pid = (pid_t)pipe->pid,
		.tid = (pid_t)pipe->tid,
		.time = pipe->time,
		.name = pipe->name,
		.lost = pipe->entry == NULL ? pipe->gap : 0,
	};
	if (pipe->entry == NULL)
		return true;
	if (pipe->entry->id < reader->map.slot_count)
		seen = reader->probes.by_id[pipe->entry->id];
	if (seen == NULL)
		return false;
	*event = (struct sdtkit_tap_event) { 0 };
	if (!sdtkit_record_read_event(&reader->map, seen,
				      (struct sdtkit_record_entry *)
				      (uintptr_t)pipe->entry, &reader->space))
		return false;
	event->time = item->time;
	event->pid = item->pid;
	event->tid = item->tid;
	item->event = event;
	return true;
}

int sdtkit_record_next(struct sdtkit_record_reader *reader,
		       struct sdtkit_record_item *item)
{
	bool was_filled = false;
	int ret;

	for (;;) {
		struct sdtkit_record_pipe *pipe;

		move_on(reader);
		if (reader->heap_size == 0 ||
		    reader->pipes[reader->heap[0]].time > reader->until) {
			if (was_filled || reader->is_last ||
			    (reader->is_filled &&
			     !(reader->flags & SDTKIT_RECORD_FOLLOW)))
				return sdtkit_record_check(&reader->map);
			ret = fill(reader);
			if (ret < 0)
				return ret;
			was_filled = true;
			continue;
		}
		pipe = &reader->pipes[reader->heap[0]];
		reader->returned = pipe;
		if (++reader->taken % ITEMS == 0)
			get_on(reader);
		if (make_item(reader, pipe, item))
			return 1;
	}
}

int sdtkit_record_open(int fd, unsigned int flags,
		       struct sdtkit_record_reader **reader)
{
	struct sdtkit_record_reader *r = calloc(1, sizeof(*r));
	int ret;

	if (r == NULL)
		return sdtkit_record_no_memory();
	r->flags = flags;
	r->opened = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	sdtkit_record_watch(&r->map);
	ret = sdtkit_record_map(fd, false, &r->map);
	if (ret == 0 && r->map.mode == SDTKIT_RECORD_COUNT)
		ret = sdtkit_record_fail(ENOEXEC, "the file has counts of spans, "
					 "and no events");
	if (ret == 0 && (flags & SDTKIT_RECORD_FOLLOW) &&
	    r->map.mode != SDTKIT_RECORD_OVERWRITE) {
		sdtkit_record_unmap(&r->map);
		ret = sdtkit_record_map(fd, true, &r->map);
	}
	if (ret == 0 && r->map.is_writable)
		sdtkit_record_begin_reading(r->map.file);
	if (ret == 0) {
		r->pipes = calloc((size_t)r->map.ring_count + 1,
				  sizeof(r->pipes[0]));
		r->heap = calloc((size_t)r->map.ring_count + 1,
				 sizeof(r->heap[0]));
		ret = r->pipes != NULL && r->heap != NULL ? 0 :
			sdtkit_record_no_memory();
	}
	/* A snapshot is of the moment of the open. */
	if (ret == 0)
		ret = fill(r);
	if (ret < 0) {
		sdtkit_record_close(r);
		return ret;
	}
	*reader = r;
	return 0;
}

void sdtkit_record_close(struct sdtkit_record_reader *reader)
{
	uint32_t i;

	if (reader == NULL)
		return;
	for (i = 0; i < reader->pipe_count; i++)
		free(reader->pipes[i].bytes);
	sdtkit_record_free_probes(&reader->probes);
	if (reader->map.file != NULL && reader->map.is_writable)
		sdtkit_record_end_reading(reader->map.file);
	sdtkit_record_unmap(&reader->map);
	sdtkit_record_unwatch(&reader->map);
	free(reader->pipes);
	free(reader->heap);
	free(reader);
}
