/* SPDX-License-Identifier: BSD-2-Clause */
/* What is written to a history is read from it. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "history/add.h"
#include "history/codec.h"
#include "history/moment.h"
#include "history_dir.h"
#include "random_report.h"

static const struct random_load load = { 8, 50, 12, 4 };
static const unsigned long long size = 64 << 20;

/* They are large. */
static struct smbd_report tick, sum, read_sum;

static void release(void)
{
	smbd_report_clear(&tick);
	smbd_report_clear(&sum);
	smbd_report_clear(&read_sum);
}

/* Writes the ticks of these seconds, and adds them to sum. */
static void write_ticks(struct history_writer *w, unsigned int from,
			unsigned int to)
{
	for (; from < to; from++) {
		random_report(&tick, from, &load);
		tick.end_ns = BEGIN_NS + (from + 1) * SECOND_NS;
		tick.elapsed_ns = SECOND_NS;
		dir_tick(w, from + 1, &tick);
		smbd_report_add(&sum, &tick);
		smbd_report_clear(&tick);
	}
}

static void test_record(void **state)
{
	const struct history_time time = { 5, BEGIN_NS, 17, 999 };
	const struct code_limits limits = { true, 100, 100, 100 };
	struct pack p = { NULL, 0, 0 };
	unsigned int names;

	(void)state;
	random_report(&tick, 4711, &load);
	tick.counters.calls[17] = (struct tsmbd_call){ 3, 4000 };
	tick.counters.sizes[1].count = tick.counters.sizes[1].slots[31] = 5;
	code_report(&p, &time, &tick, &limits);
	assert_true(decode_report(p.bytes, p.length, &read_sum, &names));
	assert_int_equal(names, 15);
	assert_int_equal(read_sum.end_ns, BEGIN_NS);
	assert_int_equal(read_sum.elapsed_ns, 999);
	tick.end_ns = BEGIN_NS;
	tick.elapsed_ns = 999;
	assert_same_report(&tick, &read_sum);
	free(p.bytes);
	release();
}

static void test_request(void **state)
{
	const struct history_time time = { 17, BEGIN_NS, 17, 0 };
	static struct tsmbd_request_event e, again;
	struct pack p = { NULL, 0, 0 };

	(void)state;
	e.event.kind = TSMBD_EVENT_SLOW;
	e.event.pid = 4711;
	e.event.time = 5000000;
	e.request.start = 1000000;
	e.request.opcode = TSMBD_CREATE;
	e.request.run_ns = 17;
	e.request.mid = ~0ULL;
	e.detail.raw = TSMBD_RAW_FILE;
	e.detail.file_length = 4;
	memcpy(e.detail.file, "a\0b\0", 4);
	strcpy(e.detail.user, "an\x1b[2Jna");
	code_request(&p, &time, &e, "ipv4:192.0.2.7");
	assert_true(decode_request(p.bytes, p.length, &again));
	assert_string_equal(again.event.remote, "ipv4:192.0.2.7");
	assert_string_equal(again.detail.user, e.detail.user);
	assert_int_equal(again.event.time - again.request.start, 4000000);
	assert_true(again.request.mid == ~0ULL);
	assert_memory_equal(again.detail.file, e.detail.file, 4);
	assert_int_equal(again.detail.raw, TSMBD_RAW_FILE);
	free(p.bytes);
}

static void test_seconds_and_names(void **state)
{
	struct history_writer *w;
	unsigned int ticks;
	char path[DIR_SIZE];

	(void)state;
	dir_make(path);
	w = dir_write(path, size);
	write_ticks(w, 0, 150);
	assert_true(history_finish(w));
	dir_sum(path, 0, 150, &read_sum, &ticks);
	assert_int_equal(ticks, 150);
	/* few names occur in each second, so those are not compared */
	top_free(sum.tops);
	top_free(read_sum.tops);
	memset(sum.tops, 0, sizeof(sum.tops));
	assert_int_equal(read_sum.tops[TSMBD_FILES].count > 10, 1);
	memset(read_sum.tops, 0, sizeof(read_sum.tops));
	assert_same_report(&sum, &read_sum);
	dir_remove(path);
	release();
}

/* Sums of the rows of names are right, whatever rows there are. */
static void test_names_add_up(void **state)
{
	unsigned long long written = 0, found = 0;
	struct history_writer *w;
	unsigned int ticks;
	char path[DIR_SIZE];
	int i;

	(void)state;
	dir_make(path);
	w = dir_write(path, size);
	write_ticks(w, 0, 125);
	assert_true(history_finish(w));
	dir_sum(path, 0, 125, &read_sum, &ticks);
	for (i = 0; i < sum.tops[TSMBD_FILES].count; i++)
		written += sum.tops[TSMBD_FILES].rows[i].value.requests;
	for (i = 0; i < read_sum.tops[TSMBD_FILES].count; i++)
		found += read_sum.tops[TSMBD_FILES].rows[i].value.requests;
	assert_int_equal(written, found);
	dir_remove(path);
	release();
}

static void keep_names(struct smbd_report *r, enum tsmbd_kind kind, int count)
{
	struct top *top = &r->tops[kind];

	if (top->count > count)
		top->count = count;
}

/*
 * Where there is room for few names, the few shares and users have it, and not
 * the first of many files and clients.
 */
static void test_a_small_history(void **state)
{
	static const struct random_load busy = { 3, 9, 40, 0 };
	struct history_writer *w;
	unsigned int i, ticks;
	char path[DIR_SIZE];

	(void)state;
	dir_make(path);
	w = dir_write(path, 8 << 20);
	for (i = 0; i < 60; i++) {
		random_report(&tick, 1, &busy);
		keep_names(&tick, TSMBD_SHARES, 2);
		keep_names(&tick, TSMBD_USERS, 2);
		tick.elapsed_ns = SECOND_NS;
		dir_tick(w, i, &tick);
		smbd_report_clear(&tick);
	}
	assert_true(history_finish(w));
	dir_sum(path, 0, 60, &read_sum, &ticks);
	assert_in_range(read_sum.tops[TSMBD_FILES].count, 1, 3);
	assert_int_equal(read_sum.tops[TSMBD_SHARES].count, 2);
	for (i = 0; i < 2; i++)
		assert_string_not_equal(
			read_sum.tops[TSMBD_SHARES].rows[i].name, ADD_OTHER);
	dir_remove(path);
	release();
}

static void test_interval(void **state)
{
	struct history_writer *w;
	unsigned int ticks;
	char path[DIR_SIZE];

	(void)state;
	dir_make(path);
	w = dir_write(path, size);
	write_ticks(w, 0, 300);
	assert_true(history_finish(w));
	dir_sum(path, 100, 110, &read_sum, &ticks);
	assert_int_equal(ticks, 10);
	assert_int_equal(read_sum.elapsed_ns, 10 * SECOND_NS);
	assert_int_equal(read_sum.end_ns, BEGIN_NS + 110 * SECOND_NS);
	smbd_report_clear(&read_sum);
	dir_sum(path, 1000, 2000, &read_sum, &ticks);
	assert_int_equal(ticks, 0);
	dir_remove(path);
	release();
}

/* Ends without a word after each of so many ticks has been written. */
static void write_and_die(const char *path, unsigned int from,
			  unsigned int to)
{
	struct history_writer *w;
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		w = dir_write(path, size);
		write_ticks(w, from, to);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void test_killed_again_and_again(void **state)
{
	unsigned int from = 0, ticks, kills, count;
	char path[DIR_SIZE];

	(void)state;
	dir_make(path);
	for (kills = 0; kills < 25; kills++) {
		count = 1 + (kills * 29) % 140;
		write_and_die(path, from, from + count);
		from += count;
	}
	write_ticks(NULL, 0, 0);
	for (ticks = 0; ticks < from; ticks++) {
		random_report(&tick, ticks, &load);
		tick.end_ns = BEGIN_NS + (ticks + 1) * SECOND_NS;
		tick.elapsed_ns = SECOND_NS;
		top_free(tick.tops);
		memset(tick.tops, 0, sizeof(tick.tops));
		smbd_report_add(&sum, &tick);
		smbd_report_clear(&tick);
	}
	dir_sum(path, 0, from, &read_sum, &ticks);
	assert_int_equal(ticks, from);
	top_free(read_sum.tops);
	memset(read_sum.tops, 0, sizeof(read_sum.tops));
	assert_same_report(&sum, &read_sum);
	dir_remove(path);
	release();
}

/* Writes ticks of a second each from these times on. */
static void write_at(struct history_writer *w, unsigned long long wall,
		     unsigned long long mono, unsigned int count)
{
	struct history_time time;
	unsigned int i;

	for (i = 0; i < count; i++) {
		random_report(&tick, i, &load);
		time = (struct history_time){
			.begin_ns = (mono + i) * SECOND_NS,
			.wall_ns = BEGIN_NS + (wall + i + 1) * SECOND_NS,
			.mono_ns = (mono + i + 1) * SECOND_NS,
			.elapsed_ns = SECOND_NS,
		};
		tick.elapsed_ns = SECOND_NS;
		history_write(w, &time, &tick);
		smbd_report_clear(&tick);
	}
}

/* The clock is set back by an hour, and forward by a day; then a reboot. */
static void test_clocks(void **state)
{
	struct history_writer *w;
	unsigned int ticks;
	char path[DIR_SIZE];

	(void)state;
	dir_make(path);
	w = dir_write(path, size);
	write_at(w, 7200, 5000, 100);
	write_at(w, 3700, 5100, 100);
	write_at(w, 90000, 5200, 100);
	assert_true(history_finish(w));
	w = dir_write(path, size);
	write_at(w, 90200, 10, 100);
	assert_true(history_finish(w));
	dir_sum(path, 0, 100000, &read_sum, &ticks);
	assert_int_equal(ticks, 400);
	assert_true(read_sum.elapsed_ns == 400 * SECOND_NS);
	smbd_report_clear(&read_sum);
	dir_sum(path, 3700, 3800, &read_sum, &ticks);
	assert_int_equal(ticks, 100);
	smbd_report_clear(&read_sum);
	dir_sum(path, 90200, 90300, &read_sum, &ticks);
	assert_int_equal(ticks, 100);
	dir_remove(path);
	release();
}

static void test_moments(void **state)
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

	(void)state;
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

/* Stands for that of the C library: notes that a file of --slow was written. */
static int synced_slow;
static int synced_directory;

int fsync(int fd)
{
	struct stat st;

	synced_directory += fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
	return 0;
}

int fdatasync(int fd)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	synced_slow += strstr(path, "/slow-") != NULL;
	return 0;
}

/* All files are safe once a minute, if the machine loses its power. */
static void test_power(void **state)
{
	const struct history_time time = { 1, BEGIN_NS + 1, 1, 0 };
	static struct tsmbd_request_event e;
	struct history_writer *w;
	char path[DIR_SIZE];

	(void)state;
	dir_make(path);
	w = dir_write(path, size);
	synced_directory = 0;
	history_write_request(w, &time, &e, "");
	write_ticks(w, 0, 62);
	assert_int_equal(synced_slow, 1);
	/* the names of the files, too */
	assert_int_equal(synced_directory, 1);
	history_finish(w);
	assert_int_equal(synced_slow > 1, 1);
	dir_remove(path);
	release();
}

static void test_only_one_writes(void **state)
{
	const struct history_run run = { .host = "" };
	struct history_writer *w;
	char path[DIR_SIZE];

	(void)state;
	dir_make(path);
	w = dir_write(path, size);
	assert_null(history_create(path, size, &run));
	history_finish(w);
	dir_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_request),
		cmocka_unit_test(test_seconds_and_names),
		cmocka_unit_test(test_names_add_up),
		cmocka_unit_test(test_a_small_history),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_killed_again_and_again),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_only_one_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
