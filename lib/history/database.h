/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file of a history: a database of SQLite.
 *
 *	report	a minute: id, run, begin, end, ...
 *	second	a second of it, packed: id, run, ..., rows
 *	run	a start of the program: id, program, host, boot, ...
 *	layout	of packed rows, see report/pack.h: id, tables
 *
 * and one for each table of the reports, see cells.h. The ids of a report are
 * those of its minute: id << HISTORY_ROW_BITS, and the row or the second.
 */
#ifndef HISTORY_DATABASE_H
#define HISTORY_DATABASE_H

#include <stdbool.h>

#include <sqlite3.h>

#include "report/program.h"

enum {
	HISTORY_APPLICATION = 0x73646b68,	/* "sdkh" */
	HISTORY_VERSION = 1,
	HISTORY_ROW_BITS = 16,
};

/* More than these do not come from this program. */
#define HISTORY_MOST_MINUTES	(1LL << 40)

/* The first id of the rows of a minute. */
static inline long long history_row_id(long long minute)
{
	return minute << HISTORY_ROW_BITS;
}

/*
 * Opens a file for writing, and creates it if there is none: up to size bytes.
 * Only one process can do that at a time. Returns a database, and the
 * descriptor that locks it; or NULL after a message.
 */
sqlite3 *database_create(const char *path, unsigned long long size,
			 const struct report_program *program, int *lock);

/* How many pages a file of so many bytes may have. */
long long database_pages(unsigned long long size);

/* Opens it for reading; returns NULL after a message. */
sqlite3 *database_open(const char *path, const struct report_program *program);

/*
 * Returns a statement, or NULL if that fails. Formats are those of SQLite: %Q
 * is a text in quotes, and %w a name within double quotes.
 */
sqlite3_stmt *database_prepare(sqlite3 *db, const char *format, ...);

/* Runs statements that have no result; false on failure. */
bool database_run(sqlite3 *db, const char *format, ...);

/* The first number of the result of a statement; 0 if there is none. */
long long database_number(sqlite3 *db, const char *format, ...);

/* What went wrong: "No space left on device". */
const char *database_error(sqlite3 *db);

/* Whether a table is there, and no view or virtual table. */
bool database_has(sqlite3 *db, const char *table);

#endif /* HISTORY_DATABASE_H */
