/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the history: minutes for days, and seconds for hours. */
#ifndef HISTORY_WRITE_H
#define HISTORY_WRITE_H

#include "report/program.h"

struct history_writer;

/* About this start of the program. */
struct history_run {
	const char *host;
	const char *boot;		/* an id of it */
	const char *recorded;		/* optional tables it has, and what */
					/* program->asked(), as words */
};

/*
 * Opens a file of up to size bytes, which is created if there is none. Returns
 * NULL after a message if that fails, or if another process writes to it.
 */
struct history_writer *history_create(const char *path,
				      unsigned long long size,
				      const struct report_program *program,
				      const struct history_run *run);

/*
 * Writes a report of about a second, whose end is by a clock that nobody sets;
 * end_ns is the same in nanoseconds since 1970. A full disk is said once.
 */
void history_write(struct history_writer *w, unsigned long long end_ns,
		   const struct report *r);

/* Writes a row of the table program->slow, unless there are too many. */
void history_write_row(struct history_writer *w, unsigned long long end_ns,
		       const void *row);

/* Returns whether everything could be written. */
bool history_finish(struct history_writer *w);

#endif /* HISTORY_WRITE_H */
