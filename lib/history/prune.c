/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prune.c - removes the oldest seconds, slow spans and minutes.
 *
 * Seconds and slow spans have a part of the space each; the minutes have the
 * rest, of which one can take so much that seven days fit.
 */
#include "history/prune.h"

enum {
	MINUTES = 7 * 24 * 60,		/* that have to fit */
	SLOW_BYTES = 300,		/* about what a slow span takes */
	PAGE = 4096,
};

static bool delete_before(const struct prune *s, const char *table,
			  long long id)
{
	return database_run(s->db, "DELETE FROM \"%w\" WHERE id < %lld", table,
			    id);
}

static const char *slow_table(const struct prune *s)
{
	return s->program->tables->table[s->program->slow].name;
}

/* Removes the seconds of the oldest minute; false if there is no other one. */
static bool drop_seconds(struct prune *s, long long minute)
{
	long long oldest = database_number(
		s->db, "SELECT min(id) FROM second") >> HISTORY_ROW_BITS;
	long long end = history_row_id(oldest + 1);
	long long used = database_number(
		s->db, "SELECT sum(length(rows) + %d) FROM second "
		"WHERE id < %lld", SECOND_OVERHEAD, end);

	if (used <= 0 || oldest >= minute || !delete_before(s, "second", end))
		return false;
	s->used_seconds -= used;
	return true;
}

static bool is_of_minutes(const struct prune *s, size_t t)
{
	return t != s->program->slow &&
	       database_has(s->db, s->program->tables->table[t].name);
}

/* Removes the oldest minutes, one of 512; false if there is no other one. */
static bool drop_minutes(const struct prune *s, long long minute)
{
	long long oldest = database_number(s->db, "SELECT min(id) FROM report");
	long long end = oldest + 1 + (minute - oldest) / 512;
	size_t t;

	if (oldest == 0 || end >= minute || !delete_before(s, "report", end))
		return false;
	for (t = 0; t < s->program->tables->count; t++) {
		if (is_of_minutes(s, t) &&
		    !delete_before(s, s->program->tables->table[t].name,
				   history_row_id(end)))
			return false;
	}
	return true;
}

/* Removes one of 64 slow spans. */
static bool drop_slow(struct prune *s)
{
	long long oldest = database_number(s->db, "SELECT min(id) FROM \"%w\"",
					   slow_table(s));
	long long rows = 1 - oldest +
		database_number(s->db, "SELECT max(id) FROM \"%w\"",
				slow_table(s));

	if (oldest == 0 ||
	    !delete_before(s, slow_table(s), oldest + 1 + rows / 64))
		return false;
	s->used_slow -= s->used_slow * (1 + rows / 64) / rows;
	return true;
}

static long long free_pages(const struct prune *s)
{
	return s->most_pages - database_number(s->db, "PRAGMA page_count") +
		database_number(s->db, "PRAGMA freelist_count");
}

void prune_make_room(struct prune *s, long long minute)
{
	while (s->used_seconds > s->most_seconds && drop_seconds(s, minute))
		;
	while (s->used_slow > s->most_slow && drop_slow(s))
		;
	while (free_pages(s) < s->spare_pages &&
	       (drop_minutes(s, minute) || drop_seconds(s, minute)))
		;
}

void prune_open(struct prune *s, sqlite3 *db,
		const struct report_program *program, unsigned long long size)
{
	long long pages = database_pages(size), bytes = (long long)size;

	*s = (struct prune){ .db = db, .program = program,
		.most_pages = pages };
	s->most_seconds = bytes / 16 * 3;
	s->most_slow = bytes / 16;
	s->spare_pages = pages / 8 < 64 ? pages / 8 : 64;
	bytes = (pages - s->spare_pages - 32) * PAGE - s->most_seconds -
		s->most_slow;
	s->most_minute = bytes < 0 ? 0 : bytes / 100 * 92 / MINUTES;
	s->used_slow = SLOW_BYTES * database_number(
		db, "SELECT count(*) FROM \"%w\"", slow_table(s));
	s->used_seconds = database_number(
		db, "SELECT sum(length(rows) + %d) FROM second",
		SECOND_OVERHEAD);
}

void prune_shrink(struct prune *s, long long minute)
{
	if (database_number(s->db, "PRAGMA page_count") <= s->most_pages ||
	    !database_run(s->db, "BEGIN"))
		return;
	prune_make_room(s, minute);
	database_run(s->db, "COMMIT; PRAGMA incremental_vacuum; "
		     "PRAGMA wal_checkpoint; PRAGMA max_page_count = %lld",
		     s->most_pages);
}
