/* SPDX-License-Identifier: BSD-2-Clause */
/* The records of one ring of files, from the oldest on. */
#ifndef TSMBD_STREAM_H
#define TSMBD_STREAM_H

#include "history/codec.h"
#include "history/segment.h"

struct segment_entry {
	unsigned int ring;
	unsigned long long number;
	unsigned long long size;
};

/*
 * Lists the files of a directory by ring and number; returns how many there
 * are, or -errno. The caller frees the list.
 */
int segments_list(int directory, struct segment_entry **list);

/* What was found wrong with files. */
struct stream_damage {
	unsigned int torn;		/* the last record is not complete */
	unsigned int damaged;		/* a part cannot be read */
	unsigned int newer;		/* of a version that is not known */
};

struct stream {
	int directory;
	struct segment_entry *entries;
	int count;
	int next;			/* the entry to be opened */
	bool open;
	struct segment_reader reader;
	struct stream_damage damage;
	/* the record that is next, if there is one */
	bool has;
	unsigned int type;
	struct history_time time;
	const unsigned char *bytes;
	size_t length;
};

/*
 * Begins with the first record, or with the last file that was created before
 * this time: 0 for all. Returns 0 or -errno.
 */
int stream_open(struct stream *s, int directory, unsigned int ring,
		unsigned long long from_ns);

/* Goes to the next record; has is false if there is none. */
void stream_step(struct stream *s);

void stream_close(struct stream *s);

#endif /* TSMBD_STREAM_H */
