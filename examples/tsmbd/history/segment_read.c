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

enum { MAX_FILE = 1 << 30 };

static int read_header(struct segment_reader *r)
{
	const unsigned char *h = r->file;
	size_t length, host;

	if (r->size < HEADER_HOST + HEADER_CRC ||
	    memcmp(h, HEADER_MAGIC, HEADER_VERSION) != 0)
		return -EBADMSG;
	if (bytes_get(h + HEADER_VERSION, 2) != HISTORY_VERSION)
		return -EPROTONOSUPPORT;
	length = (size_t)bytes_get(h + HEADER_LENGTH, 4);
	if (length > r->size || length < HEADER_HOST + HEADER_CRC ||
	    length >= HEADER_HOST + HISTORY_HOST + HEADER_CRC)
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

/* Reads up to limit bytes of a file. */
static int load(struct segment_reader *r, int directory, const char *name,
		size_t limit)
{
	struct stat st;
	ssize_t length;
	int ret = 0;
	int fd;

	*r = (struct segment_reader){ .file = NULL };
	fd = openat(directory, name,
		    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > MAX_FILE)
		ret = -EBADMSG;
	if (ret == 0 && (size_t)st.st_size < limit)
		limit = (size_t)st.st_size;
	r->file = ret == 0 ? malloc(limit + 1) : NULL;
	if (ret == 0 && r->file == NULL)
		ret = -ENOMEM;
	while (ret == 0 && r->size < limit) {
		length = read(fd, r->file + r->size, limit - r->size);
		if (length < 0)
			ret = -errno;
		if (length <= 0)
			break;
		r->size += (size_t)length;
	}
	close(fd);
	return ret;
}

int segment_info(struct segment_info *info, int directory, const char *name)
{
	struct segment_reader r;
	int ret = load(&r, directory, name,
		       HEADER_HOST + HISTORY_HOST + HEADER_CRC);

	if (ret == 0)
		ret = read_header(&r);
	if (ret == 0)
		*info = r.info;
	free(r.file);
	return ret;
}

int segment_open(struct segment_reader *r, int directory, const char *name)
{
	int ret = load(r, directory, name, MAX_FILE);

	if (ret == 0)
		ret = read_header(r);
	if (ret == 0)
		r->record = malloc(HISTORY_MAX_RECORD);
	if (ret == 0 && (r->record == NULL ||
			 inflateInit2(&r->stream, -MAX_WBITS) != Z_OK))
		ret = -ENOMEM;
	if (ret == 0)
		return 0;
	free(r->record);
	free(r->file);
	*r = (struct segment_reader){ .file = NULL };
	return ret;
}

/* Returns the length of the next record's bytes, or 0 if it is not whole. */
static size_t check(struct segment_reader *r)
{
	const unsigned char *record = r->file + r->at;
	size_t left = r->size - r->at;
	unsigned long long length;

	if (left == 0)
		return 0;
	r->end = SEGMENT_TORN;
	if (left <= RECORD_BYTES)
		return 0;
	length = bytes_get(record, 4);
	if (length > left - RECORD_BYTES || length == 0)
		return 0;
	if (record_crc(record, (size_t)length) == bytes_get(record + 4, 4)) {
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
	if (!inflate_bytes(r, r->file + r->at + RECORD_BYTES, packed) ||
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
	if (r->file == NULL)
		return;
	inflateEnd(&r->stream);
	free(r->record);
	free(r->file);
	*r = (struct segment_reader){ .file = NULL };
}
