/* SPDX-License-Identifier: BSD-2-Clause */
/* What is written to a history is read from it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "history/minute.h"
#include "history/moment.h"

HISTORY_TEST(test_seconds_and_names)
{
	struct history_writer *w = start(64 * MIB);

	write_seconds(w, 0, 150);
	assert_true(history_finish(w));
	assert_history(0, 150, 150);
}

/* Nothing is lost by the sum of a minute, nor by its form. */
HISTORY_TEST(test_minutes)
{
	struct history_writer *w = start(64 * MIB);

	write_seconds(w, 0, 150);
	assert_true(history_finish(w));
	run_sql("DELETE FROM second");
	assert_history(0, 150, 3);
	/* a part of the seconds is not enough */
	w = start(64 * MIB);
	write_seconds(w, 150, 300);
	assert_true(history_finish(w));
	run_sql("DELETE FROM second WHERE id % 7 = 3");
	assert_history(0, 300, 6);
}

HISTORY_TEST(test_interval)
{
	struct history_writer *w = start(64 * MIB);
	struct report *sum;
	unsigned int ticks;

	write_seconds(w, 0, 300);
	assert_true(history_finish(w));
	sum = sum_of_history(100, 110, &ticks);
	assert_int_equal(ticks, 10);
	assert_int_equal(sum->elapsed_ns, 10 * SECOND_NS);
	assert_int_equal(sum->end_ns, BEGIN_NS + 110 * SECOND_NS);
	report_free(sum);
	sum = sum_of_history(1000, 2000, &ticks);
	assert_int_equal(ticks, 0);
	report_free(sum);
}

/* Minutes up to a time, and the seconds after it. */
HISTORY_TEST(test_coarse)
{
	struct history_writer *w = start(64 * MIB);
	unsigned int minutes = 0, seconds = 0;
	struct history_tick tick;
	struct history *h;

	write_seconds(w, 0, 290);
	assert_true(history_finish(w));
	h = history_open_coarse(history_path, &cache_program, BEGIN_NS,
				BEGIN_NS + 200 * SECOND_NS, ~0ULL);
	while (history_next(h, &tick)) {
		minutes += tick.minute;
		seconds += !tick.minute;
		assert_string_equal(tick.host, "alpha");
	}
	history_close(h);
	assert_int_equal(minutes, 3);
	assert_int_equal(seconds, 110);
}

/* Whoever reads sees what is written so far. */
HISTORY_TEST(test_while_it_is_written)
{
	struct history_writer *w = start(64 * MIB);
	struct history_tick tick;
	struct history *h;
	unsigned int i, ticks = 0;

	write_seconds(w, 0, 30);
	h = history_open(history_path, &cache_program, 0, ~0ULL);
	assert_non_null(h);
	for (i = 30; i < 200; i++) {
		write_seconds(w, i, i + 1);
		ticks += history_next(h, &tick);
	}
	while (history_next(h, &tick))
		ticks++;
	assert_true(history_damage(h));
	history_close(h);
	assert_int_equal(ticks, 200);
	assert_true(history_finish(w));
	assert_history(0, 200, 200);
}

static void write_and_die(unsigned int from, unsigned int to)
{
	struct history_writer *w;
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		w = start(64 * MIB);
		write_seconds(w, from, to);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void drop_clients(struct report *r)
{
	struct report_rows *rows = &r->rows[CACHE_CLIENTS];

	free(rows->rows);
	free(rows->index);
	memset(rows, 0, sizeof(*rows));
}

/* The numbers are added up from the seconds; the names of a minute are lost. */
HISTORY_TEST(test_killed_again_and_again)
{
	unsigned int from = 0, ticks, kills, count, minutes;
	struct report *found, *expected;

	for (kills = 0; kills < 25; kills++) {
		count = 1 + (kills * 29) % 140;
		write_and_die(from, from + count);
		from += count;
	}
	assert_true(history_finish(start(64 * MIB)));
	expected = sum_of_seconds(0, from);
	for (minutes = 0; minutes < 2; minutes++) {
		found = sum_of_history(0, from, &ticks);
		assert_true(minutes ? ticks < from / 10 : ticks == from);
		drop_clients(found);
		drop_clients(expected);
		assert_same_rows(expected, found);
		assert_int_equal(found->elapsed_ns, from * SECOND_NS);
		report_free(found);
		run_sql("DELETE FROM second");
	}
	report_free(expected);
}

/* Writes seconds from these times on. */
static void write_at(struct history_writer *w, unsigned long long wall,
		     unsigned long long up, unsigned int count)
{
	struct report *r = report_new(&cache_tables);
	unsigned int i;

	for (i = 1; i <= count; i++) {
		cache_report(r, i, (up + i) * SECOND_NS);
		history_write(w, BEGIN_NS + (wall + i) * SECOND_NS, r);
	}
	report_free(r);
}

/* The clock is set back by an hour, and forward by a day; then a reboot. */
HISTORY_TEST(test_clocks)
{
	static const unsigned int begins[] = { 7200, 3700, 90000, 90200 };
	struct history_writer *w = start(64 * MIB);
	struct report *sum;
	unsigned int i, ticks;

	write_at(w, 7200, 5000, 100);
	write_at(w, 3700, 5100, 100);
	write_at(w, 90000, 5200, 100);
	assert_true(history_finish(w));
	w = start(64 * MIB);
	write_at(w, 90200, 10, 100);
	assert_true(history_finish(w));
	sum = sum_of_history(0, 100000, &ticks);
	assert_int_equal(ticks, 400);
	assert_int_equal(sum->elapsed_ns, 400 * SECOND_NS);
	report_free(sum);
	for (i = 0; i < 4; i++) {
		sum = sum_of_history(begins[i], begins[i] + 100, &ticks);
		assert_int_equal(ticks, 100);
		report_free(sum);
	}
	assert_int_equal(sql_number("SELECT count(*) FROM run"), 2);
}

static void write_slow(struct history_writer *w, unsigned int second,
		       unsigned int seed)
{
	struct cache_slow row;

	cache_slow(&row, seed, UP_NS + second * SECOND_NS);
	history_write_row(w, BEGIN_NS + second * SECOND_NS, &row);
}

HISTORY_TEST(test_slow_spans)
{
	struct history_writer *w = start(64 * MIB);
	struct cache_slow row, expected;
	struct history *h;
	unsigned int i;

	for (i = 1; i <= 100; i++)
		write_slow(w, i, i);
	assert_true(history_finish(w));
	h = history_open(history_path, &cache_program,
			 BEGIN_NS + 10 * SECOND_NS, BEGIN_NS + 90 * SECOND_NS);
	for (i = 11; i <= 90; i++) {
		assert_false(history_next_row(h, BEGIN_NS + i * SECOND_NS - 1,
					      &row));
		assert_true(history_next_row(h, BEGIN_NS + i * SECOND_NS,
					     &row));
		cache_slow(&expected, i, BEGIN_NS + i * SECOND_NS);
		assert_memory_equal(&row, &expected, sizeof(row));
	}
	assert_false(history_next_row(h, ~0ULL, &row));
	history_close(h);
}

/* 200 at once, and 5 a second; the others are counted in the next report. */
HISTORY_TEST(test_too_many_slow_spans)
{
	struct history_writer *w = start(64 * MIB);
	const struct cache_server *s;
	unsigned long long before;
	struct report *sum;
	unsigned int i, ticks;

	sum = sum_of_seconds(0, 1);
	s = report_row(sum, CACHE_SERVER, 0);
	before = s->hits;
	report_free(sum);
	for (i = 0; i < 1000; i++)
		write_slow(w, 1, i);
	write_seconds(w, 0, 1);
	assert_true(history_finish(w));
	assert_int_equal(sql_number("SELECT count(*) FROM slow"), 200);
	sum = sum_of_history(0, 1, &ticks);
	s = report_row(sum, CACHE_SERVER, 0);
	assert_int_equal(s->hits, before + 800);
	report_free(sum);
}

static unsigned long long used(void)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	unsigned long long sum = 0;
	char path[80];
	struct stat st;
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s%s", history_path, ends[i]);
		if (stat(path, &st) == 0)
			sum += (unsigned long long)st.st_size;
	}
	return sum;
}

/* The oldest rows go, and the newest ones are there. */
HISTORY_TEST(test_limit)
{
	const unsigned int seconds = 20 * 3600;
	unsigned int i, most = 0;
	struct history_writer *w;
	struct report *sum;
	long long slow;

	w = start(MIB);
	for (i = 0; i < seconds; i++) {
		write_seconds(w, i, i + 1);
		if (i % 3 == 0)
			write_slow(w, i, i);
		if (i % 60 == 30 && used() > most)
			most = (unsigned int)used();
	}
	assert_true(history_finish(w));
	assert_true(most <= MIB);
	assert_true(most > MIB / 2);
	assert_true(sql_number("SELECT min(id) FROM report") > 2);
	assert_int_equal(sql_number("SELECT max(id) - min(id) + 1 - count(*) "
				    "FROM report"), 0);
	assert_int_equal(sql_number("SELECT count(*) FROM commands WHERE "
				    "report < (SELECT min(id) FROM report)"),
			 0);
	assert_true(sql_number("SELECT count(*) FROM second") > 120);
	slow = sql_number("SELECT count(*) FROM slow");
	assert_in_range(slow, 100, 2000);
	/* where there is little room, most names are left out */
	sum = sum_of_history(seconds - 120, seconds, &i);
	assert_int_equal(i, 120);
	assert_int_equal(sum->elapsed_ns, 120 * SECOND_NS);
	assert_in_range(sum->rows[CACHE_CLIENTS].count, 1, 5);
	report_free(sum);
	/* another limit holds at once */
	assert_true(history_finish(start(MIB / 4 * 3)));
	assert_true(used() <= MIB / 4 * 3);
	assert_true(sql_number("SELECT count(*) FROM report") > 100);
}

/* Where there is little room, few rows have it, and not the first of many. */
HISTORY_TEST(test_the_longest_is_shortened)
{
	struct report *r = sum_of_seconds(0, 3), *all = sum_of_seconds(0, 3);
	size_t errors = r->rows[CACHE_ERRORS].count, i;
	size_t clients = r->rows[CACHE_CLIENTS].count, bytes = 6000;
	unsigned long long kept = 0, whole = 0;

	assert_in_range(errors, 4, clients - 4);
	minute_fit(r, bytes);
	assert_int_equal(r->rows[CACHE_CLIENTS].count, clients);
	while (bytes > 500 && r->rows[CACHE_CLIENTS].count > errors)
		minute_fit(r, bytes -= 100);
	assert_true(bytes > 500);
	assert_int_equal(r->rows[CACHE_ERRORS].count, errors);
	for (i = 0; i < r->rows[CACHE_CLIENTS].count; i++)
		kept += ((struct cache_client *)
			 report_row(r, CACHE_CLIENTS, i))->count;
	for (i = 0; i < all->rows[CACHE_CLIENTS].count; i++)
		whole += ((struct cache_client *)
			  report_row(all, CACHE_CLIENTS, i))->count;
	assert_int_equal(kept, whole);
	report_free(r);
	report_free(all);
}

/* The file itself has all up to the last minute. */
HISTORY_TEST(test_power)
{
	struct history_writer *w = start(64 * MIB);
	char command[200];

	write_seconds(w, 0, 125);
	snprintf(command, sizeof(command), "cp %s %s-copy", history_path,
		 history_path);
	assert_int_equal(system(command), 0);
	assert_true(history_finish(w));
	snprintf(command, sizeof(command), "mv %s-copy %s", history_path,
		 history_path);
	assert_int_equal(system(command), 0);
	assert_history(0, 120, 120);
}

HISTORY_TEST(test_only_one_writes)
{
	const struct history_run run = { "", "", "" };
	struct history_writer *w = start(64 * MIB);
	const char *said;

	catch_stderr();
	assert_null(history_create(history_path, MIB, &cache_program, &run));
	said = caught();
	assert_non_null(strstr(said, "another cached writes to /tmp/history-"));
	assert_true(history_finish(w));
}

/* What does not fit is lost, which is said once; then it goes on. */
HISTORY_TEST(test_full_disk)
{
	const struct rlimit enough = { RLIM_INFINITY, RLIM_INFINITY };
	const struct rlimit little = { 30, RLIM_INFINITY };
	struct history_writer *w = start(64 * MIB);
	const char *said;

	/* no file can be longer than this, as if the disk was full */
	signal(SIGXFSZ, SIG_IGN);
	write_seconds(w, 0, 100);
	catch_stderr();
	setrlimit(RLIMIT_FSIZE, &little);
	write_seconds(w, 100, 200);
	setrlimit(RLIMIT_FSIZE, &enough);
	write_seconds(w, 200, 300);
	assert_false(history_finish(w));
	said = caught();
	assert_non_null(strstr(said, "history: cannot write to /tmp/history-"));
	said = strchr(said, '\n') + 1;
	assert_non_null(strstr(said, "history: writes to /tmp/history-"));
	assert_null(strchr(strchr(said, '\n') + 1, '\n'));
	assert_history(0, 60, 60);
	/* the minute 180 to 239 has been added up meanwhile */
	assert_history(180, 240, 1);
	assert_history(240, 300, 60);
}

/* Another version had other columns: what it has is read, and nothing else. */
HISTORY_TEST(test_other_columns)
{
	struct history_writer *w = start(64 * MIB);
	const struct cache_command *c;
	struct report *sum;
	unsigned int ticks;

	write_seconds(w, 0, 60);
	assert_true(history_finish(w));
	run_sql("DELETE FROM second;"
		"ALTER TABLE commands RENAME COLUMN bytes TO octets;"
		"ALTER TABLE commands ADD COLUMN more TEXT;"
		"CREATE TABLE others (id INTEGER PRIMARY KEY, what TEXT);"
		"DROP TABLE errors;");
	sum = sum_of_history(0, 60, &ticks);
	c = report_row(sum, CACHE_COMMANDS, 0);
	assert_int_equal(c->bytes, 0);
	assert_true(c->count > 0);
	assert_int_equal(sum->rows[CACHE_ERRORS].count, 0);
	report_free(sum);
	w = start(64 * MIB);
	write_seconds(w, 60, 120);
	assert_true(history_finish(w));
	assert_history(60, 120, 60);
	run_sql("DELETE FROM second");
	assert_history(60, 120, 1);
}

TEST(test_moments)
{
	static const struct {
		const char *text;
		long long after;	/* BEGIN_NS, in ms; -1: invalid */
	} rows[] = {
		{ "now", 1800000 }, { "-30m", 0 }, { "-1800s", 0 },
		{ "-0.5h", 0 }, { "-90", 1710000 }, { "10:00", 0 },
		{ "10:00:07", 7000 }, { "2026-11-23 10:00", 0 },
		{ "2026-11-23T10:00:01", 1000 }, { "2026-11-23", -36000000 },
		{ "@1795428000.5", 500 }, { "11:00", 3600000 - 86400000 },
		{ "", -1 }, { "-", -1 }, { "-2x", -1 }, { "-1.2.3h", -1 },
		{ "-99999999h", -1 }, { "25:00", -1 }, { "10:00x", -1 },
		{ "@", -1 }, { "@99999999999", -1 }, { "yesterday", -1 },
		{ "--1h", -1 }, { "@-5", -1 }, { "2026-11-23 10:00 ", -1 },
	};
	unsigned long long ns;
	size_t i;

	setenv("TZ", "UTC", 1);
	tzset();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!moment_parse(rows[i].text, BEGIN_NS + 1800 * SECOND_NS,
				  &ns))
			assert_int_equal(rows[i].after, -1);
		else
			assert_int_equal((long long)(ns - BEGIN_NS) / 1000000,
					 rows[i].after);
	}
}
