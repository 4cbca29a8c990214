/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads what a recorder has written: the file of a running process, of one that
 * was killed, or a dump.
 *
 *	struct sdtkit_record_reader *reader;
 *	struct sdtkit_record_item item;
 *
 *	if (sdtkit_record_open(fd, 0, &reader) < 0)
 *		errx(1, "%s", sdtkit_record_error());
 *	while (sdtkit_record_next(reader, &item) > 0)
 *		if (item.event != NULL)
 *			print(item.event);
 *	sdtkit_record_close(reader);
 *
 * Events come in the order of their times, those of a thread always in the
 * order in which they were written. Nothing of the contents is believed: a file
 * that is damaged gives an error, or fewer events.
 *
 * The first reader of a process takes SIGBUS if it has no handler: so a file that
 * somebody truncates is an error. One thread opens, reads and closes a file.
 *
 * Conventions: a function that can fail returns 0, or what its comment says, or
 * -errno with a text in sdtkit_record_error().
 */
#ifndef SDTKIT_RECORD_READ_H
#define SDTKIT_RECORD_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sdtkit/tap.h"

struct sdtkit_record_reader;

enum sdtkit_record_flags {
	/*
	 * Go on with what is written later. Without it, the reader takes a
	 * snapshot when it is opened, and ends.
	 */
	SDTKIT_RECORD_FOLLOW = 1 << 0,
	/*
	 * With FOLLOW: leave out what was written before the open, in a file
	 * that overwrites.
	 */
	SDTKIT_RECORD_FROM_NOW = 1 << 1,
};

/*
 * Opens the file; fd stays the caller's. If the file is one that waits for a
 * reader (discards or blocks), fd has to be writable for FOLLOW, and the events
 * that were returned are freed.
 * Errors: -ENOEXEC (not a recorder's file), -EPROTONOSUPPORT (of another
 * version or machine), -EBADMSG (damaged), -EIO (truncated while it was read),
 * -ENOMEM, those of mmap(2).
 */
int sdtkit_record_open(int fd, unsigned int flags,
		       struct sdtkit_record_reader **reader);
void sdtkit_record_close(struct sdtkit_record_reader *reader);

/* What sdtkit_record_next() returns; valid until the next call. */
struct sdtkit_record_item {
	/* NULL: hits were lost here. */
	const struct sdtkit_tap_event *event;
	/* How many, of the thread pid, tid, before the time. */
	uint64_t lost;
	pid_t pid;
	pid_t tid;
	uint64_t time;
	/* The name of the event's thread, or "". */
	const char *name;
};

/*
 * Returns 1 and sets *item; 0 if there is nothing more, or with FOLLOW nothing
 * now: call it again after some milliseconds. Errors: -ENOMEM, -EIO.
 */
int sdtkit_record_next(struct sdtkit_record_reader *reader,
		       struct sdtkit_record_item *item);

/*
 * Ends the recording for all processes that write to the file, if it is one that
 * waits for its reader. What they wrote before can still be read, at once; what
 * a process writes later, since it does not stop, is not.
 */
void sdtkit_record_end(struct sdtkit_record_reader *reader);

/* Whether the recorder was closed; what it wrote before can still be read. */
bool sdtkit_record_is_closed(const struct sdtkit_record_reader *reader);

/* The file as a whole. */
struct sdtkit_record_info {
	const char *program;
	const char *patterns;
	pid_t pid;
	uid_t uid;
	/* "overwrite", "discard" or "block" */
	const char *mode;
	/* Nanoseconds; the same moment on two clocks. */
	uint64_t start_monotonic;
	uint64_t start_realtime;
	/* A dump: when (0: this is not one), in which process, why. */
	uint64_t dump_time;
	pid_t dump_pid;
	int dump_signal;
	/* Bytes of the whole file, and of a ring. */
	uint64_t size;
	uint32_t ring_size;
	uint32_t ring_count;
	uint32_t rings_used;
	/*
	 * Sums over all rings: events that were written, those of them that
	 * were overwritten before this reader came, hits that were lost.
	 */
	uint64_t events;
	uint64_t overwritten;
	uint64_t lost;
	/* How many of these were hits of threads that got no ring. */
	uint64_t no_ring;
	/* Rings whose contents are damaged from some position on. */
	uint32_t damaged;
	/* Somebody else had closed it before sdtkit_record_end(). */
	bool was_closed;
};

/*
 * As it is now, with FOLLOW, else as it was at the open; the strings are valid
 * until the close.
 */
void sdtkit_record_info(struct sdtkit_record_reader *reader,
			struct sdtkit_record_info *info);

/* A ring: the thread that has it now, or had it last. */
struct sdtkit_record_ring_info {
	pid_t pid;
	pid_t tid;
	const char *name;
	/* 0: a thread; 1, 2: handlers of signals within its hits. */
	unsigned int level;
	uint64_t events;
	uint64_t overwritten;
	uint64_t lost;
};

/* Returns false behind the last ring that was used. */
bool sdtkit_record_ring_info(struct sdtkit_record_reader *reader,
			     uint32_t index,
			     struct sdtkit_record_ring_info *info);

/*
 * The probe with this index, counted from 0, of those that the file describes
 * now; NULL behind the last one. Valid until the close.
 */
const struct sdtkit_tap_probe *
sdtkit_record_probe_at(struct sdtkit_record_reader *reader, size_t index);

/* The text of the last failure in this thread. */
const char *sdtkit_record_error(void);

#endif /* SDTKIT_RECORD_READ_H */
