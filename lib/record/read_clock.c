/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ticks of the processor -> nanoseconds of CLOCK_MONOTONIC; see read_parts.h.
 * One line through all pairs of clocks serves all rings, so that the order of
 * ticks is the order of times.
 *
 *	pairs	(1000, 500) (3000, 1500) ...
 *	ticks	2000		-> 1000
 */
#include <stdlib.h>

#include "read_parts.h"

static int compare(const void *one, const void *other)
{
	const uint64_t *a = one, *b = other;

	return *a < *b ? -1 : *a > *b;
}

/* A pair that does not go up with both clocks is left out. */
static void leave_out_damaged(struct sdtkit_record_clocks *clocks)
{
	size_t kept = 0, i;

	for (i = 0; i < clocks->count; i++) {
		if (kept > 0 &&
		    (clocks->pairs[i].ticks <= clocks->pairs[kept - 1].ticks ||
		     clocks->pairs[i].time <= clocks->pairs[kept - 1].time))
			continue;
		clocks->pairs[kept++] = clocks->pairs[i];
	}
	clocks->count = kept;
}

void sdtkit_record_read_clocks(const struct sdtkit_record_map *map,
			       struct sdtkit_record_clocks *clocks)
{
	size_t i;

	clocks->count = 0;
	if (map->clock != SDTKIT_RECORD_TICKS)
		return;
	for (i = 0; i < SDTKIT_RECORD_CLOCKS; i++) {
		struct sdtkit_record_clock *from = &map->file->clocks[i];
		uint64_t ticks = atomic_load(&from->ticks);
		uint64_t time = atomic_load(&from->time);

		if (ticks == 0 || atomic_load(&from->ticks) != ticks)
			continue;
		clocks->pairs[clocks->count].ticks = ticks;
		clocks->pairs[clocks->count].time = time;
		clocks->count++;
	}
	qsort(clocks->pairs, clocks->count, sizeof(clocks->pairs[0]), compare);
	leave_out_damaged(clocks);
}

/* The last pair that is not behind the ticks, but one that has a successor. */
static size_t find(const struct sdtkit_record_clocks *clocks, uint64_t ticks)
{
	size_t low = 0, high = clocks->count - 1;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (clocks->pairs[middle].ticks <= ticks)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint64_t sdtkit_record_time(const struct sdtkit_record_map *map,
			    const struct sdtkit_record_clocks *clocks,
			    uint64_t ticks)
{
	size_t last = clocks->count - 1, from = 0, a = 0, b = last;
	long double rate;

	if (map->clock != SDTKIT_RECORD_TICKS || clocks->count == 0)
		return ticks;
	if (clocks->count == 1)
		return clocks->pairs[0].time;
	/* Outside of the pairs: on, at the rate of all of them. */
	if (ticks >= clocks->pairs[last].ticks)
		from = last;
	else if (ticks > clocks->pairs[0].ticks)
		a = from = find(clocks, ticks), b = a + 1;
	rate = (long double)(clocks->pairs[b].time - clocks->pairs[a].time) /
	       (long double)(clocks->pairs[b].ticks - clocks->pairs[a].ticks);
	return (uint64_t)((long double)clocks->pairs[from].time + rate *
		((long double)ticks - (long double)clocks->pairs[from].ticks));
}
