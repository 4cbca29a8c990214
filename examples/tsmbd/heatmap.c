/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heatmap.c - time from left to right, latency upwards, number as colour.
 *
 * There is a field of squares for each command that occurred. A column is
 * one second at first. When the picture is full, two columns become one:
 * so memory and file have a limit however long it runs.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "counters.h"
#include "heatmap.h"
#include "names.h"
#include "tsmbd.skel.h"

enum { COLUMNS = 240, CELL = 4, LEFT = 90, TOP = 40, GAP = 36 };

static struct {
	FILE *file;
	const char *path;
	unsigned long long started;
	unsigned long long column_ns;
	unsigned long long before[TSMBD_OPS][TSMBD_SLOTS];
	unsigned int cells[TSMBD_OPS][COLUMNS][TSMBD_SLOTS];
} map;

void heatmap_open(const char *path)
{
	map.path = path;
	map.file = fopen(path, "we");
	if (map.file == NULL)
		err(1, "%s", path);
	map.column_ns = 1000000000;
}

static void fold(void)
{
	int op, column, slot;

	for (op = 0; op < TSMBD_OPS; op++) {
		for (column = 0; column < COLUMNS; column++) {
			unsigned int *to = map.cells[op][column / 2];

			for (slot = 0; slot < TSMBD_SLOTS; slot++) {
				unsigned int n = map.cells[op][column][slot];

				map.cells[op][column][slot] = 0;
				to[slot] += n;
			}
		}
	}
	map.column_ns *= 2;
}

void heatmap_sample(struct tsmbd *skel, unsigned long long now)
{
	static struct counters counters;
	unsigned long long column;
	int op, slot;

	if (map.file == NULL)
		return;
	if (map.started == 0)
		map.started = now;
	while ((now - map.started) / map.column_ns >= COLUMNS)
		fold();
	column = (now - map.started) / map.column_ns;
	counters_read_ops(skel, counters.ops);
	for (op = 0; op < TSMBD_OPS; op++) {
		for (slot = 0; slot < TSMBD_SLOTS; slot++) {
			unsigned long long n = counters.ops[op].slots[slot];

			map.cells[op][column][slot] +=
				(unsigned int)(n - map.before[op][slot]);
			map.before[op][slot] = n;
		}
	}
}

/* The greatest number in a field, and the slots that are in use. */
static unsigned int extent(int op, int *first, int *last, int *columns)
{
	unsigned int most = 0;
	int column, slot;

	*first = TSMBD_SLOTS;
	*last = -1;
	for (column = 0; column < COLUMNS; column++) {
		for (slot = 0; slot < TSMBD_SLOTS; slot++) {
			unsigned int n = map.cells[op][column][slot];

			if (n == 0)
				continue;
			most = n > most ? n : most;
			*first = slot < *first ? slot : *first;
			*last = slot > *last ? slot : *last;
			*columns = column >= *columns ? column + 1 : *columns;
		}
	}
	return most;
}

/* Few are seen as well as many: the colour goes by the number of digits. */
static int shade(unsigned int n, unsigned int most)
{
	int bits = 0, of = 1;

	while (n >>= 1)
		bits++;
	while (most >>= 1)
		of++;
	return 220 - 220 * bits / of;
}

static void duration(int slot, char *text, size_t size)
{
	unsigned long long us = 1ULL << slot;

	if (us >= 1000000)
		snprintf(text, size, "%llu s", us / 1000000);
	else if (us >= 1000)
		snprintf(text, size, "%llu ms", us / 1000);
	else
		snprintf(text, size, "%llu us", us);
}

/* Returns where the next field begins. */
static int draw(int op, int y, int *columns)
{
	int first, last, column, slot;
	unsigned int most;
	char text[24];

	most = extent(op, &first, &last, columns);
	if (most == 0)
		return y;
	fprintf(map.file, "<text x=\"%d\" y=\"%d\">%s, at most %u a cell"
		"</text>\n", LEFT, y - 6, name_of_op((unsigned int)op), most);
	for (slot = first; slot <= last; slot++) {
		int at = y + (last - slot) * 3 * CELL;

		duration(slot, text, sizeof(text));
		fprintf(map.file, "<text x=\"%d\" y=\"%d\" "
			"text-anchor=\"end\">%s</text>\n", LEFT - 6,
			at + 3 * CELL - 2, text);
		for (column = 0; column < COLUMNS; column++) {
			unsigned int n = map.cells[op][column][slot];

			if (n > 0)
				fprintf(map.file, "<rect x=\"%d\" y=\"%d\" "
					"fill=\"rgb(255,%d,%d)\"><title>%u"
					"</title></rect>\n",
					LEFT + column * CELL, at,
					shade(n, most), shade(n, most) / 2, n);
		}
	}
	return y + (last - first + 1) * 3 * CELL + GAP;
}

void heatmap_close(void)
{
	int height = TOP + GAP;
	int columns = 1;
	int first, last, op;
	int y = TOP + 24;

	if (map.file == NULL)
		return;
	for (op = 0; op < TSMBD_OPS; op++) {
		if (extent(op, &first, &last, &columns) > 0)
			height += (last - first + 1) * 3 * CELL + GAP;
	}
	fprintf(map.file, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
		"font-size=\"11\">\n<style>rect.bg{fill:#fff} "
		"rect:not(.bg){width:%dpx;height:%dpx}</style>\n"
		"<rect class=\"bg\" width=\"100%%\" height=\"100%%\"/>\n",
		LEFT + COLUMNS * CELL + 20, height, CELL, 3 * CELL);
	fprintf(map.file, "<text x=\"%d\" y=\"20\" font-size=\"14\">"
		"SMB2 requests: latency upwards, %llu s for each of %d columns"
		"</text>\n", LEFT, map.column_ns / 1000000000, columns);
	for (op = 0; op < TSMBD_OPS; op++)
		y = draw(op, y, &columns);
	fputs("</svg>\n", map.file);
	if (fclose(map.file) != 0)
		err(1, "%s", map.path);
	map.file = NULL;
}
