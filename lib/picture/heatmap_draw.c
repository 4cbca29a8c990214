/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heatmap_draw.c - a field for each thing that occurred.
 *
 *	SMB2_OP_WRITE: 10000 requests
 *	32.8 ms |               #		time to the right
 *	        |				latency upwards, by powers of 2
 *	   1 ms |      #     #			number as colour
 *	 256 us | ####################
 *	        +---------------------
 *	        14:03:20      14:03:30
 *
 * The colours go by the logarithm of the number, the same in all fields: one
 * request among ten thousand is seen, and has a colour of its own.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "heatmap.h"
#include "picture.h"

enum {
	LEFT = 76, RIGHT = 34, TOP = 88, GAP = 54, ROW = 14, MAP = 960,
	WIDEST = 24, SHADES = 8,
};

static const unsigned long long DAY_NS = 86400ULL * 1000000000;

/* From few to many; on a dark background bright colours stand for many. */
static const char style[] =
".field{fill:#f3f3f1}\n"
".s0{fill:#f2c14e}.s1{fill:#f0a13a}.s2{fill:#e97f33}.s3{fill:#dc5c36}"
".s4{fill:#c33d45}.s5{fill:#9c2858}.s6{fill:#6d1a62}.s7{fill:#3b0f5c}\n"
"@media (prefers-color-scheme:dark){.field{fill:#22252b}"
".s0{fill:#6f4a8e}.s1{fill:#95448f}.s2{fill:#b84484}.s3{fill:#d54f6c}"
".s4{fill:#ea6a50}.s5{fill:#f58d3f}.s6{fill:#fbb64b}.s7{fill:#fff0a0}}\n";

struct drawing {
	struct picture picture;
	const struct heatmap *map;
	unsigned int most;	/* the greatest number in a cell */
	int cell;		/* the width of one, in pixels */
};

struct extent {
	int first;		/* slots in use */
	int last;
	unsigned int most;
	unsigned long long sum;
};

static struct extent extent_of(const struct heatmap *map,
			       const struct heatmap_field *field)
{
	struct extent e = { .first = HEATMAP_SLOTS, .last = -1 };
	int column, slot;

	for (column = 0; column < map->columns; column++) {
		for (slot = 0; slot < map->slots; slot++) {
			unsigned int n = field->cells[column][slot];

			if (n == 0)
				continue;
			e.sum += n;
			e.most = n > e.most ? n : e.most;
			e.first = slot < e.first ? slot : e.first;
			e.last = slot > e.last ? slot : e.last;
		}
	}
	return e;
}

static double power(double base, int exponent)
{
	double result = 1;

	while (exponent-- > 0)
		result *= base;
	return result;
}

/*
 * Returns the least number of a shade. The first shade stands for 1 alone; each
 * other one begins at the same multiple of the one before, so that the last one
 * ends at the greatest number.
 */
static unsigned int least_of(int shade, unsigned int most)
{
	double low = 1, high = (double)most + 1;
	double from = 2;
	int i;

	if (shade == 0)
		return 1;
	/* the root is found by bisection, without libm */
	for (i = 0; i < 64; i++) {
		double factor = (low + high) / 2;

		if (power(factor, SHADES - 1) * 2 < (double)most + 1)
			low = factor;
		else
			high = factor;
	}
	for (i = 1; i < shade; i++)
		from = from * low > i + 2 ? from * low : i + 2;
	return (unsigned int)from;
}

static int shade_of(unsigned int n, unsigned int most)
{
	int shade = SHADES - 1;

	while (shade > 0 && n < least_of(shade, most))
		shade--;
	return shade;
}

/* "64 ns", "256 us", "1.02 ms", "16.8 s": three digits, or a whole number. */
static void format_duration(unsigned long long ns, char *text, size_t size)
{
	static const struct {
		unsigned long long ns;
		const char *name;
	} units[] = {
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" },
		{ 1, "ns" },
	};
	size_t i = 0;
	double value;
	int digits;

	if (ns == 0) {
		snprintf(text, size, "0 us");
		return;
	}
	while (i + 1 < sizeof(units) / sizeof(units[0]) && ns < units[i].ns)
		i++;
	value = (double)ns / (double)units[i].ns;
	digits = ns % units[i].ns == 0 || value >= 99.95 ? 0 :
		value >= 9.995 ? 1 : 2;
	snprintf(text, size, "%.*f %s", digits, value, units[i].name);
}

static unsigned long long slot_begin(const struct heatmap *map, int slot)
{
	return slot == 0 ? 0 : (1ULL << slot) * map->unit_ns;
}

/* "up to 16.8 s", or "or more" for the last slot, which has no end. */
static void format_end(const struct heatmap *map, int slot, const char *before,
		       char *text, size_t size)
{
	int at = snprintf(text, size, "%s ", before);

	if (slot < map->slots - 1)
		format_duration(slot_begin(map, slot + 1), text + at,
				size - (size_t)at);
	else
		snprintf(text, size, "or more");
}

/* Includes the day if the map covers more than one. */
static void format_clock(const struct heatmap *map, unsigned long long ns,
			 char *text, size_t size)
{
	time_t at = map->started.tv_sec +
		(time_t)((ns + (unsigned long long)map->started.tv_nsec) /
			 1000000000);
	struct tm tm;

	localtime_r(&at, &tm);
	strftime(text, size, map->column_ns > DAY_NS / HEATMAP_COLUMNS ?
		 "%m-%d %H:%M" : "%H:%M:%S", &tm);
}

static void draw_legend(struct drawing *d)
{
	FILE *file = d->picture.file;
	int x = LEFT;
	int i;

	fprintf(file, "<text class=\"faint\" x=\"10\" y=\"63\">%ss"
		"</text>\n", d->map->noun);
	for (i = 0; i < SHADES; i++) {
		unsigned int from = least_of(i, d->most);
		unsigned int next = i + 1 < SHADES ?
			least_of(i + 1, d->most) : d->most + 1;
		int written;

		if (from > d->most)
			break;
		fprintf(file, "<path class=\"s%d\" d=\"M%d 52h14v14h-14z\"/>"
			"<text x=\"%d\" y=\"63\">", i, x, x + 19);
		if (next > from + 1)
			written = fprintf(file, "%u to %u", from, next - 1);
		else
			written = fprintf(file, "%u", from);
		fputs("</text>\n", file);
		x += 40 + 6 * written;
	}
}

/* Draws a line and a label at every second power of two. */
static void draw_latencies(struct drawing *d, const struct extent *e, int y)
{
	int width = d->map->columns * d->cell;
	FILE *file = d->picture.file;
	char text[24];
	int slot;

	for (slot = e->first; slot <= e->last + 1; slot++) {
		int at = y + (e->last + 1 - slot) * ROW;

		if (slot % 2 != 0 && slot != e->first && slot != e->last + 1)
			continue;
		if (slot % 2 == 0)
			fprintf(file, "<path class=\"line\" d=\"M%d %dh%d\"/>"
				"\n", LEFT - 4, at, width + 4);
		else if (e->last > e->first)
			continue;
		if (slot < d->map->slots)
			format_duration(slot_begin(d->map, slot), text,
					sizeof(text));
		else
			snprintf(text, sizeof(text), "more");
		fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s"
			"</text>\n", LEFT - 8, at + 4, text);
	}
}

/* Returns the distance of the time labels: round, and at least 100 pixels. */
static unsigned long long step_of(const struct drawing *d)
{
	static const unsigned int steps[] = { 1, 2, 5, 10, 30, 60, 120, 300,
		600, 1800, 3600, 7200, 21600, 43200, 86400 };
	size_t i;

	for (i = 0; i + 1 < sizeof(steps) / sizeof(steps[0]); i++) {
		if ((unsigned long long)steps[i] * 1000000000 *
		    (unsigned int)d->cell / d->map->column_ns >= 100)
			break;
	}
	return steps[i];
}

static void draw_times(struct drawing *d, int top, int bottom)
{
	unsigned long long step = step_of(d) * 1000000000;
	const struct heatmap *map = d->map;
	unsigned long long end = (unsigned long long)map->columns *
		map->column_ns;
	FILE *file = d->picture.file;
	unsigned long long at;
	struct tm tm;
	char text[16];

	/* the first round time after the start, in local time */
	localtime_r(&map->started.tv_sec, &tm);
	at = step - ((unsigned long long)(map->started.tv_sec + tm.tm_gmtoff) *
		     1000000000 +
		     (unsigned long long)map->started.tv_nsec) % step;
	for (; at <= end; at += step) {
		double x = LEFT + (double)at / (double)map->column_ns *
			d->cell;

		format_clock(map, at, text, sizeof(text));
		fprintf(file, "<path class=\"line\" d=\"M%.1f %dV%d\"/>"
			"<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s"
			"</text>\n", x, top, bottom + 4, x, bottom + 16,
			text);
	}
}

static void draw_cells(struct drawing *d, const struct extent *e,
		       const struct heatmap_field *field, int y)
{
	FILE *file = d->picture.file;
	char from[24], to[24], when[16];
	int column, slot;

	for (column = 0; column < d->map->columns; column++) {
		format_clock(d->map, (unsigned long long)column *
			     d->map->column_ns, when, sizeof(when));
		for (slot = e->first; slot <= e->last; slot++) {
			unsigned int n = field->cells[column][slot];

			if (n == 0)
				continue;
			format_duration(slot_begin(d->map, slot), from,
					sizeof(from));
			format_end(d->map, slot, "to", to, sizeof(to));
			fprintf(file, "<path class=\"s%d\" d=\"M%d %dh%dv%d"
				"h-%dz\"><title>%u: %s %s, %s</title>"
				"</path>\n", shade_of(n, d->most),
				LEFT + column * d->cell,
				y + (e->last - slot) * ROW, d->cell, ROW,
				d->cell, n, from, to, when);
		}
	}
}

static int height_of(const struct extent *e)
{
	return (e->last - e->first + 1) * ROW;
}

/* Draws a field; returns where the next one begins. */
static int draw_field(struct drawing *d, const struct heatmap_field *field,
		      int y)
{
	const struct heatmap *map = d->map;
	struct extent e = extent_of(map, field);
	FILE *file = d->picture.file;
	char least[24], text[48];

	if (e.sum == 0)
		return y;
	format_duration(slot_begin(map, e.last), least, sizeof(least));
	if (e.last == map->slots - 1)
		snprintf(text, sizeof(text), "some of %s or more", least);
	else
		format_end(map, e.last, "all below", text, sizeof(text));
	fprintf(file, "<text x=\"%d\" y=\"%d\" font-size=\"13\">", LEFT,
		y - 8);
	picture_text(&d->picture, field->name);
	fprintf(file, "<tspan class=\"faint\" font-size=\"12\" dx=\"16\">"
		"%llu %s%s, %s</tspan></text>\n", e.sum, map->noun,
		e.sum == 1 ? "" : "s", text);
	fprintf(file, "<rect class=\"field\" x=\"%d\" y=\"%d\" width=\"%d\" "
		"height=\"%d\"/>\n", LEFT, y, map->columns * d->cell,
		height_of(&e));
	draw_latencies(d, &e, y);
	draw_times(d, y, y + height_of(&e));
	draw_cells(d, &e, field, y);
	return y + height_of(&e) + GAP;
}

static void draw_head(struct drawing *d)
{
	double seconds = (double)d->map->column_ns / 1e9;

	fprintf(d->picture.file, "<text class=\"faint\" x=\"10\" y=\"42\">"
		"A row is a latency, up to twice that; a column is %g s; the "
		"colour is the number of %ss.</text>\n", seconds,
		d->map->noun);
	draw_legend(d);
}

bool heatmap_draw(const struct heatmap *map, const char *path)
{
	struct drawing d = { .map = map, .cell = WIDEST };
	int y = TOP + 24;
	int height = y;
	size_t i;

	while (d.cell > MAP / HEATMAP_COLUMNS && map->columns * d.cell > MAP)
		d.cell--;
	for (i = 0; i < map->num_fields; i++) {
		struct extent e = extent_of(map, map->fields[i]);

		d.most = e.most > d.most ? e.most : d.most;
		if (e.sum > 0)
			height += height_of(&e) + GAP;
	}
	if (!picture_begin(&d.picture, path, LEFT + MAP + RIGHT, height,
			   style, map->title, map->description))
		return false;
	if (d.most > 0)
		draw_head(&d);
	else
		fprintf(d.picture.file, "<text x=\"10\" y=\"63\">There were no "
			"%ss.</text>\n", map->noun);
	for (i = 0; i < map->num_fields; i++)
		y = draw_field(&d, map->fields[i], y);
	return picture_end(&d.picture);
}
