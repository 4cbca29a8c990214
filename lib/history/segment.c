/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * segment.c - names and headers of files; and appends records.
 *
 *	"tsmbdhis" version ring length ... CRC | length CRC bytes | ...
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history/bytes.h"
#include "history/segment.h"

static const char *const rings[HISTORY_RINGS] = {
	[RING_SECONDS] = "seconds",
	[RING_MINUTES] = "minutes",
	[RING_SLOW] = "slow",
};

void segment_name(char name[NAME_MAX], unsigned int ring,
		  unsigned long long number)
{
	snprintf(name, NAME_MAX, "%s-%010llu", rings[ring], number);
}

bool segment_parse_name(const char *name, unsigned int *ring,
			unsigned long long *number)
{
	char again[NAME_MAX];
	const char *dash = strchr(name, '-');
	unsigned int i;

	if (dash == NULL)
		return false;
	*number = strtoull(dash + 1, NULL, 10);
	for (i = 0; i < HISTORY_RINGS; i++) {
		segment_name(again, i, *number);
		if (strcmp(again, name) != 0)
			continue;
		*ring = i;
		return true;
	}
	return false;
}

/* Fills in a header; returns its length. */
static unsigned int make_header(unsigned char *header,
				const struct segment_info *info)
{
	unsigned int host = (unsigned int)strlen(info->host);
	unsigned int length = HEADER_HOST + host + HEADER_CRC;

	memcpy(header, HEADER_MAGIC, HEADER_VERSION);
	bytes_put(header + HEADER_VERSION, HISTORY_VERSION, 2);
	bytes_put(header + HEADER_RING, info->ring, 2);
	bytes_put(header + HEADER_LENGTH, length, 4);
	bytes_put(header + HEADER_RUN, info->run, 8);
	bytes_put(header + HEADER_WALL, info->wall_ns, 8);
	bytes_put(header + HEADER_MONO, info->mono_ns, 8);
	bytes_put(header + HEADER_RECORDED, info->recorded, 4);
	memcpy(header + HEADER_BOOT, info->boot, HISTORY_BOOT);
	memcpy(header + HEADER_HOST, info->host, host);
	bytes_put(header + HEADER_HOST + host,
		  crc32(0, header, HEADER_HOST + host), HEADER_CRC);
	return length;
}

/* Writes all or, as seen from the next reader, nothing. */
static int append(struct segment_writer *w, const void *bytes, size_t length)
{
	ssize_t written = pwrite(w->fd, bytes, length, (off_t)w->size);
	int ret = written < 0 ? -errno : -ENOSPC;

	if (written == (ssize_t)length) {
		w->size += length;
		return 0;
	}
	/* if this fails as well, the CRC tells that it is not complete */
	if (ftruncate(w->fd, (off_t)w->size) != 0)
		return ret;
	return ret;
}

int segment_create(struct segment_writer *w, int directory, const char *name,
		   const struct segment_info *info)
{
	unsigned char header[HEADER_HOST + HISTORY_HOST + HEADER_CRC];
	int ret;

	*w = (struct segment_writer){ .fd = -1 };
	w->fd = openat(directory, name,
		       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		       0640);
	if (w->fd < 0)
		return -errno;
	ret = append(w, header, make_header(header, info));
	if (ret == 0 && deflateInit2(&w->stream, Z_DEFAULT_COMPRESSION,
				     Z_DEFLATED, -MAX_WBITS, 8,
				     Z_DEFAULT_STRATEGY) != Z_OK)
		ret = -ENOMEM;
	if (ret == 0)
		return 0;
	close(w->fd);
	w->fd = -1;
	unlinkat(directory, name, 0);
	return ret;
}

static void reserve(struct segment_writer *w, size_t capacity)
{
	if (capacity <= w->capacity)
		return;
	w->buffer = realloc(w->buffer, capacity);
	if (w->buffer == NULL)
		err(1, NULL);
	w->capacity = capacity;
}

int segment_append(struct segment_writer *w, const unsigned char *bytes,
		   size_t length)
{
	size_t bound = deflateBound(&w->stream, length) + 64;
	size_t packed;

	if (w->fd < 0)
		return -EBADF;
	reserve(w, RECORD_BYTES + bound);
	w->stream.next_in = (unsigned char *)bytes;
	w->stream.avail_in = (unsigned int)length;
	w->stream.next_out = w->buffer + RECORD_BYTES;
	w->stream.avail_out = (unsigned int)bound;
	deflate(&w->stream, Z_SYNC_FLUSH);
	packed = bound - w->stream.avail_out - FLUSH_BYTES;
	bytes_put(w->buffer, packed, 4);
	bytes_put(w->buffer + 4, record_crc(w->buffer, packed), 4);
	return append(w, w->buffer, RECORD_BYTES + packed);
}

void segment_finish(struct segment_writer *w)
{
	if (w->fd < 0)
		return;
	deflateEnd(&w->stream);
	fdatasync(w->fd);
	close(w->fd);
	free(w->buffer);
	*w = (struct segment_writer){ .fd = -1 };
}
