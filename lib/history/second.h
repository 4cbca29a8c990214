/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a second, packed as in report/pack.h and then by deflate. */
#ifndef HISTORY_SECOND_H
#define HISTORY_SECOND_H

#include "history/database.h"
#include "report/pack.h"

struct second_writer;

struct second_writer *second_writer_new(const struct report_program *program);
void second_writer_free(struct second_writer *w);

/* Returns bytes that are valid until the next call; tables are those in it. */
const void *second_write(struct second_writer *w, const struct report *r,
			 unsigned int tables, size_t *length);

struct second_reader;

struct second_reader *second_reader_new(sqlite3 *db,
					const struct report_program *program);
void second_reader_free(struct second_reader *r);

/*
 * Reads the rows of a second of a run into an empty report; false if that is
 * not possible.
 */
bool second_read(struct second_reader *r, long long run, const void *bytes,
		 size_t length, struct report *report);

#endif /* HISTORY_SECOND_H */
