/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the history: a ring of files of a fixed size in a directory. */
#ifndef TSMBD_WRITE_H
#define TSMBD_WRITE_H

#include "history/codec.h"
#include "history/segment.h"

struct history_writer;

/* About this run; wall_ns and mono_ns are set by the writer. */
struct history_run {
	unsigned int recorded;
	unsigned char boot[HISTORY_BOOT];
	char host[HISTORY_HOST];
};

/*
 * Opens a directory, which is created if there is none, for files of up to
 * size bytes together. Returns NULL after a message if that fails, or if
 * another tsmbd writes to it.
 */
struct history_writer *history_create(const char *path,
				      unsigned long long size,
				      const struct history_run *run);

/* Writes a report of about a second. A full disk is said once. */
void history_write(struct history_writer *w, const struct history_time *time,
		   const struct smbd_report *r);

/* Writes a line of --slow or --errors, unless there are too many. */
void history_write_request(struct history_writer *w,
			   const struct history_time *time,
			   const struct tsmbd_request_event *e,
			   const char *client);

/* Returns whether everything could be written. */
bool history_finish(struct history_writer *w);

#endif /* TSMBD_WRITE_H */
