/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heatmap.c - counts requests by latency, in a column for each slice of time.
 *
 * A column is one sample at first. When the map is full two columns become
 * one: so memory and picture have a limit however long it runs.
 */
#include <string.h>

#include "counters.h"
#include "heatmap.h"
#include "quantile.h"
#include "tsmbd.skel.h"

static const unsigned int FULL = 4000000000;

static struct heatmap map;
static unsigned long long started;
static unsigned long long sample_ns;
static unsigned long long before[TSMBD_OPS][TSMBD_SLOTS];

void heatmap_begin(unsigned long long now, unsigned long long ns)
{
	clock_gettime(CLOCK_REALTIME, &map.started);
	map.column_ns = ns;
	sample_ns = ns;
	started = now;
}

/*
 * After months a cell may be at its maximum; its colour is the last one then.
 */
static void grow(unsigned int *cell, unsigned int n)
{
	*cell = n < FULL - *cell ? *cell + n : FULL;
}

static void fold(void)
{
	int op, column, slot;

	for (op = 0; op < TSMBD_OPS; op++) {
		for (column = 0; column < HEATMAP_COLUMNS; column++) {
			unsigned int *to = map.cells[op][column / 2];

			for (slot = 0; slot < TSMBD_SLOTS; slot++) {
				unsigned int n = map.cells[op][column][slot];

				map.cells[op][column][slot] = 0;
				grow(&to[slot], n);
			}
		}
	}
	map.column_ns *= 2;
	map.columns = (map.columns + 1) / 2;
}

/* A sample may come a little late, but belongs to the time before it. */
static int column_at(unsigned long long now)
{
	unsigned long long at = now - started;

	at -= at < sample_ns / 2 ? at : sample_ns / 2;
	while (at / map.column_ns >= HEATMAP_COLUMNS)
		fold();
	return (int)(at / map.column_ns);
}

/* A sample that came late covers several columns: each gets its share. */
static void spread(unsigned int cells[HEATMAP_COLUMNS][TSMBD_SLOTS], int slot,
		   int first, int last, unsigned int n)
{
	unsigned int part = n / (unsigned int)(last - first + 1);

	for (; first < last; first++, n -= part)
		grow(&cells[first][slot], part);
	grow(&cells[last][slot], n);
}

void heatmap_sample(struct tsmbd *skel, unsigned long long now)
{
	static unsigned long long fine[TSMBD_OPS][TSMBD_FINE];
	unsigned long long slots[TSMBD_SLOTS];
	int last = column_at(now);
	int first = map.columns < last ? map.columns : last;
	int op, slot;

	if (last >= map.columns)
		map.columns = last + 1;
	counters_read_slots(skel, fine);
	for (op = 0; op < TSMBD_OPS; op++) {
		quantile_fold(fine[op], slots);
		for (slot = 0; slot < TSMBD_SLOTS; slot++) {
			spread(map.cells[op], slot, first, last,
			       (unsigned int)(slots[slot] -
					      before[op][slot]));
			before[op][slot] = slots[slot];
		}
	}
}

bool heatmap_write(const char *path)
{
	return heatmap_draw(&map, path);
}
