/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads what counting recorders have counted: of a running process, of one that
 * was killed, or of a dump.
 *
 *	struct sdtkit_count_reader *reader;
 *	const struct sdtkit_count_counts *counts;
 *
 *	if (sdtkit_count_open_process(pid, "smb2:*", &reader) < 0)
 *		errx(1, "%s", sdtkit_record_error());
 *	while (sdtkit_count_read(reader, &counts) == 0)
 *		show(counts);
 *	sdtkit_count_close(reader);
 *
 * Numbers are those since the recorder was opened, of all processes that write
 * to its file: who wants those of a second reads twice, and subtracts. They
 * never become less. Nothing of the contents is believed: a file that is damaged
 * gives an error, or wrong numbers within the bounds of the arrays.
 *
 * One thread opens, reads and closes a reader: see ../record/read.h, whose
 * conventions these functions have.
 */
#ifndef SDTKIT_COUNT_READ_H
#define SDTKIT_COUNT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../slots/slots.h"
#include "file.h"

struct sdtkit_count_reader;
struct sdtkit_record_file;

/* What is counted. Strings are valid until the close. */
struct sdtkit_count_span {
	const char *provider;
	const char *name;
	const char *doc;
	/* In the order of enum span_property of lib/spans; "": not given. */
	const char *properties[SDTKIT_COUNT_PROPERTIES];
	/* SDTKIT_COUNT_BY_THREAD and so on. */
	unsigned int flags;
	size_t name_count;
	size_t sum_count;
	/* What the names and sums of its rows are called: "opcode". */
	const char *names[SDTKIT_COUNT_NAMES];
	const char *sums[SDTKIT_COUNT_SUMS];
};

/* As struct sdtkit_count_stats, of all threads. */
struct sdtkit_count_total {
	uint64_t started;
	uint64_t ended;
	uint64_t restarted;
	uint64_t unmatched;
	uint64_t lost;
	uint64_t deep;
	uint64_t left;
	uint64_t unread;
};

/* All that ended of one span, with one name: as struct span_row of top. */
struct sdtkit_count_sums {
	/* The index of the span. */
	unsigned int span;
	/* Names for which threads had no room; then there is none. */
	bool is_other;
	/* The numbers; those of texts mean nothing to others. */
	uint64_t name[SDTKIT_COUNT_NAMES];
	/* The texts; NULL: it is a number. */
	const char *text[SDTKIT_COUNT_NAMES];
	uint64_t count;
	uint64_t errors;
	/* Nanoseconds. */
	uint64_t total;
	uint64_t running;
	uint64_t self;
	uint64_t least;
	uint64_t most;
	uint64_t sum[SDTKIT_COUNT_SUMS];
	/* Of SDTKIT_COUNT_SLOT nanoseconds: slots_least() and so on. */
	unsigned long long slots[SLOTS_FINE];
};

/* Valid until the next read of this reader, or its close. */
struct sdtkit_count_counts {
	/* Both have an element for each span. */
	size_t span_count;
	const struct sdtkit_count_span *spans;
	const struct sdtkit_count_total *totals;
	/* Sorted by span, is_other and name. */
	size_t row_count;
	const struct sdtkit_count_sums *rows;
	/* Hits of any span that were lost, since there was no set for them. */
	uint64_t lost;
	/* Threads have, or had, so many sets, of so many bytes together. */
	uint32_t set_count;
	uint64_t set_bytes;
};

/*
 * Opens a file, for reading; fd stays the caller's. Errors: as
 * sdtkit_record_open(); -ENOEXEC for a file with events.
 */
int sdtkit_count_open(int fd, struct sdtkit_count_reader **reader);

/*
 * The same for the file that a recorder of this process has mapped, which the
 * close leaves mapped.
 */
int sdtkit_count_open_mapped(struct sdtkit_record_file *file, size_t size,
			     struct sdtkit_count_reader **reader);

/*
 * Asks a running process, through the socket of its recorder. If it counts
 * already (sdtkit_recorder_count(), SDTKIT_RECORDER_COUNT), that is what is
 * read, whatever the patterns say; else it begins to count the spans that the
 * patterns select, in itself and its children, until the reader is closed.
 * Errors: -ENOENT (it has no recorder that listens, or no such span), -EACCES,
 * -EPERM, -ESRCH, -EBUSY, -EPROTONOSUPPORT (its recorder cannot count).
 */
int sdtkit_count_open_process(pid_t pid, const char *patterns,
			      struct sdtkit_count_reader **reader);

/* Adds all threads up. Errors: -ENOMEM, -EIO (somebody truncates the file). */
int sdtkit_count_read(struct sdtkit_count_reader *reader,
		      const struct sdtkit_count_counts **counts);

/*
 * A text of names by its hash; NULL: no read has found it. Valid until the
 * close.
 */
const char *sdtkit_count_text(const struct sdtkit_count_reader *reader,
			      uint64_t hash);

/*
 * Whether this is the process that opened the recorder, so that the numbers are
 * those of it and of its children; else it is a child, and they are not only
 * its own.
 */
bool sdtkit_count_is_opener(const struct sdtkit_count_reader *reader);

/* Whether the recorder was closed, and nothing more is counted. */
bool sdtkit_count_is_closed(const struct sdtkit_count_reader *reader);

/* The process that opened the recorder, and when: CLOCK_MONOTONIC, ns. */
pid_t sdtkit_count_pid(const struct sdtkit_count_reader *reader);
uint64_t sdtkit_count_began(const struct sdtkit_count_reader *reader);

void sdtkit_count_close(struct sdtkit_count_reader *reader);

#endif /* SDTKIT_COUNT_READ_H */
