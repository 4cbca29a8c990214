/* SPDX-License-Identifier: BSD-2-Clause */
/* What the path of a hit needs to write to a file; see write.h. */
#include <time.h>

#include "create.h"

enum {
	/* Between the first two pairs of clocks; later ones are further apart. */
	FIRST_NS = 1000000,
};

/*
 * Waits until a millisecond has gone by since the file was made: the rate of
 * ticks is known from two pairs of clocks that are apart. A program that another
 * one has started for the file need not wait.
 */
static void wait_for_second(const struct sdtkit_record_writer *writer)
{
	struct sdtkit_record_file *file = writer->file;
	uint64_t since = sdtkit_record_monotonic() -
			 atomic_load(&file->clocks[0].time);
	struct timespec pause = { .tv_nsec = FIRST_NS - (long)since };

	if (writer->clock == SDTKIT_RECORD_TICKS && since < FIRST_NS &&
	    !writer->has_other_clock)
		nanosleep(&pause, NULL);
}

/* The period in ticks, about. */
static uint64_t period_of(const struct sdtkit_record_writer *writer)
{
	struct sdtkit_record_clock *first = &writer->file->clocks[0];
	uint64_t ticks, time;

	if (writer->clock != SDTKIT_RECORD_TICKS || writer->has_other_clock)
		return SDTKIT_RECORD_PERIOD_NS;
	ticks = sdtkit_record_now(writer) - atomic_load(&first->ticks);
	time = sdtkit_record_monotonic() - atomic_load(&first->time);
	return (uint64_t)((double)SDTKIT_RECORD_PERIOD_NS * (double)ticks / (double)time);
}

void sdtkit_record_writer_init(struct sdtkit_record_writer *writer,
			       const struct sdtkit_record_output *output,
			       uint32_t index, _Atomic uint64_t *generation)
{
	struct sdtkit_record_file *file = output->file;

	*writer = (struct sdtkit_record_writer) {
		.file = file,
		.rings = output->rings,
		.data = output->data,
		.index = index,
		.ring_count = output->ring_count,
		.ring_size = output->ring_size,
		.block = output->ring_size / SDTKIT_RECORD_BLOCKS,
		.mode = file->mode,
		.clock = file->clock,
		.clock_due = atomic_load(&file->clock_due),
		.generation = generation,
		.read_clock = sdtkit_record_monotonic,
		.patience_ns = (uint64_t)file->patience_ms * 1000000,
	};
	/* No lane of an earlier recorder with this index is valid. */
	atomic_store(generation, 0);
	sdtkit_record_begin_process(writer);
	wait_for_second(writer);
	writer->clock_period_max = period_of(writer);
	sdtkit_record_tick(writer, sdtkit_record_now(writer));
}
