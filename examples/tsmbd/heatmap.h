/* SPDX-License-Identifier: BSD-2-Clause */
/* The heat map: requests by time and by latency. */
#ifndef TSMBD_HEATMAP_H
#define TSMBD_HEATMAP_H

#include <stdbool.h>
#include <time.h>

#include "tsmbd.h"

struct tsmbd;	/* the skeleton */

enum { HEATMAP_COLUMNS = 240 };

struct heatmap {
	struct timespec started;	/* by the clock on the wall */
	unsigned long long column_ns;
	int columns;			/* that have been reached */
	unsigned int cells[TSMBD_OPS][HEATMAP_COLUMNS][TSMBD_SLOTS];
};

/* Begins a map; heatmap_sample() will be called every sample_ns. */
void heatmap_begin(unsigned long long now, unsigned long long sample_ns);

/* Adds the requests since the last call to the column of this time. */
void heatmap_sample(struct tsmbd *skel, unsigned long long now);

/* Writes the picture to a file; on failure prints a message, returns false. */
bool heatmap_write(const char *path);

/* Draws the heat map as an SVG document; heatmap_write() calls it. */
bool heatmap_draw(const struct heatmap *map, const char *path);

#endif /* TSMBD_HEATMAP_H */
