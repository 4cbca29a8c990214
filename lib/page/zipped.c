/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * zipped.c - the page as a stream of deflate (RFC 1951).
 *
 *	| head of the page | data | end of the page |
 *
 * Each part begins anew: it refers to nothing before it. So the data can be
 * sent alone, with the head and the end of a file of gzip (RFC 1952).
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/memory.h"
#include "zipped.h"

enum { ROOM = 1 << 16 };

/* An empty last block: the parts end with blocks that are not the last ones. */
static const unsigned char last_block[] = { 3, 0 };
static const unsigned char gzip_head[] = { 31, 139, 8, 0, 0, 0, 0, 0, 0, 255 };

struct part {
	size_t begin, end;		/* of the bytes */
	size_t length;			/* of what they are made from */
	unsigned long crc;		/* likewise */
};

struct zipped {
	unsigned int references;
	unsigned char *bytes;
	size_t size, capacity;
	struct part parts[ZIPPED_PARTS];
	bool in_data;
	FILE *file;			/* until zipped_end(), as the stream */
	z_stream stream;
};

struct zipped *zipped_new(void)
{
	struct zipped *z = memory_zeros(1, sizeof(*z));

	z->references = 1;
	return z;
}

static void deflate_all(struct zipped *z, int flush)
{
	do {
		if (z->size == z->capacity) {
			z->capacity += ROOM;
			z->bytes = memory_of(realloc(z->bytes, z->capacity));
		}
		z->stream.next_out = z->bytes + z->size;
		z->stream.avail_out = (unsigned int)(z->capacity - z->size);
		deflate(&z->stream, flush);
		z->size = z->capacity - z->stream.avail_out;
	} while (z->stream.avail_out == 0);
}

static void count(struct part *part, const char *text, size_t size)
{
	part->length += size;
	part->crc = crc32(part->crc, (const void *)text, (unsigned int)size);
}

static ssize_t take(void *context, const char *text, size_t size)
{
	struct zipped *z = context;

	count(&z->parts[ZIPPED_PAGE], text, size);
	if (z->in_data)
		count(&z->parts[ZIPPED_DATA], text, size);
	z->stream.next_in = (unsigned char *)(size_t)text;
	z->stream.avail_in = (unsigned int)size;
	deflate_all(z, Z_NO_FLUSH);
	return (ssize_t)size;
}

FILE *zipped_begin(struct zipped *z)
{
	/* the least memory and time: windows of 15 bits, without a head */
	if (deflateInit2(&z->stream, Z_BEST_SPEED, Z_DEFLATED, -15, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		errx(1, "no memory");
	z->file = fopencookie(z, "w", (cookie_io_functions_t){
		.write = take });
	if (z->file == NULL)
		err(1, NULL);
	return z->file;
}

void zipped_mark(void *context)
{
	struct zipped *z = context;
	struct part *data = &z->parts[ZIPPED_DATA];

	fflush(z->file);
	deflate_all(z, Z_FULL_FLUSH);
	z->in_data = !z->in_data;
	if (z->in_data)
		data->begin = z->size;
	else
		data->end = z->size;
}

void zipped_end(struct zipped *z)
{
	unsigned char *fitting;

	fclose(z->file);
	deflate_all(z, Z_FULL_FLUSH);
	deflateEnd(&z->stream);
	z->parts[ZIPPED_PAGE].end = z->size;
	fitting = realloc(z->bytes, z->size);
	if (fitting != NULL)
		z->bytes = fitting;
}

struct zipped *zipped_take(struct zipped *z)
{
	__atomic_add_fetch(&z->references, 1, __ATOMIC_RELAXED);
	return z;
}

void zipped_release(struct zipped *z)
{
	if (z == NULL ||
	    __atomic_sub_fetch(&z->references, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	free(z->bytes);
	free(z);
}

/* What is sent: pieces, one after the other. */
enum { PIECES = 4 };

struct reader {
	struct zipped *zipped;
	struct {
		const void *bytes;
		size_t size;
	} pieces[PIECES];
	int piece;
	size_t at;			/* in the piece */
	unsigned char end[8];
	z_stream stream;		/* if it is not sent as gzip */
	bool gzip;
};

static void put_32(unsigned char *to, unsigned long value)
{
	int i;

	for (i = 0; i < 4; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

static ssize_t read_gzip(void *context, char *to, size_t room)
{
	struct reader *r = context;
	size_t size;

	while (r->piece < PIECES && r->at == r->pieces[r->piece].size) {
		r->piece++;
		r->at = 0;
	}
	if (r->piece == PIECES)
		return -1;
	size = r->pieces[r->piece].size - r->at;
	if (size > room)
		size = room;
	memcpy(to, (const char *)r->pieces[r->piece].bytes + r->at, size);
	r->at += size;
	return (ssize_t)size;
}

static ssize_t read_text(void *context, char *to, size_t room)
{
	struct reader *r = context;

	r->stream.next_out = (void *)to;
	r->stream.avail_out = (unsigned int)room;
	inflate(&r->stream, Z_SYNC_FLUSH);
	return r->stream.avail_out == room ? -1 :
		(ssize_t)(room - r->stream.avail_out);
}

static void release(void *context)
{
	struct reader *r = context;

	if (!r->gzip)
		inflateEnd(&r->stream);
	zipped_release(r->zipped);
	free(r);
}

static void set_pieces(struct reader *r, const struct part *part)
{
	put_32(r->end, part->crc);
	put_32(r->end + 4, part->length);
	r->pieces[0].bytes = gzip_head;
	r->pieces[0].size = sizeof(gzip_head);
	r->pieces[1].bytes = r->zipped->bytes + part->begin;
	r->pieces[1].size = part->end - part->begin;
	r->pieces[2].bytes = last_block;
	r->pieces[2].size = sizeof(last_block);
	r->pieces[3].bytes = r->end;
	r->pieces[3].size = sizeof(r->end);
}

void zipped_reply(struct zipped *z, enum zipped_part number, bool gzip,
		  struct http_reply *reply)
{
	const struct part *part = &z->parts[number];
	struct reader *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return;
	r->gzip = gzip;
	r->stream.next_in = z->bytes + part->begin;
	r->stream.avail_in = (unsigned int)(part->end - part->begin);
	if (!gzip && inflateInit2(&r->stream, -15) != Z_OK) {
		free(r);
		return;
	}
	r->zipped = zipped_take(z);
	set_pieces(r, part);
	reply->size = gzip ? part->end - part->begin + sizeof(gzip_head) +
		sizeof(last_block) + sizeof(r->end) : part->length;
	reply->encoding = gzip ? "gzip" : NULL;
	reply->read = gzip ? read_gzip : read_text;
	reply->release = release;
	reply->context = r;
}
