/* SPDX-License-Identifier: BSD-2-Clause */
/* What the path of a hit needs to write to a file; see write.h. */
#include <time.h>

#include "create.h"

enum {
	/* Between two pairs of clocks. */
	PERIOD_NS = 500000000,
};

static uint64_t read_monotonic(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The period in ticks, about: at least a millisecond after the first pair. */
static uint64_t period_of(const struct sdtkit_record_writer *writer)
{
	struct sdtkit_record_clock *first = &writer->file->clocks[0];
	uint64_t ticks, time;

	if (writer->clock != SDTKIT_RECORD_TICKS)
		return PERIOD_NS;
	ticks = sdtkit_record_now(writer) - atomic_load(&first->ticks);
	time = read_monotonic() - atomic_load(&first->time);
	return (uint64_t)((double)PERIOD_NS * (double)ticks / (double)time);
}

void sdtkit_record_writer_init(struct sdtkit_record_writer *writer,
			       struct sdtkit_record_file *file, uint32_t index,
			       _Atomic uint64_t *generation)
{
	*writer = (struct sdtkit_record_writer) {
		.file = file,
		.rings = (struct sdtkit_record_ring *)(void *)
			 ((char *)file + file->rings_at),
		.data = (unsigned char *)file + file->data_at,
		.index = index,
		.ring_count = file->ring_count,
		.ring_size = file->ring_size,
		.block = file->ring_size / SDTKIT_RECORD_BLOCKS,
		.mode = file->mode,
		.clock = file->clock,
		.clock_due = atomic_load(&file->clock_due),
		.generation = generation,
		.read_clock = read_monotonic,
		.patience_ns = (uint64_t)file->patience_ms * 1000000,
	};
	writer->clock_period_max = period_of(writer);
	/* No lane of an earlier recorder with this index is valid. */
	atomic_store(generation, 0);
	sdtkit_record_begin_process(writer);
}
