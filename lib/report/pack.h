/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reports as bytes, which take a fraction of the space of their rows. A layout
 * says which fields the rows have, as text:
 *
 *	commands name:t count:n total_us:n slots:s
 *
 * t is a text, n a number, s slots. A layout of another version is read as well:
 * its fields that are not known here are skipped, and those that it does not
 * have are 0.
 */
#ifndef REPORT_PACK_H
#define REPORT_PACK_H

#include "report.h"

struct report_bytes {
	unsigned char *bytes;
	size_t length;
	size_t capacity;
};

struct report_layout;

/* The layout of tables as they are here. */
struct report_layout *report_layout_new(const struct report_tables *tables);

/* Reads the text of a layout, which may come from anywhere. */
struct report_layout *report_layout_read(const struct report_tables *tables,
					 const char *text);

/* Appends the text of the layout of tables, and a zero. */
void report_layout_text(const struct report_tables *tables,
			struct report_bytes *text);

void report_layout_free(struct report_layout *layout);

/* Appends a report; tables is a bit for each table that is in it. */
void report_pack(const struct report_layout *layout, const struct report *r,
		 unsigned int tables, struct report_bytes *to);

/*
 * Reads a report into an empty one. The bytes may come from anywhere: returns
 * false if they are not a report; then r has a part of it.
 */
bool report_unpack(const struct report_layout *layout,
		   const unsigned char *bytes, size_t length,
		   struct report *r);

/*
 * Slots: how many eighths of a power of two each of them has, how many are not
 * 0, and for each of those the gap before, and itself. Each number has 7 bits in
 * a byte, the lowest first; the highest bit of each byte but the last is set.
 */
void report_pack_slots(const struct report_column *column, const void *row,
		       struct report_bytes *to);

/* Adds them to those of a row, which may be of another width. */
bool report_unpack_slots(const struct report_column *column, void *row,
			 const unsigned char *bytes, size_t length);

#endif /* REPORT_PACK_H */
