/* SPDX-License-Identifier: BSD-2-Clause */
/* file.c - see file.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "file.h"

static void add_lost(struct report *r, unsigned long long spans)
{
	struct cache_server *s = report_row(r, CACHE_SERVER, 0);

	s->hits += spans;
}

const struct report_program cache_program = {
	.name = "cached",
	.version = "1.2",
	.tables = &cache_tables,
	.slow = CACHE_SLOW,
	.add_lost = add_lost,
};

/* These files need not survive a loss of power: a disk may take its time. */
int fsync(int fd)
{
	(void)fd;
	return 0;
}

int fdatasync(int fd)
{
	(void)fd;
	return 0;
}

char history_path[64];
static char directory[] = "/tmp/history-XXXXXX";
static int saved = -1;
static int said = -1;

int history_setup(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/history-XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(history_path, sizeof(history_path), "%s/history.db",
		 directory);
	return 0;
}

int history_teardown(void **state)
{
	static const char *const ends[] = { "", "-wal", "-shm", "-copy" };
	char path[80];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", history_path, ends[i]);
		unlink(path);
	}
	return rmdir(directory);
}

struct history_writer *start(unsigned long long size)
{
	const struct history_run run = { "alpha", "boot", "clients slow" };
	struct history_writer *w = history_create(history_path, size,
						  &cache_program, &run);

	assert_non_null(w);
	return w;
}

void write_seconds(struct history_writer *w, unsigned int from,
		   unsigned int to)
{
	struct report *r = report_new(&cache_tables);

	for (; from < to; from++) {
		cache_report(r, from, UP_NS + (from + 1) * SECOND_NS);
		history_write(w, BEGIN_NS + (from + 1) * SECOND_NS, r);
	}
	report_free(r);
}

struct report *sum_of_seconds(unsigned int from, unsigned int to)
{
	struct report *sum = report_new(&cache_tables);
	struct report *r = report_new(&cache_tables);

	for (; from < to; from++) {
		cache_report(r, from, BEGIN_NS + (from + 1) * SECOND_NS);
		report_add(sum, r);
	}
	report_free(r);
	return sum;
}

struct report *sum_of_history(unsigned int from, unsigned int to,
			      unsigned int *ticks)
{
	struct report *sum = report_new(&cache_tables);
	struct history_tick tick;
	struct history *h;

	h = history_open(history_path, &cache_program,
			 BEGIN_NS + from * SECOND_NS,
			 BEGIN_NS + to * SECOND_NS);
	assert_non_null(h);
	for (*ticks = 0; history_next(h, &tick); (*ticks)++)
		report_add(sum, tick.report);
	assert_true(history_damage(h));
	history_close(h);
	return sum;
}

void assert_history(unsigned int from, unsigned int to, unsigned int ticks)
{
	struct report *expected = sum_of_seconds(from, to);
	struct report *found;
	unsigned int count;

	found = sum_of_history(from, to, &count);
	assert_int_equal(count, ticks);
	assert_int_equal(found->elapsed_ns, expected->elapsed_ns);
	assert_int_equal(found->end_ns, expected->end_ns);
	assert_same_rows(expected, found);
	report_free(expected);
	report_free(found);
}

static sqlite3 *database(void)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(history_path, &db), SQLITE_OK);
	return db;
}

void run_sql(const char *sql)
{
	sqlite3 *db = database();
	char *error = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
		fail_msg("%s: %s", sql, error);
	sqlite3_close(db);
}

long long sql_number(const char *sql)
{
	sqlite3 *db = database();
	sqlite3_stmt *s;
	long long number;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	number = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	sqlite3_close(db);
	return number;
}

/* A pipe, as a file may be longer than a test lets it be. */
void catch_stderr(void)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	saved = dup(STDERR_FILENO);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	said = ends[0];
}

const char *caught(void)
{
	static char text[SAID];
	ssize_t length;

	dup2(saved, STDERR_FILENO);
	close(saved);
	length = read(said, text, sizeof(text) - 1);
	text[length < 0 ? 0 : length] = '\0';
	close(said);
	return text;
}
