/* SPDX-License-Identifier: BSD-2-Clause */
/* What a reader tells of the file as a whole; see read.h. */
#include "read_parts.h"

static const char *const modes[] = {
	[SDTKIT_RECORD_OVERWRITE] = "overwrite",
	[SDTKIT_RECORD_DISCARD] = "discard",
	[SDTKIT_RECORD_BLOCK] = "block",
};

void sdtkit_record_end(struct sdtkit_record_reader *reader)
{
	bool is_first = !reader->has_ended;

	reader->has_ended = true;
	if (!reader->map.is_writable)
		return;
	if (atomic_exchange(&reader->map.file->closed, 1) != 0 && is_first)
		reader->was_closed = true;
}

bool sdtkit_record_is_closed(const struct sdtkit_record_reader *reader)
{
	return atomic_load(&reader->map.file->closed) != 0;
}

bool sdtkit_record_ring_info(struct sdtkit_record_reader *reader,
			     uint32_t index,
			     struct sdtkit_record_ring_info *info)
{
	bool follows = reader->flags & SDTKIT_RECORD_FOLLOW;
	struct sdtkit_record_pipe *pipe;

	if (index >= reader->pipe_count)
		return false;
	pipe = &reader->pipes[index];
	*info = (struct sdtkit_record_ring_info) {
		.pid = (pid_t)atomic_load(&pipe->ring->pid),
		.tid = (pid_t)atomic_load(&pipe->ring->tid),
		.name = pipe->name,
		.level = pipe->ring->level,
		.events = follows ? atomic_load(&pipe->ring->events) :
				    pipe->all_events,
		.overwritten = pipe->overwritten,
		.lost = follows ? atomic_load(&pipe->ring->lost) +
				  sdtkit_record_unread(pipe) :
				  pipe->all_lost,
	};
	return true;
}

static void add_rings(struct sdtkit_record_reader *reader,
		      struct sdtkit_record_info *info)
{
	struct sdtkit_record_ring_info ring;
	uint32_t i;

	for (i = 0; sdtkit_record_ring_info(reader, i, &ring); i++) {
		info->events += ring.events;
		info->overwritten += ring.overwritten;
		info->lost += ring.lost;
		info->damaged += reader->pipes[i].is_damaged;
	}
	info->rings_used = i;
}

void sdtkit_record_info(struct sdtkit_record_reader *reader,
			struct sdtkit_record_info *info)
{
	struct sdtkit_record_file *file = reader->map.file;
	bool follows = reader->flags & SDTKIT_RECORD_FOLLOW;

	*info = (struct sdtkit_record_info) {
		.program = reader->map.program,
		.patterns = reader->map.patterns,
		.pid = (pid_t)file->pid,
		.uid = (uid_t)file->uid,
		.mode = modes[reader->map.mode],
		.start_monotonic = file->start_monotonic,
		.start_realtime = file->start_realtime,
		.dump_time = file->dump.time,
		.dump_pid = (pid_t)file->dump.pid,
		.dump_signal = (int)file->dump.signal,
		.size = reader->map.size,
		.ring_size = reader->map.ring_size,
		.ring_count = reader->map.ring_count,
		.no_ring = follows ? atomic_load(&file->no_ring) :
				     reader->no_ring,
		.was_closed = reader->was_closed,
	};
	info->lost = info->no_ring + (follows ? atomic_load(&file->too_deep) :
						reader->too_deep);
	add_rings(reader, info);
}

const struct sdtkit_tap_probe *
sdtkit_record_probe_at(struct sdtkit_record_reader *reader, size_t index)
{
	if (index >= reader->probes.count &&
	    sdtkit_record_read_probes(&reader->map, &reader->probes) < 0)
		return NULL;
	return index < reader->probes.count ?
	       &reader->probes.in_order[index]->probe : NULL;
}
