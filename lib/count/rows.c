/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hit seldom does: new blocks in a set, and the length of a tick. See
 * ../record/write.h for the rules, and file.h for the layout.
 */
#include "count.h"

/* Backs the set with memory up to end. Returns false if the disk is full. */
static bool back(struct sdtkit_record_lane *lane, uint32_t end)
{
	struct sdtkit_record_ring *ring = lane->ring;

	while (ring->backed < end) {
		if (!sdtkit_record_back(lane->data + ring->backed,
					SDTKIT_RECORD_STEP))
			return false;
		ring->backed += SDTKIT_RECORD_STEP;
	}
	return true;
}

/*
 * A handler that leaves this by siglongjmp() wastes a block. Blocks have zeros,
 * since a file has, and nobody else writes here.
 */
void *sdtkit_count_add_block(const struct sdtkit_counter *counter,
			     struct sdtkit_record_lane *lane,
			     _Atomic uint16_t *at, uint32_t size)
{
	struct sdtkit_count_set *set = (void *)lane->data;
	uint32_t used = atomic_load(&set->used) & ~(uint32_t)63;
	uint16_t number = (uint16_t)(used / SDTKIT_COUNT_UNIT);

	if (used < sizeof(*set) || used > counter->set_size ||
	    size > counter->set_size - used || !back(lane, used + size))
		return NULL;
	atomic_store(&set->used, used + size);
	if (at != NULL)
		atomic_store(at, number);
	return sdtkit_count_block(set, number);
}

void *sdtkit_count_add_entry(const struct sdtkit_counter *counter,
			     struct sdtkit_record_lane *lane,
			     const struct sdtkit_count_head *head,
			     const char *text, uint32_t length)
{
	struct sdtkit_count_set *set = (void *)lane->data;
	uint32_t at = sdtkit_count_begin_at(head), i;
	struct sdtkit_count_row *row;
	struct sdtkit_count_text *to;

	/* The last ones are for SDTKIT_COUNT_OTHER. */
	if ((uint16_t)head->kind != SDTKIT_COUNT_OTHER &&
	    (set->entries >= SDTKIT_COUNT_ENTRIES ||
	     atomic_load(&set->used) >= counter->names_end))
		return NULL;
	row = sdtkit_count_add_block(counter, lane, NULL, sizeof(*row));
	if (row == NULL)
		return NULL;
	row->head = *head;
	if (text != NULL) {
		to = (void *)row;
		for (i = 0; i < length; i++)
			to->text[i] = text[i];
	} else {
		atomic_store(&row->least, UINT64_MAX);
	}
	/* If the program has written there, the index may be full. */
	for (i = 0; i < SDTKIT_COUNT_INDEX && atomic_load(&set->index[at]) != 0;
	     i++)
		at = (at + 1) % SDTKIT_COUNT_INDEX;
	set->entries++;
	atomic_store(&set->index[at], (uint16_t)
		     (((unsigned char *)row - lane->data) / SDTKIT_COUNT_UNIT));
	return row;
}

/* Sets the length of a tick by the first pair of clocks and the latest one. */
void sdtkit_count_set_scale(struct sdtkit_counter *counter,
			    const struct sdtkit_record_writer *writer)
{
	struct sdtkit_record_file *file = writer->file;
	uint64_t count = atomic_load(&file->clock_count), ticks = 0, time = 0;
	struct sdtkit_record_clock *pair;

	if (writer->clock != SDTKIT_RECORD_TICKS) {
		counter->scale = (uint64_t)1 << SDTKIT_COUNT_FRACTION;
		return;
	}
	if (count > 0) {
		pair = &file->clocks[1 + (count - 1) %
				     (SDTKIT_RECORD_CLOCKS - 1)];
		ticks = atomic_load(&pair->ticks);
		time = atomic_load(&pair->time);
	}
	/* It may be that another thread writes the pair, or anything. */
	if (ticks <= counter->ticks || time <= counter->time) {
		if (counter->scale != 0)
			return;
		ticks = counter->ticks + writer->clock_period_max;
		time = counter->time + SDTKIT_RECORD_PERIOD_NS;
	}
	ticks -= counter->ticks;
	time -= counter->time;
	for (; time >> 32 != 0; time >>= 1)
		ticks >>= 1;
	/* Others divide by it: 0 would come of a pair that is wrong. */
	if (ticks > 0 && (time << SDTKIT_COUNT_FRACTION) / ticks > 0)
		counter->scale = (time << SDTKIT_COUNT_FRACTION) / ticks;
}
