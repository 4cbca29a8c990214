/* SPDX-License-Identifier: BSD-2-Clause */
/* A picture of how long requests took, as time goes by. */
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

/* Begins a map, from now on; a sample comes every so many nanoseconds. */
void heatmap_begin(unsigned long long now, unsigned long long sample_ns);

/* What has been counted since the last call belongs to the time up to now. */
void heatmap_sample(struct tsmbd *skel, unsigned long long now);

/* Writes the picture; returns false after a message if that fails. */
bool heatmap_write(const char *path);

/* That itself. */
bool heatmap_draw(const struct heatmap *map, const char *path);

#endif /* TSMBD_HEATMAP_H */
