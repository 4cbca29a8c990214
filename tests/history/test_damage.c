/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A history that is damaged, or made by somebody who means harm, is read as far
 * as it is right, or refused with a message.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "file.h"

enum { ROUNDS = 400 };

static unsigned char *whole;
static size_t size;

static void make(void)
{
	struct history_writer *w = start(64 * MIB);
	struct cache_slow row;
	unsigned int i;

	for (i = 0; i < 130; i++) {
		write_seconds(w, i, i + 1);
		cache_slow(&row, i, UP_NS + i * SECOND_NS);
		history_write_row(w, BEGIN_NS + i * SECOND_NS, &row);
	}
	assert_true(history_finish(w));
}

static void take_file(void)
{
	FILE *file = fopen(history_path, "rb");
	struct stat st;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &st), 0);
	size = (size_t)st.st_size;
	whole = malloc(size);
	assert_int_equal(fread(whole, 1, size, file), size);
	fclose(file);
}

static void put_file(const unsigned char *bytes, size_t length)
{
	FILE *file = fopen(history_path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

static unsigned int below(unsigned int limit)
{
	static unsigned int state = 1;

	state = state * 1103515245U + 12345U;
	return (state >> 8) % limit;
}

/* Reads all; returns how many ticks there are, or -1 if it is refused. */
static int read_all(bool *good)
{
	struct history *h = history_open(history_path, &cache_program, 0,
					 ~0ULL);
	struct history_tick tick;
	struct cache_slow row;
	int ticks = 0;

	*good = false;
	if (h == NULL)
		return -1;
	while (history_next(h, &tick)) {
		while (history_next_row(h, tick.report->end_ns, &row))
			;
		ticks++;
	}
	*good = history_damage(h);
	history_close(h);
	return ticks;
}

HISTORY_TEST(test_any_byte)
{
	unsigned char *bytes;
	unsigned int i, k;
	bool good;

	make();
	take_file();
	bytes = malloc(size);
	for (i = 0; i < ROUNDS; i++) {
		memcpy(bytes, whole, size);
		for (k = 0; k <= i % 8; k++)
			bytes[below(i % 2 ? (unsigned int)size : 8192)] =
				(unsigned char)below(256);
		put_file(bytes, size);
		catch_stderr();
		read_all(&good);
		caught();
	}
	free(bytes);
	free(whole);
}

HISTORY_TEST(test_cut)
{
	const char *said;
	unsigned int i;
	bool good;

	make();
	take_file();
	for (i = 0; i < 60; i++) {
		put_file(whole, i == 0 ? 0 : below((unsigned int)size));
		catch_stderr();
		assert_int_equal(read_all(&good), -1);
		said = caught();
		assert_non_null(strstr(said, history_path));
		assert_true(strstr(said, "is damaged") != NULL ||
			    strstr(said, "not a history of cached") != NULL);
	}
	free(whole);
}

/* One who may write the file changes it while nobody writes the history. */
HISTORY_TEST(test_hostile_sql)
{
	static const struct {
		const char *sql;
		const char *said;	/* NULL: it is read without a word */
		int ticks;
	} rows[] = {
		{ "PRAGMA application_id = 7", "not a history of cached", -1 },
		{ "PRAGMA user_version = 99", "does not know", -1 },
		{ "UPDATE run SET program = 'mailed'",
		  "not a history of cached", -1 },
		{ "DROP TABLE second", "not a history of cached", -1 },
		{ "ALTER TABLE report RENAME TO r; CREATE VIEW report AS "
		  "SELECT * FROM r", "not a history of cached", -1 },
		{ "ALTER TABLE commands RENAME TO c; CREATE VIEW commands AS "
		  "SELECT * FROM c", NULL, 130 },
		{ "CREATE TRIGGER t AFTER INSERT ON run BEGIN "
		  "DELETE FROM report; END", NULL, 130 },
		{ "UPDATE second SET rows = zeroblob(1000) WHERE id % 2",
		  "are damaged", 65 },
		{ "UPDATE second SET rows = 'text' WHERE id % 2",
		  "are damaged", 65 },
		{ "UPDATE second SET rows = NULL", "are damaged", 0 },
		{ "UPDATE second SET run = 77", "are damaged", 0 },
		{ "UPDATE second SET elapsed_ns = 9223372036854775807",
		  "cannot read further", 0 },
		{ "UPDATE report SET id = 9000000000000000000 WHERE id = 3",
		  "not a history of cached", -1 },
		{ "ALTER TABLE second RENAME COLUMN rows TO r",
		  "it has other columns", 0 },
		{ "ALTER TABLE report DROP COLUMN end_ns",
		  "it has other columns", 0 },
		{ "UPDATE slow SET id = 9223372036854775807 WHERE id = 3",
		  "not a history of cached", -1 },
		{ "UPDATE report SET id = -5 WHERE id = 3",
		  "not a history of cached", -1 },
		{ "UPDATE layout SET tables = 'commands x y:s : :: z'",
		  "are damaged", 0 },
		{ "DELETE FROM second; UPDATE commands SET total_us = -1",
		  "are damaged", 3 },
		{ "DELETE FROM second; UPDATE commands SET total_us = 1e300",
		  "are damaged", 3 },
		{ "DELETE FROM second; UPDATE commands SET slots = x'0901'",
		  "are damaged", 3 },
		{ "DELETE FROM second; UPDATE commands SET slots = 'text'",
		  "are damaged", 3 },
		{ "DELETE FROM second; UPDATE errors SET code = 99999999",
		  "are damaged", 3 },
		{ "DELETE FROM second; UPDATE commands SET "
		  "name = hex(zeroblob(100000))", NULL, 3 },
		{ "DELETE FROM second; UPDATE commands SET "
		  "name = hex(zeroblob(2000000))", "are damaged", 3 },
		{ "UPDATE slow SET client = x'00ff', key = 17, end_ns = 'x'",
		  NULL, 130 },
		{ "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
		  "FROM n WHERE i < 20000) INSERT INTO clients (id, name) "
		  "SELECT (2 << 16) + 1000 + i, 'c' || i FROM n", NULL, 130 },
	};
	const char *said;
	size_t i;
	bool good;
	int ticks;

	make();
	take_file();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put_file(whole, size);
		run_sql(rows[i].sql);
		catch_stderr();
		ticks = read_all(&good);
		said = caught();
		if (ticks != rows[i].ticks || (rows[i].said == NULL ?
		    said[0] != '\0' : strstr(said, rows[i].said) == NULL))
			fail_msg("%s: %d ticks, %s", rows[i].sql, ticks, said);
		assert_int_equal(good, rows[i].said == NULL);
	}
	free(whole);
}

HISTORY_TEST(test_what_is_no_database)
{
	static const unsigned char text[] = "{\"time\": \"2026-11-21\"}\n";
	const struct history_run run = { "", "", "" };
	const char *said;
	bool good;

	put_file(text, sizeof(text));
	catch_stderr();
	assert_int_equal(read_all(&good), -1);
	said = caught();
	assert_non_null(strstr(said, "not a history of cached"));
	catch_stderr();
	assert_null(history_create(history_path, MIB, &cache_program, &run));
	said = caught();
	assert_non_null(strstr(said, "not a history of cached"));
	unlink(history_path);
	catch_stderr();
	assert_int_equal(read_all(&good), -1);
	assert_non_null(strstr(caught(), "cannot open"));
}

/* Nobody else can read or write it, and no link is followed. */
HISTORY_TEST(test_permissions)
{
	const struct history_run run = { "", "", "" };
	const mode_t mask = umask(022);
	struct history_writer *w = start(MIB);
	struct stat st;

	umask(mask);
	assert_int_equal(stat(history_path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_true(history_finish(w));
	assert_int_equal(chmod(history_path, 0666), 0);
	catch_stderr();
	assert_null(history_create(history_path, MIB, &cache_program, &run));
	assert_non_null(strstr(caught(), "everybody can write to"));
	unlink(history_path);
	assert_int_equal(symlink("/dev/null", history_path), 0);
	catch_stderr();
	assert_null(history_create(history_path, MIB, &cache_program, &run));
	assert_non_null(strstr(caught(), "is a symbolic link"));
	catch_stderr();
	assert_null(history_create("/tmp", MIB, &cache_program, &run));
	assert_non_null(strstr(caught(), "/tmp is a directory: give the name"));
}
