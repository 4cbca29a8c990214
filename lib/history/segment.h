/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file of the history: a header, and records that are only appended.
 * docs/history.md describes it byte by byte.
 *
 * The records of a file are one stream of deflate, in which each record ends at
 * a byte. So the names that the records repeat take little space, and a file
 * can be read up to its last complete record at any time.
 */
#ifndef TSMBD_SEGMENT_H
#define TSMBD_SEGMENT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include <zlib.h>

/* Each kind of file has a part of the space, and its own names. */
enum history_ring { RING_SECONDS, RING_MINUTES, RING_SLOW, HISTORY_RINGS };

/* What is recorded. */
enum {
	HISTORY_NAMES = 1,
	HISTORY_WAITS = 2,
	HISTORY_CALLS = 4,
	HISTORY_SIZES = 8,
	HISTORY_SLOW = 16,
	HISTORY_FAILED = 32,
};

enum {
	HISTORY_VERSION = 1,
	HISTORY_HOST = 65,		/* with its end */
	HISTORY_BOOT = 16,
	HISTORY_MAX_RECORD = 1 << 20,	/* bytes before they are compressed */
};

/* What the header tells. */
struct segment_info {
	unsigned int ring;
	unsigned long long run;		/* of tsmbd: 1 for the first one */
	unsigned long long wall_ns;	/* when the file was created */
	unsigned long long mono_ns;
	unsigned int recorded;
	unsigned char boot[HISTORY_BOOT];
	char host[HISTORY_HOST];
};

/* "minutes-0000000042"; returns false if it is not the name of a segment. */
void segment_name(char name[NAME_MAX], unsigned int ring,
		  unsigned long long number);
bool segment_parse_name(const char *name, unsigned int *ring,
			unsigned long long *number);

struct segment_writer {
	int fd;				/* -1 if there is none */
	unsigned long long size;
	z_stream stream;
	unsigned char *buffer;
	size_t capacity;
};

/* Creates a file in a directory; returns 0 or -errno. */
int segment_create(struct segment_writer *w, int directory, const char *name,
		   const struct segment_info *info);

/*
 * Appends a record; returns 0 or -errno. After a failure the file ends with the
 * record before, and no other one can be appended.
 */
int segment_append(struct segment_writer *w, const unsigned char *bytes,
		   size_t length);

void segment_finish(struct segment_writer *w);

enum segment_end {
	SEGMENT_COMPLETE,
	SEGMENT_TORN,			/* the last record is not complete */
	SEGMENT_DAMAGED,		/* there is something after a bad one */
};

struct segment_reader {
	int fd;
	unsigned long long size;	/* when it was opened */
	unsigned long long at;
	unsigned char *packed;		/* the record as it is in the file */
	struct segment_info info;
	enum segment_end end;		/* once there is no further record */
	z_stream stream;
	unsigned char *record;		/* NULL: nothing is open */
};

/* Returns 0, -errno, or -EBADMSG if it does not begin as a segment. */
int segment_open(struct segment_reader *r, int directory, const char *name);

/* Reads its header only. */
int segment_info(struct segment_info *info, int directory, const char *name);

/* The next record, valid until the next call; false at the end. */
bool segment_next(struct segment_reader *r, const unsigned char **bytes,
		  size_t *length);

void segment_close(struct segment_reader *r);

#endif /* TSMBD_SEGMENT_H */
