/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps a history below its limit: its oldest rows are removed. */
#ifndef HISTORY_PRUNE_H
#define HISTORY_PRUNE_H

#include "history/database.h"

enum { SECOND_OVERHEAD = 48 };		/* bytes of a row of second */

struct prune {
	sqlite3 *db;
	const struct report_program *program;
	long long most_pages;		/* of the file; */
	long long spare_pages;		/* of these, that a minute may need */
	/* bytes: what may be used, and is */
	long long most_seconds, most_slow, most_minute;
	long long used_seconds, used_slow;
};

/* Shares the bytes of a file, whose tables are there. */
void prune_open(struct prune *s, sqlite3 *db,
		const struct report_program *program, unsigned long long size);

/* Removes rows, so that there is room for this minute; in a transaction. */
void prune_make_room(struct prune *s, long long minute);

/* Makes the file smaller if it was larger before. */
void prune_shrink(struct prune *s, long long minute);

#endif /* HISTORY_PRUNE_H */
