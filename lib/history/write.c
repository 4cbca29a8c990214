/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * write.c - each report goes to the table of seconds, and their sum to those of
 * minutes, which reach back much further.
 *
 *	second	|.|.|.|.|.|.|	packed, no names
 *	report	|     .     |	with the busiest names, a row for each
 *	slow	 spans of the table program->slow, so many a second
 *
 * What is committed is in the log of SQLite, which the kernel has even if the
 * program is killed. The sum of a minute is lost then, and made again at the
 * next start. Once a minute the log is synchronised, and goes to the file.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory.h"
#include "history/cells.h"
#include "history/minute.h"
#include "history/read.h"
#include "history/second.h"
#include "history/prune.h"
#include "history/write.h"

static const unsigned long long MINUTE_NS = 60000000000ULL;
static const unsigned long long SECOND_NS = 1000000000ULL;

enum {
	ROWS = 200,			/* of slow spans at once, */
	ROWS_PER_SECOND = 5,		/* and in the long run */
	ENOUGH = 128 << 10,		/* bytes of a disk that was full */
	MOST_ROWS = 1 << HISTORY_ROW_BITS,	/* of a table */
};

struct history_writer {
	const char *path;
	const struct report_program *program;
	sqlite3 *db;
	int lock;
	long long run;
	struct cells *cells[REPORT_TABLES];
	sqlite3_stmt *add_second, *add_report;
	struct report_layout *layout;
	struct report_bytes second;
	unsigned int packed;		/* tables of the seconds */

	long long minute;		/* id of the current one */
	long long seconds;		/* of it so far */
	struct report *sum;		/* of it so far */
	unsigned long long sum_minute;	/* since 1970 */
	unsigned long long sum_end_ns;	/* likewise */
	unsigned long long sum_begin_ns;	/* of the other clock */

	struct prune prune;
	long long slow;			/* id of the last row */

	double credit;			/* rows that may be written */
	unsigned long long credit_time;
	unsigned long long left_out;	/* rows, since the last second */
	bool failing;
	bool failed;
};

/* Says when it begins and when it ends. */
static void note(struct history_writer *w, bool good)
{
	if (!good && !w->failing)
		warnx("history: cannot write to %s: %s; it goes on when that "
		      "is possible", w->path, database_error(w->db));
	if (good && w->failing)
		warnx("history: writes to %s again", w->path);
	w->failing = !good;
	w->failed |= !good;
}

/* A full disk may take a little now and then, which is not worth a word. */
static bool is_full(const struct history_writer *w)
{
	struct statvfs st;

	return w->failing && statvfs(w->path, &st) == 0 &&
	       (unsigned long long)st.f_bavail * st.f_frsize < ENOUGH;
}

static bool run_and_reset(sqlite3_stmt *s)
{
	int ret = sqlite3_step(s);

	/* on an error the same code comes again */
	return sqlite3_reset(s) == SQLITE_OK && ret == SQLITE_DONE;
}

static bool write_rows(struct history_writer *w, size_t t)
{
	sqlite3_stmt *s;
	size_t i;

	if (w->cells[t] == NULL || t == w->program->slow)
		return true;
	s = cells_statement(w->cells[t]);
	for (i = 0; i < w->sum->rows[t].count && i < MOST_ROWS; i++) {
		sqlite3_bind_int64(s, 1, history_row_id(w->minute) +
				   (long long)i);
		sqlite3_bind_int64(s, 2, w->minute);
		cells_bind(w->cells[t], report_row(w->sum, t, i));
		if (!run_and_reset(s))
			return false;
	}
	return true;
}

static bool write_report(struct history_writer *w, long long run)
{
	sqlite3_stmt *s = w->add_report;
	unsigned long long up = w->sum->end_ns;
	unsigned long long span = up > w->sum_begin_ns ?
		up - w->sum_begin_ns : 0;

	sqlite3_bind_int64(s, 1, w->minute);
	sqlite3_bind_int64(s, 2, run);
	sqlite3_bind_double(s, 3, (double)(w->sum_end_ns - span) / 1e9);
	sqlite3_bind_double(s, 4, (double)w->sum_end_ns / 1e9);
	sqlite3_bind_int64(s, 5, (long long)w->sum_end_ns);
	sqlite3_bind_int64(s, 6, (long long)up);
	sqlite3_bind_int64(s, 7, (long long)w->sum->elapsed_ns);
	return run_and_reset(s);
}

static bool write_all(struct history_writer *w, long long run)
{
	size_t t;
	bool good = database_run(w->db, "BEGIN");

	if (good)
		prune_make_room(&w->prune, w->minute);
	good = good && write_report(w, run);
	for (t = 0; good && t < w->program->tables->count; t++)
		good = write_rows(w, t);
	good = good && database_run(w->db, "COMMIT");
	note(w, good);
	if (!good)
		sqlite3_exec(w->db, "ROLLBACK", NULL, NULL, NULL);
	return good;
}

/* Ends the current minute, also if it cannot be written. */
static void write_minute(struct history_writer *w, long long run)
{
	if (w->sum->elapsed_ns == 0)
		return;
	minute_fit(w->sum, (size_t)w->prune.most_minute);
	if (!is_full(w))
		write_all(w, run);
	/* not more than a minute is lost if the power fails */
	sqlite3_wal_checkpoint_v2(w->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL,
				  NULL);
	report_clear(w->sum);
	w->minute++;
	w->seconds = 0;
}

static void add_to_minute(struct history_writer *w, unsigned long long end_ns,
			  const struct report *r)
{
	if (w->sum->elapsed_ns == 0)
		w->sum_begin_ns = r->end_ns - r->elapsed_ns;
	minute_add(w->sum, r);
	w->sum_end_ns = end_ns;
}

static void write_second(struct history_writer *w, unsigned long long end_ns,
			 const struct report *r)
{
	sqlite3_stmt *s = w->add_second;
	bool good;

	if (is_full(w))
		return;
	second_pack(w->layout, r, w->packed, &w->second);
	sqlite3_bind_int64(s, 1, history_row_id(w->minute) + w->seconds++);
	sqlite3_bind_int64(s, 2, w->run);
	sqlite3_bind_int64(s, 3, (long long)end_ns);
	sqlite3_bind_int64(s, 4, (long long)r->end_ns);
	sqlite3_bind_int64(s, 5, (long long)r->elapsed_ns);
	sqlite3_bind_blob(s, 6, w->second.bytes, (int)w->second.length,
			  SQLITE_STATIC);
	good = run_and_reset(s);
	if (good)
		w->prune.used_seconds += (long long)w->second.length +
			SECOND_OVERHEAD;
	note(w, good);
}

void history_write(struct history_writer *w, unsigned long long end_ns,
		   const struct report *r)
{
	unsigned long long minute;
	struct report *copy;

	if (w->left_out > 0 && w->program->add_lost != NULL) {
		copy = report_new(r->tables);
		report_copy(copy, r);
		w->program->add_lost(copy, w->left_out);
		w->left_out = 0;
		history_write(w, end_ns, copy);
		report_free(copy);
		return;
	}
	/* by its middle, as its end may be late */
	minute = (end_ns - r->elapsed_ns / 2) / MINUTE_NS;
	if (minute != w->sum_minute)
		write_minute(w, w->run);
	w->sum_minute = minute;
	write_second(w, end_ns, r);
	add_to_minute(w, end_ns, r);
}

static bool has_credit(struct history_writer *w, unsigned long long end_ns)
{
	unsigned long long since = end_ns > w->credit_time ?
		end_ns - w->credit_time : 0;

	w->credit += (double)since / (double)SECOND_NS * ROWS_PER_SECOND;
	w->credit = w->credit > ROWS ? ROWS : w->credit;
	w->credit_time += since;
	if (w->credit < 1)
		return false;
	w->credit--;
	return true;
}

void history_write_row(struct history_writer *w, unsigned long long end_ns,
		       const void *row)
{
	struct cells *cells = w->cells[w->program->slow];
	sqlite3_stmt *s = cells_statement(cells);
	unsigned long long up_ns;
	bool good;

	memcpy(&up_ns, row, sizeof(up_ns));
	if (is_full(w) || !has_credit(w, up_ns)) {
		w->left_out++;
		return;
	}
	sqlite3_bind_int64(s, 1, ++w->slow);
	sqlite3_bind_int64(s, 2, w->run);
	sqlite3_bind_double(s, 3, (double)end_ns / 1e9);
	sqlite3_bind_int64(s, 4, (long long)end_ns);
	cells_bind(cells, row);
	good = run_and_reset(s);
	if (good)
		w->prune.used_slow += (long long)cells_size(
			&w->program->tables->table[w->program->slow], row);
	note(w, good);
}

/* Adds up the seconds that are in no minute, because the program was killed. */
static void recover(struct history_writer *w)
{
	long long last = database_number(w->db, "SELECT max(id) FROM report");
	struct history *h = history_open_minutes(w->db, w->program, last + 1);
	struct report *one = report_new(w->program->tables);
	struct history_tick tick;
	long long run = 0;

	while (history_next(h, &tick)) {
		if (w->sum->elapsed_ns > 0 && tick.id != w->minute)
			write_minute(w, run);
		w->minute = tick.id;
		run = tick.run;
		report_copy(one, tick.report);
		one->end_ns = tick.up_ns;
		add_to_minute(w, tick.report->end_ns, one);
	}
	write_minute(w, run);
	history_close(h);
	report_free(one);
	last = database_number(w->db, "SELECT max(id) FROM report");
	w->minute = 1 + database_number(w->db, "SELECT max(id) FROM second") /
		history_row_id(1);
	w->minute = w->minute > last ? w->minute : last + 1;
}

static bool create_tables(struct history_writer *w)
{
	const struct report_tables *tables = w->program->tables;
	size_t t;

	for (t = 0; t < tables->count; t++) {
		const struct report_table *table = &tables->table[t];

		if (!minute_has(table) && t != w->program->slow)
			continue;
		w->cells[t] = cells_create(w->db, table,
					   t == w->program->slow);
		if (w->cells[t] == NULL)
			return false;
		if (t != w->program->slow && !minute_alone_has(table))
			w->packed |= 1U << t;
	}
	w->add_second = database_prepare(
		w->db, "INSERT INTO second (id, run, end_ns, up_ns, "
		"elapsed_ns, rows) VALUES (?, ?, ?, ?, ?, ?)");
	w->add_report = database_prepare(
		w->db, "INSERT INTO report (id, run, \"begin\", \"end\", "
		"end_ns, up_ns, elapsed_ns) VALUES (?, ?, ?, ?, ?, ?, ?)");
	return w->add_second != NULL && w->add_report != NULL;
}

/* Adds this start, and removes those of which nothing is left. */
static bool add_run(struct history_writer *w, const struct history_run *run)
{
	const struct report_program *program = w->program;
	struct report_bytes layout = { NULL, 0, 0 };
	bool good;

	report_layout_text(program->tables, &layout);
	good = database_run(
		w->db, "DELETE FROM run WHERE id NOT IN (SELECT run FROM "
		"report UNION SELECT run FROM second UNION "
		"SELECT run FROM \"%w\")",
		program->tables->table[program->slow].name) &&
		database_run(w->db, "INSERT OR IGNORE INTO layout (tables) "
			     "VALUES (%Q)", layout.bytes) &&
		database_run(w->db, "INSERT INTO run (program, version, host, "
			     "boot, recorded, layout) SELECT %Q, %Q, %Q, %Q, "
			     "%Q, id FROM layout WHERE tables = %Q",
			     program->name, program->version, run->host,
			     run->boot, run->recorded, layout.bytes);
	w->run = sqlite3_last_insert_rowid(w->db);
	free(layout.bytes);
	return good;
}

static void release(struct history_writer *w)
{
	size_t t;

	for (t = 0; t < REPORT_TABLES; t++)
		cells_close(w->cells[t]);
	sqlite3_finalize(w->add_second);
	sqlite3_finalize(w->add_report);
	sqlite3_close(w->db);
	report_layout_free(w->layout);
	free(w->second.bytes);
	report_free(w->sum);
	close(w->lock);
	free(w);
}

struct history_writer *history_create(const char *path,
				      unsigned long long size,
				      const struct report_program *program,
				      const struct history_run *run)
{
	struct history_writer *w = memory_zeros(1, sizeof(*w));

	w->path = path;
	w->program = program;
	w->credit = ROWS;
	w->db = database_create(path, size, program, &w->lock);
	if (w->db == NULL) {
		free(w);
		return NULL;
	}
	w->layout = report_layout_new(program->tables);
	w->sum = report_new(program->tables);
	if (!database_run(w->db, "BEGIN") || !create_tables(w) ||
	    !add_run(w, run) || !database_run(w->db, "COMMIT")) {
		warnx("history: cannot write to %s: %s", path,
		      database_error(w->db));
		release(w);
		return NULL;
	}
	w->slow = database_number(w->db, "SELECT max(id) FROM \"%w\"",
				  program->tables->table[program->slow].name);
	prune_open(&w->prune, w->db, program, size);
	recover(w);
	prune_shrink(&w->prune, w->minute);
	return w;
}

bool history_finish(struct history_writer *w)
{
	bool good;

	write_minute(w, w->run);
	good = !w->failed;
	release(w);
	return good;
}
