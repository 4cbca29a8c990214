/* SPDX-License-Identifier: BSD-2-Clause */
/* Where what is in a file of the history; numbers are little-endian. */
#ifndef TSMBD_BYTES_H
#define TSMBD_BYTES_H

#include <stddef.h>

#include <zlib.h>

#define HEADER_MAGIC	"tsmbdhis"

enum {
	HEADER_VERSION = 8,
	HEADER_RING = 10,
	HEADER_LENGTH = 12,
	HEADER_RUN = 16,
	HEADER_WALL = 24,
	HEADER_MONO = 32,
	HEADER_RECORDED = 40,
	HEADER_BOOT = 44,
	HEADER_HOST = 60,		/* up to the CRC */
	HEADER_CRC = 4,			/* bytes */
	RECORD_BYTES = 8,		/* length and CRC of a record */
	FLUSH_BYTES = 4,		/* always 00 00 ff ff: not written */
};

static inline void bytes_put(unsigned char *at, unsigned long long value,
			     int count)
{
	for (; count > 0; count--, value >>= 8)
		*at++ = (unsigned char)value;
}

static inline unsigned long long bytes_get(const unsigned char *at, int count)
{
	unsigned long long value = 0;

	while (count-- > 0)
		value = value << 8 | at[count];
	return value;
}

/* The CRC of a record is one of its length and its bytes. */
static inline unsigned long long record_crc(const unsigned char *record,
					    size_t length)
{
	return crc32(crc32(0, record, 4), record + RECORD_BYTES,
		     (unsigned int)length);
}

#endif /* TSMBD_BYTES_H */
