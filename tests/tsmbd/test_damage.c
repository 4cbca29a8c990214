/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A history that is cut at any byte, or in which any byte is changed, has a
 * beginning of what was written, and nothing else.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "history/add.h"
#include "history/codec.h"
#include "history/segment.h"
#include "history_dir.h"
#include "random_report.h"

enum { TICKS = 12, MAX_SIZE = 1 << 16 };

static unsigned char whole[MAX_SIZE], file[MAX_SIZE];
static size_t size;
static unsigned char *records[TICKS];
static size_t lengths[TICKS];
static int directory;
static char path[DIR_SIZE], name[NAME_MAX];

static void put_file(size_t length)
{
	int fd = openat(directory, name, O_WRONLY | O_TRUNC | O_CREAT, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, file, length), length);
	close(fd);
}

/* Returns how many records can be read, all of which have to be right. */
static int count_records(enum segment_end *end)
{
	struct segment_reader reader;
	const unsigned char *bytes;
	size_t length;
	int count = 0;

	*end = SEGMENT_DAMAGED;
	if (segment_open(&reader, directory, name) != 0)
		return 0;
	while (segment_next(&reader, &bytes, &length)) {
		assert_in_range(count, 0, TICKS - 1);
		assert_int_equal(length, lengths[count]);
		assert_memory_equal(bytes, records[count], length);
		count++;
	}
	*end = reader.end;
	segment_close(&reader);
	return count;
}

static int setup(void **state)
{
	static const struct random_load load = { 3, 5, 0, 0 };
	const struct segment_info info = { .run = 1, .host = "alpha" };
	const struct code_limits limits = { false, 0, 9, 0 };
	struct history_time time = { 0, 0, 0, 0 };
	struct segment_writer w;
	static struct smbd_report r;
	struct pack p;
	int i, fd;

	(void)state;
	dir_make(path);
	directory = open(path, O_RDONLY | O_DIRECTORY);
	segment_name(name, RING_SECONDS, 1);
	assert_int_equal(segment_create(&w, directory, name, &info), 0);
	for (i = 0; i < TICKS; i++) {
		p = (struct pack){ NULL, 0, 0 };
		random_report(&r, (unsigned int)i, &load);
		code_report(&p, &time, &r, &limits);
		assert_int_equal(segment_append(&w, p.bytes, p.length), 0);
		records[i] = p.bytes;
		lengths[i] = p.length;
	}
	segment_finish(&w);
	fd = openat(directory, name, O_RDONLY);
	size = (size_t)read(fd, whole, sizeof(whole));
	close(fd);
	memcpy(file, whole, size);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	close(directory);
	dir_remove(path);
	return 0;
}

static void test_cut_anywhere(void **state)
{
	enum segment_end end;
	size_t length;
	int count, last = 0;

	(void)state;
	for (length = 0; length <= size; length++) {
		put_file(length);
		count = count_records(&end);
		assert_true(count == last || count == last + 1);
		last = count;
	}
	assert_int_equal(last, TICKS);
	assert_int_equal(end, SEGMENT_COMPLETE);
}

static void test_change_anywhere(void **state)
{
	enum segment_end end;
	size_t at;

	(void)state;
	for (at = 0; at < size; at++) {
		file[at] ^= (unsigned char)(1 + at % 255);
		put_file(size);
		assert_true(count_records(&end) < TICKS);
		assert_int_not_equal(end, SEGMENT_COMPLETE);
		file[at] = whole[at];
	}
}

/* Whoever can write the files can make a CRC: no record may do harm. */
static void test_any_record(void **state)
{
	static struct tsmbd_request_event e;
	static struct smbd_report r;
	unsigned char bytes[4096];
	unsigned int names, i, k;
	size_t length;

	(void)state;
	for (i = 0; i < 60000; i++) {
		k = i % TICKS;
		length = lengths[k] < sizeof(bytes) ? lengths[k] :
			sizeof(bytes);
		memcpy(bytes, records[k], length);
		for (k = 0; k <= i % 3; k++)
			bytes[random_below((unsigned int)length)] =
				(unsigned char)random_below(256);
		if (i % 4 == 0)
			length = random_below((unsigned int)length);
		decode_report(bytes, length, &r, &names);
		decode_request(bytes, length, &e);
		smbd_report_clear(&r);
	}
}

/* A record that claims to have more rows than there may be. */
static void test_too_many_rows(void **state)
{
	static struct smbd_report r;
	const struct history_time time = { 1, 2, 3, 4 };
	const struct code_limits limits = { true, 3000, 9, 9 };
	struct top *top = &r.tops[TSMBD_CLIENTS];
	struct pack p = { NULL, 0, 0 };
	unsigned int names;
	int i;

	(void)state;
	top->rows = calloc(3000, sizeof(*top->rows));
	top->capacity = top->count = 3000;
	for (i = 0; i < top->count; i++)
		top->rows[i].value.requests = 1;
	code_report(&p, &time, &r, &limits);
	smbd_report_clear(&r);
	assert_false(decode_report(p.bytes, p.length, &r, &names));
	assert_int_equal(top->count, ADD_ROWS);
	smbd_report_clear(&r);
	free(p.bytes);
}

/* Bytes of a part that nobody knows, so that the record becomes large. */
static void pad(struct pack *p)
{
	size_t part = pack_begin(p, 99);
	char zeros[1000] = "";
	int i;

	for (i = 0; i < 900; i++)
		pack_bytes(p, zeros, sizeof(zeros));
	pack_end(p, part);
}

/*
 * A minute with a hundred records of a megabyte, which take a hundred kilobytes
 * in the file: they are left out, and the minute is used instead.
 */
static void test_records_that_are_large(void **state)
{
	const struct segment_info info = { .run = 1, .host = "x",
		.wall_ns = BEGIN_NS };
	struct history_time time = { .begin_ns = 1 };
	const struct code_limits limits = { false, 0, 0, 0 };
	struct segment_info minutes = info;
	struct segment_writer w;
	static struct smbd_report r;
	struct history_tick tick;
	struct pack p = { NULL, 0, 0 };
	struct history *h;
	char own[DIR_SIZE];
	int fd, i;

	(void)state;
	dir_make(own);
	fd = open(own, O_RDONLY | O_DIRECTORY);
	assert_int_equal(segment_create(&w, fd, "seconds-0000000001", &info),
			 0);
	for (i = 1; i <= 100; i++) {
		time.mono_ns = (unsigned long long)i * SECOND_NS / 2;
		time.wall_ns = BEGIN_NS + time.mono_ns;
		time.elapsed_ns = SECOND_NS / 2;
		p.length = 0;
		code_report(&p, &time, &r, &limits);
		pad(&p);
		assert_int_equal(segment_append(&w, p.bytes, p.length), 0);
	}
	segment_finish(&w);
	minutes.ring = RING_MINUTES;
	assert_int_equal(segment_create(&w, fd, "minutes-0000000001",
					&minutes), 0);
	time.elapsed_ns = 50 * SECOND_NS;
	p.length = 0;
	code_report(&p, &time, &r, &limits);
	assert_int_equal(segment_append(&w, p.bytes, p.length), 0);
	segment_finish(&w);
	close(fd);
	h = history_open(own, 0, ~0ULL);
	assert_true(history_next(h, &tick));
	assert_true(tick.minute);
	assert_false(history_next(h, &tick));
	assert_false(history_damage(h));
	history_close(h);
	free(p.bytes);
	dir_remove(own);
}

/*
 * A record at a time is in memory, and not the file: this one has four
 * gigabytes, all of them a hole but the header.
 */
static void test_a_file_that_is_large(void **state)
{
	const struct segment_info info = { .run = 1, .host = "x" };
	struct segment_reader reader;
	struct segment_writer w;
	const unsigned char *bytes;
	char own[DIR_SIZE];
	size_t length;
	int fd;

	(void)state;
	dir_make(own);
	fd = open(own, O_RDONLY | O_DIRECTORY);
	assert_int_equal(segment_create(&w, fd, "slow-0000000001", &info), 0);
	if (ftruncate(w.fd, (off_t)4 << 30) != 0)
		skip();
	segment_finish(&w);
	assert_int_equal(segment_open(&reader, fd, "slow-0000000001"), 0);
	assert_false(segment_next(&reader, &bytes, &length));
	assert_int_equal(reader.end, SEGMENT_TORN);
	segment_close(&reader);
	close(fd);
	dir_remove(own);
}

/* What does not fit is lost; then it goes on. */
static void test_full_disk(void **state)
{
	const struct rlimit enough = { RLIM_INFINITY, RLIM_INFINITY };
	const struct rlimit little = { 30, RLIM_INFINITY };
	static const struct random_load load = { 10, 50, 20, 0 };
	static struct smbd_report r, sum;
	struct history_writer *w;
	char own[DIR_SIZE];
	unsigned int i, ticks;

	(void)state;
	dir_make(own);
	w = dir_write(own, 64 << 20);
	/* no file can be longer than this, as if the disk was full */
	signal(SIGXFSZ, SIG_IGN);
	for (i = 1; i <= 300; i++) {
		random_report(&r, i, &load);
		r.elapsed_ns = SECOND_NS;
		setrlimit(RLIMIT_FSIZE, i > 100 && i <= 200 ? &little :
			  &enough);
		dir_tick(w, i, &r);
		smbd_report_clear(&r);
	}
	setrlimit(RLIMIT_FSIZE, &enough);
	assert_false(history_finish(w));
	dir_sum(own, 0, 100, &sum, &ticks);
	assert_true(sum.elapsed_ns == 100 * SECOND_NS);
	smbd_report_clear(&sum);
	/* the minute 180 to 239 has been added up meanwhile */
	dir_sum(own, 100, 300, &sum, &ticks);
	assert_true(sum.elapsed_ns == 121 * SECOND_NS);
	smbd_report_clear(&sum);
	dir_remove(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_change_anywhere),
		cmocka_unit_test(test_any_record),
		cmocka_unit_test(test_too_many_rows),
		cmocka_unit_test(test_records_that_are_large),
		cmocka_unit_test(test_a_file_that_is_large),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
