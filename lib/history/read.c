/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * read.c - the seconds and the minutes as one sequence.
 *
 *	minutes  | 1         | 2         | 3         |
 *	seconds              |. . . . . .|. .     . .|. . .
 *	ticks     1           . . . . . . 3           . . .
 *
 * The seconds of a minute are used if they cover all of it. They are ordered by
 * their ids, which grow as they are written; the time of day selects them.
 *
 * A statement is reset after each row, so that no lock is held meanwhile.
 */
#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "history/cells.h"
#include "history/read.h"
#include "history/second.h"

enum { MAX_ROWS = 4096, HOST = 65 };	/* of a table of a minute */

enum statement { RUN_OF, NEXT_MINUTE, NEXT_SECOND, MINUTE_OF, SECONDS_OF,
	SECOND_AFTER, STATEMENTS };

static const char *const statements[STATEMENTS] = {
	[RUN_OF] = "SELECT host, recorded, tables FROM run LEFT JOIN layout "
		"ON layout.id = run.layout WHERE run.id = ?1",
	/* those that may have begun in this time, and a minute before */
	[NEXT_MINUTE] = "SELECT min(id) FROM report WHERE id >= ?1 AND "
		"end_ns > ?2 AND end_ns - elapsed_ns - 60000000000 < ?3",
	[NEXT_SECOND] = "SELECT min(id) FROM second WHERE id >= ?1 AND "
		"end_ns > ?2 AND end_ns <= ?3",
	[MINUTE_OF] = "SELECT run, end_ns, up_ns, elapsed_ns FROM report "
		"WHERE id = ?1",
	[SECONDS_OF] = "SELECT count(*), sum(elapsed_ns), max(id) FROM second "
		"WHERE id >= ?1 AND id < ?2",
	[SECOND_AFTER] = "SELECT run, end_ns, up_ns, elapsed_ns, id, rows "
		"FROM second WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT 1",
};

struct history {
	sqlite3 *db;
	bool own;			/* it is closed with this */
	const char *path;
	const struct report_program *program;
	unsigned long long from_ns;
	unsigned long long to_ns;
	unsigned long long seconds_ns;
	struct cells *cells[REPORT_TABLES];
	sqlite3_stmt *statements[STATEMENTS];

	long long minute;		/* the current one */
	bool has_minute;		/* as a whole, in its table */
	bool has_seconds;		/* they are used */
	long long second;		/* id of the last one that was taken */
	long long last_second;		/* and of the last one that there is */

	long long run;			/* whose these are */
	struct report_layout *layout;	/* of its seconds */
	char host[HOST];
	char recorded[REPORT_WHY];
	struct report report;
	long long slow;			/* id of the next row */
	unsigned int bad;		/* rows that are not valid */
	const char *error;
};

/* Takes a step; an error is noted, and is the end. */
static bool step(struct history *h, sqlite3_stmt *s)
{
	int ret = sqlite3_step(s);

	if (ret == SQLITE_ROW)
		return true;
	if (ret == SQLITE_TOOBIG)
		h->bad++;
	else if (ret != SQLITE_DONE)
		h->error = sqlite3_errstr(ret);
	return false;
}

static void bind(sqlite3_stmt *s, long long a, long long b)
{
	sqlite3_reset(s);
	sqlite3_bind_int64(s, 1, a);
	sqlite3_bind_int64(s, 2, b);
}

static unsigned long long number(sqlite3_stmt *s, int column)
{
	return (unsigned long long)sqlite3_column_int64(s, column);
}

/* The smallest id that a statement finds from one on, or -1. */
static long long next_id(struct history *h, sqlite3_stmt *s, long long from)
{
	long long id = -1;

	bind(s, from, (long long)h->from_ns);
	sqlite3_bind_int64(s, 3, (long long)h->to_ns);
	if (step(h, s) && sqlite3_column_type(s, 0) == SQLITE_INTEGER)
		id = sqlite3_column_int64(s, 0);
	sqlite3_reset(s);
	return id;
}

/* Whether the seconds of the minute are used: if they cover it. */
static void choose(struct history *h)
{
	sqlite3_stmt *minute = h->statements[MINUTE_OF];
	sqlite3_stmt *seconds = h->statements[SECONDS_OF];
	unsigned long long elapsed = 0, end = ~0ULL;
	long long first = history_row_id(h->minute);

	bind(minute, h->minute, 0);
	h->has_minute = step(h, minute);
	if (h->has_minute) {
		end = number(minute, 1);
		elapsed = number(minute, 3);
	}
	sqlite3_reset(minute);
	h->has_seconds = false;
	if (end <= h->seconds_ns)
		return;
	bind(seconds, first, history_row_id(h->minute + 1));
	if (step(h, seconds) && number(seconds, 0) > 0) {
		h->has_seconds = !h->has_minute ||
			number(seconds, 1) >= elapsed;
		h->last_second = sqlite3_column_int64(seconds, 2);
	}
	h->second = first - 1;
	sqlite3_reset(seconds);
}

/* Goes to the next minute that has anything; false at the end. */
static bool advance(struct history *h)
{
	long long from = h->minute + 1, minute, second;

	if (from > HISTORY_MOST_MINUTES)
		return false;
	minute = next_id(h, h->statements[NEXT_MINUTE], from);
	second = next_id(h, h->statements[NEXT_SECOND], history_row_id(from));
	second = second < 0 ? -1 : second >> HISTORY_ROW_BITS;
	if (minute < 0 || (second >= 0 && second < minute))
		minute = second;
	if (minute > HISTORY_MOST_MINUTES)
		h->bad++;
	if (minute < from || minute > HISTORY_MOST_MINUTES || h->error != NULL)
		return false;
	h->minute = minute;
	choose(h);
	return true;
}

static void copy_text(char *to, size_t size, sqlite3_stmt *s, int column)
{
	const char *text = (const char *)sqlite3_column_text(s, column);

	sqlite3_snprintf((int)size, to, "%s", text == NULL ? "" : text);
}

static void find_run(struct history *h, long long run)
{
	sqlite3_stmt *s = h->statements[RUN_OF];
	const char *tables;

	if (h->run == run)
		return;
	h->run = run;
	h->host[0] = h->recorded[0] = '\0';
	report_layout_free(h->layout);
	h->layout = NULL;
	bind(s, run, 0);
	if (step(h, s)) {
		copy_text(h->host, sizeof(h->host), s, 0);
		copy_text(h->recorded, sizeof(h->recorded), s, 1);
		tables = (const char *)sqlite3_column_text(s, 2);
		h->layout = report_layout_read(h->program->tables,
					       tables == NULL ? "" : tables);
	}
	sqlite3_reset(s);
}

/* Whether a row of run, end_ns, up_ns and elapsed_ns is of this time. */
static bool is_wanted(struct history *h, sqlite3_stmt *s,
		      struct history_tick *tick)
{
	unsigned long long end = number(s, 1);

	if (end <= h->from_ns || end > h->to_ns || number(s, 3) > end)
		return false;
	report_clear(&h->report);
	find_run(h, sqlite3_column_int64(s, 0));
	*tick = (struct history_tick){
		.report = &h->report, .id = h->minute, .run = h->run,
		.host = h->host, .recorded = h->recorded,
		.up_ns = number(s, 2),
	};
	return true;
}

static void set_times(struct history *h, unsigned long long end_ns,
		      unsigned long long elapsed_ns)
{
	h->report.end_ns = end_ns;
	h->report.elapsed_ns = elapsed_ns;
	sqlite3_snprintf(sizeof(h->report.hosts), h->report.hosts, "%s",
			 h->host);
}

/* Whether a table has names, which the seconds do not have. */
static bool has_names(const struct report_table *table)
{
	return table->within != NULL;
}

/* Reads the rows of a table of the minute. */
static void read_rows(struct history *h, size_t t)
{
	const struct report_table *table = report_table(&h->report, t);
	sqlite3_stmt *s = cells_statement(h->cells[t]);
	void *row = memory_zeros(1, table->row_size);

	bind(s, history_row_id(h->minute), history_row_id(h->minute + 1));
	while (h->report.rows[t].count < MAX_ROWS && step(h, s)) {
		memset(row, 0, table->row_size);
		if (cells_read(h->cells[t], row))
			report_add_row(&h->report, t, row);
		else
			h->bad++;
	}
	sqlite3_reset(s);
	free(row);
}

static void read_tables(struct history *h, bool names,
			struct history_tick *tick)
{
	size_t t;

	for (t = 0; t < h->program->tables->count; t++) {
		const struct report_table *table = report_table(&h->report, t);

		if (h->cells[t] == NULL || t == h->program->slow ||
		    (names && !has_names(table)))
			continue;
		read_rows(h, t);
		tick->tables |= 1U << t;
	}
}

static bool read_second(struct history *h, struct history_tick *tick)
{
	sqlite3_stmt *s = h->statements[SECOND_AFTER];
	unsigned long long end = number(s, 1), elapsed = number(s, 3);
	size_t t;

	if (!is_wanted(h, s, tick))
		return false;
	if (h->layout == NULL ||
	    !second_unpack(h->layout, sqlite3_column_blob(s, 5),
			   (size_t)sqlite3_column_bytes(s, 5), &h->report)) {
		h->bad++;
		return false;
	}
	set_times(h, end, elapsed);
	for (t = 0; t < h->program->tables->count; t++) {
		if (!has_names(report_table(&h->report, t)))
			tick->tables |= 1U << t;
	}
	return true;
}

/* The next second of the minute; the last one gets its names. */
static bool take_second(struct history *h, struct history_tick *tick)
{
	sqlite3_stmt *s = h->statements[SECOND_AFTER];
	bool found = false;

	bind(s, h->second, history_row_id(h->minute + 1));
	h->has_seconds = step(h, s);
	if (h->has_seconds) {
		h->second = sqlite3_column_int64(s, 4);
		found = read_second(h, tick);
	}
	sqlite3_reset(s);
	if (found && h->has_minute && h->second == h->last_second)
		read_tables(h, true, tick);
	return found;
}

static bool take_minute(struct history *h, struct history_tick *tick)
{
	sqlite3_stmt *s = h->statements[MINUTE_OF];
	bool found = false;

	h->has_minute = false;
	bind(s, h->minute, 0);
	if (step(h, s) && is_wanted(h, s, tick)) {
		set_times(h, number(s, 1), number(s, 3));
		tick->minute = true;
		found = true;
	}
	sqlite3_reset(s);
	if (found)
		read_tables(h, false, tick);
	return found;
}

bool history_next(struct history *h, struct history_tick *tick)
{
	while (h->error == NULL) {
		if (h->has_seconds) {
			if (take_second(h, tick))
				return true;
			if (!h->has_seconds)
				h->has_minute = false;
		} else if (h->has_minute) {
			if (take_minute(h, tick))
				return true;
		} else if (!advance(h)) {
			return false;
		}
	}
	return false;
}

/* Reads the row of the current slow span, which is to be taken. */
static bool read_slow(struct history *h, unsigned long long end_ns, void *row)
{
	const struct cells *cells = h->cells[h->program->slow];

	memset(row, 0, report_table(&h->report, h->program->slow)->row_size);
	if (!cells_read(cells, row)) {
		h->bad++;
		return false;
	}
	memcpy(row, &end_ns, sizeof(end_ns));
	return true;
}

bool history_next_row(struct history *h, unsigned long long before_ns,
		      void *row)
{
	struct cells *cells = h->cells[h->program->slow];
	sqlite3_stmt *s = cells == NULL ? NULL : cells_statement(cells);
	unsigned long long end_ns;
	bool found = false;

	while (s != NULL && !found) {
		bind(s, h->slow, INT64_MAX);
		if (!step(h, s))
			break;
		end_ns = number(s, 3);
		if (end_ns > before_ns && end_ns <= h->to_ns)
			break;
		h->slow = sqlite3_column_int64(s, 0) + 1;
		found = end_ns > h->from_ns && end_ns <= h->to_ns &&
			read_slow(h, end_ns, row);
	}
	if (s != NULL)
		sqlite3_reset(s);
	return found;
}

/* Returns false if the tables have not the columns that they should have. */
static bool prepare(struct history *h)
{
	const struct report_tables *tables = h->program->tables;
	bool good = true;
	size_t t, i;

	for (i = 0; i < STATEMENTS; i++) {
		h->statements[i] = database_prepare(h->db, "%s", statements[i]);
		good &= h->statements[i] != NULL;
	}
	for (t = 0; t < tables->count; t++)
		h->cells[t] = cells_open(h->db, &tables->table[t],
					 t == h->program->slow);
	return good;
}

static struct history *open_on(sqlite3 *db, bool own,
			       const struct report_program *program)
{
	struct history *h = memory_zeros(1, sizeof(*h));

	h->db = db;
	h->own = own;
	h->program = program;
	h->report.tables = program->tables;
	h->minute = h->run = -1;
	h->to_ns = INT64_MAX;
	if (!prepare(h))
		h->error = "it has other columns";
	return h;
}

struct history *history_open_minutes(struct sqlite3 *db,
				     const struct report_program *program,
				     long long minute)
{
	struct history *h = open_on(db, false, program);

	h->minute = minute - 1;
	return h;
}

struct history *history_open_coarse(const char *path,
				    const struct report_program *program,
				    unsigned long long from_ns,
				    unsigned long long seconds_ns,
				    unsigned long long to_ns)
{
	sqlite3 *db = database_open(path, program);
	struct history *h;

	if (db == NULL)
		return NULL;
	h = open_on(db, true, program);
	h->path = path;
	h->from_ns = from_ns < INT64_MAX ? from_ns : INT64_MAX;
	h->to_ns = to_ns < INT64_MAX ? to_ns : INT64_MAX;
	h->seconds_ns = seconds_ns;
	if (h->cells[program->slow] != NULL)
		h->slow = database_number(db, "SELECT min(id) FROM \"%w\" "
					  "WHERE end_ns > %llu",
					  program->tables->table[program->slow].
					  name, h->from_ns);
	return h;
}

struct history *history_open(const char *path,
			     const struct report_program *program,
			     unsigned long long from_ns,
			     unsigned long long to_ns)
{
	return history_open_coarse(path, program, from_ns, from_ns, to_ns);
}

bool history_has_word(const char *recorded, const char *word)
{
	const char *at = recorded;
	size_t length = strlen(word);

	while ((at = strstr(at, word)) != NULL) {
		if ((at == recorded || at[-1] == ' ') &&
		    (at[length] == ' ' || at[length] == '\0'))
			return true;
		at += length;
	}
	return false;
}

bool history_recorded(const struct history *h, const char *word)
{
	return database_number(h->db, "SELECT count(*) FROM run WHERE "
			       "' ' || recorded || ' ' LIKE '%% %q %%'",
			       word) > 0;
}

bool history_damage(const struct history *h)
{
	if (h->bad > 0)
		warnx("history: %s: %u row(s) are damaged and were left out",
		      h->path, h->bad);
	if (h->error != NULL)
		warnx("history: %s: cannot read further: %s", h->path,
		      h->error);
	return h->bad == 0 && h->error == NULL;
}

void history_close(struct history *h)
{
	size_t i;

	for (i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(h->statements[i]);
	for (i = 0; i < REPORT_TABLES; i++)
		cells_close(h->cells[i]);
	report_layout_free(h->layout);
	report_clear(&h->report);
	if (h->own)
		sqlite3_close(h->db);
	free(h);
}
