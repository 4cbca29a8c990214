/* SPDX-License-Identifier: BSD-2-Clause */
/* second.c - compresses the rows of a second, and the opposite. */
#include <err.h>
#include <stdlib.h>

#include <zlib.h>

#include "base/memory.h"
#include "history/second.h"

enum { LEVEL = 4, MOST_BYTES = 4 << 20 };

void second_pack(const struct report_layout *layout, const struct report *r,
		 unsigned int tables, struct report_bytes *packed)
{
	struct report_bytes rows = { NULL, 0, 0 };
	uLongf length;

	report_pack(layout, r, tables, &rows);
	length = compressBound(rows.length);
	if (length > packed->capacity) {
		packed->capacity = length;
		packed->bytes = memory_of(realloc(packed->bytes, length));
	}
	if (compress2(packed->bytes, &length, rows.bytes, rows.length,
		      LEVEL) != Z_OK)
		err(1, NULL);
	packed->length = length;
	free(rows.bytes);
}

bool second_unpack(const struct report_layout *layout, const void *bytes,
		   size_t length, struct report *r)
{
	unsigned char *rows = memory_of(malloc(MOST_BYTES));
	uLongf most = MOST_BYTES;
	bool good;

	good = bytes != NULL &&
		uncompress(rows, &most, bytes, length) == Z_OK &&
		report_unpack(layout, rows, most, r);
	free(rows);
	return good;
}
