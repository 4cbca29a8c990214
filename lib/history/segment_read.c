/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * segment_read.c - reads records until the first one that is not whole.
 *
 * tsmbd may append to the file meanwhile, and may have been killed while it
 * did: so what follows the last whole record is not an error of the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/bytes.h"
#include "history/segment.h"

enum {
	MAX_HEADER = HEADER_HOST + HISTORY_HOST + HEADER_CRC,
	/* more than deflate makes of the largest record */
	MAX_PACKED = HISTORY_MAX_RECORD + HISTORY_MAX_RECORD / 64,
};

/* Returns whether all of it could be read: the file may be cut meanwhile. */
static bool read_at(const struct segment_reader *r, unsigned char *bytes,
		    size_t length, unsigned long long at)
{
	ssize_t got;

	while (length > 0) {
		got = pread(r->fd, bytes, length, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		bytes += got;
		at += (unsigned long long)got;
		length -= (size_t)got;
	}
	return true;
}

static int read_header(struct segment_reader *r)
{
	unsigned char h[MAX_HEADER];
	size_t size = r->size < sizeof(h) ? (size_t)r->size : sizeof(h);
	size_t length, host;

	if (!read_at(r, h, size, 0) || size < HEADER_HOST + HEADER_CRC ||
	    memcmp(h, HEADER_MAGIC, HEADER_VERSION) != 0)
		return -EBADMSG;
	if (bytes_get(h + HEADER_VERSION, 2) != HISTORY_VERSION)
		return -EPROTONOSUPPORT;
	length = (size_t)bytes_get(h + HEADER_LENGTH, 4);
	if (length > size || length < HEADER_HOST + HEADER_CRC ||
	    length >= MAX_HEADER)
		return -EBADMSG;
	host = length - HEADER_HOST - HEADER_CRC;
	if (bytes_get(h + length - HEADER_CRC, HEADER_CRC) !=
	    crc32(0, h, (unsigned int)(length - HEADER_CRC)))
		return -EBADMSG;
	r->info.ring = (unsigned int)bytes_get(h + HEADER_RING, 2);
	r->info.run = bytes_get(h + HEADER_RUN, 8);
	r->info.wall_ns = bytes_get(h + HEADER_WALL, 8);
	r->info.mono_ns = bytes_get(h + HEADER_MONO, 8);
	r->info.recorded = (unsigned int)bytes_get(h + HEADER_RECORDED, 4);
	memcpy(r->info.boot, h + HEADER_BOOT, HISTORY_BOOT);
	memcpy(r->info.host, h + HEADER_HOST, host);
	r->info.host[host] = '\0';
	r->at = length;
	return 0;
}

/* Opens a file and reads its header; on failure nothing is open. */
static int open_file(struct segment_reader *r, int directory, const char *name)
{
	struct stat st;
	int ret = 0;

	*r = (struct segment_reader){ .record = NULL };
	r->fd = openat(directory, name,
		       O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (r->fd < 0)
		return -errno;
	if (fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode))
		ret = -EBADMSG;
	else
		r->size = (unsigned long long)st.st_size;
	if (ret == 0)
		ret = read_header(r);
	if (ret != 0)
		close(r->fd);
	return ret;
}

int segment_info(struct segment_info *info, int directory, const char *name)
{
	struct segment_reader r;
	int ret = open_file(&r, directory, name);

	if (ret != 0)
		return ret;
	*info = r.info;
	close(r.fd);
	return 0;
}

int segment_open(struct segment_reader *r, int directory, const char *name)
{
	int ret = open_file(r, directory, name);

	if (ret != 0)
		return ret;
	r->record = malloc(HISTORY_MAX_RECORD);
	r->packed = malloc(RECORD_BYTES + MAX_PACKED);
	if (r->record != NULL && r->packed != NULL &&
	    inflateInit2(&r->stream, -MAX_WBITS) == Z_OK)
		return 0;
	close(r->fd);
	free(r->record);
	free(r->packed);
	*r = (struct segment_reader){ .record = NULL };
	return -ENOMEM;
}

/* Reads the next record; returns the length of its bytes, or 0. */
static size_t check(struct segment_reader *r)
{
	unsigned long long left = r->size - r->at;
	unsigned long long length;

	if (left == 0)
		return 0;
	r->end = SEGMENT_TORN;
	if (left <= RECORD_BYTES ||
	    !read_at(r, r->packed, RECORD_BYTES, r->at))
		return 0;
	length = bytes_get(r->packed, 4);
	if (length > left - RECORD_BYTES || length == 0)
		return 0;
	if (length > MAX_PACKED) {
		r->end = SEGMENT_DAMAGED;
		return 0;
	}
	if (!read_at(r, r->packed + RECORD_BYTES, (size_t)length,
		     r->at + RECORD_BYTES))
		return 0;
	if (record_crc(r->packed, (size_t)length) ==
	    bytes_get(r->packed + 4, 4)) {
		r->end = SEGMENT_COMPLETE;
		return (size_t)length;
	}
	if (length < left - RECORD_BYTES)
		r->end = SEGMENT_DAMAGED;
	return 0;
}

/* Puts the bytes into record; returns whether that worked. */
static bool inflate_bytes(struct segment_reader *r, const unsigned char *bytes,
			  size_t length)
{
	int ret;

	r->stream.next_in = (unsigned char *)bytes;
	r->stream.avail_in = (unsigned int)length;
	ret = inflate(&r->stream, Z_SYNC_FLUSH);
	return (ret == Z_OK || ret == Z_BUF_ERROR) && r->stream.avail_in == 0;
}

bool segment_next(struct segment_reader *r, const unsigned char **bytes,
		  size_t *length)
{
	static const unsigned char flush[FLUSH_BYTES] = { 0, 0, 0xff, 0xff };
	size_t packed = r->end == SEGMENT_COMPLETE ? check(r) : 0;

	if (packed == 0)
		return false;
	r->stream.next_out = r->record;
	r->stream.avail_out = HISTORY_MAX_RECORD;
	if (!inflate_bytes(r, r->packed + RECORD_BYTES, packed) ||
	    !inflate_bytes(r, flush, sizeof(flush)) ||
	    r->stream.avail_out == 0) {
		r->end = SEGMENT_DAMAGED;
		return false;
	}
	r->at += RECORD_BYTES + packed;
	*bytes = r->record;
	*length = HISTORY_MAX_RECORD - r->stream.avail_out;
	return true;
}

void segment_close(struct segment_reader *r)
{
	if (r->record == NULL)
		return;
	inflateEnd(&r->stream);
	close(r->fd);
	free(r->record);
	free(r->packed);
	*r = (struct segment_reader){ .record = NULL };
}
