/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table of SQL for a table of reports: a column for each of its keys and
 * numbers, called as in JSON.
 *
 *	CREATE TABLE "commands" (id INTEGER PRIMARY KEY, report INTEGER,
 *		"name" TEXT, "count" INTEGER, "total_us" INTEGER,
 *		"p99_us" INTEGER, "slots" BLOB)
 *
 * Times are microseconds, rounded as in JSON; those of slow spans, which are
 * not added up, have a fraction. What is computed from others is there for who
 * reads it without this program.
 */
#ifndef HISTORY_CELLS_H
#define HISTORY_CELLS_H

#include "history/database.h"

struct cells;

/*
 * Opens the table for writing: creates it, or adds the columns that it does not
 * have. slow: its rows are slow spans. Returns NULL on failure.
 */
struct cells *cells_create(sqlite3 *db, const struct report_table *table,
			   bool slow);

/* Opens it for reading. Returns NULL if the database has no such table. */
struct cells *cells_open(sqlite3 *db, const struct report_table *table,
			 bool slow);

void cells_close(struct cells *cells);

/*
 * Returns the statement. The one of cells_create() writes a row: parameter 1 is
 * the id, and the next ones are the lead, which is the report, or run, end and
 * end_ns of a slow span. The one of cells_open() reads the rows from the id of
 * parameter 1 to below that of parameter 2, by id: column 0 is the id, and the
 * lead follows.
 */
sqlite3_stmt *cells_statement(const struct cells *cells);

/* Binds a row that is to be written. */
void cells_bind(struct cells *cells, const void *row);

/* About how many bytes a row takes. */
size_t cells_size(const struct report_table *table, const void *row);

/* Reads the current one into a row of zeros; false if it is not valid. */
bool cells_read(const struct cells *cells, void *row);

#endif /* HISTORY_CELLS_H */
