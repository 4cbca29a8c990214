/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A heat map: how long things took, and when, in fields one below the other.
 *
 *	struct heatmap map = { .title = "SMB2 requests", ... };
 *
 *	heatmap_begin(&map, now, sample_ns);
 *	field = heatmap_add_field(&map, "SMB2_OP_READ");
 *	every sample_ns:
 *		heatmap_advance(&map, now);
 *		heatmap_count(&map, field, counts);	for each field
 *	heatmap_draw(&map, "map.svg");
 *
 * A column is one sample at first. When the map is full two columns become
 * one, so memory and picture have a limit however long it runs.
 */
#ifndef PICTURE_HEATMAP_H
#define PICTURE_HEATMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { HEATMAP_COLUMNS = 240, HEATMAP_SLOTS = 32 };

struct heatmap_field {
	char *name;
	unsigned int cells[HEATMAP_COLUMNS][HEATMAP_SLOTS];
};

struct heatmap {
	/* To be set before heatmap_begin(). */
	const char *title;
	const char *description;	/* for screen readers */
	const char *noun;		/* "request": what is counted */
	unsigned int unit_ns;		/* of the slots */
	int slots;			/* up to HEATMAP_SLOTS */

	struct timespec started;	/* by the clock on the wall */
	unsigned long long begun;
	unsigned long long sample_ns;
	unsigned long long column_ns;
	int columns;			/* that have been reached */
	int first, last;		/* those of this sample */
	struct heatmap_field **fields;
	size_t num_fields;
	size_t max_fields;
};

/* Begins a map; heatmap_advance() will be called every sample_ns. */
void heatmap_begin(struct heatmap *map, unsigned long long now,
		   unsigned long long sample_ns);

/* Adds a field; returns NULL if there is no memory. */
struct heatmap_field *heatmap_add_field(struct heatmap *map, const char *name);

/* What is counted from here on happened until now. */
void heatmap_advance(struct heatmap *map, unsigned long long now);

/*
 * Adds what happened since the last sample: for each slot a number. Slot 0 is
 * below 2 units, each other begins at a power of 2, and the last has no end.
 */
void heatmap_count(const struct heatmap *map, struct heatmap_field *field,
		   const unsigned long long *counts);

/* Releases the fields. */
void heatmap_free(struct heatmap *map);

/*
 * Writes the picture to a file, which stays as it is if that fails: then
 * prints a message and returns false.
 */
bool heatmap_draw(const struct heatmap *map, const char *path);

#endif /* PICTURE_HEATMAP_H */
