/* SPDX-License-Identifier: BSD-2-Clause */
/* A ring of files: the oldest one is removed before the space is used up. */
#ifndef TSMBD_RING_H
#define TSMBD_RING_H

#include "history/stream.h"

struct ring {
	int directory;
	unsigned int ring;
	unsigned long long limit;	/* bytes of all files */
	unsigned long long part;	/* and of one */
	struct segment_entry *entries;	/* the last one is being written */
	int count;
	unsigned long long next;	/* number of the next file */
	unsigned long long header;	/* size of that of the current one */
	struct segment_writer writer;
};

/* entries are those of all rings in the directory. */
void ring_open(struct ring *r, int directory, unsigned int ring,
	       unsigned long long limit, const struct segment_entry *entries,
	       int count);

/*
 * Appends a record; a new file is created by this information. Returns 0 or
 * -errno; after a failure the next record begins a new file.
 */
int ring_append(struct ring *r, const struct segment_info *info,
		const struct pack *record);

/* Ends the current file; the next record begins a new one. */
void ring_end_file(struct ring *r);

void ring_close(struct ring *r);

#endif /* TSMBD_RING_H */
