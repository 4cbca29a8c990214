/* SPDX-License-Identifier: BSD-2-Clause */
/* What a span is: its times, names and sums, and the metrics of them. */
#define _GNU_SOURCE
#include "counted.h"

#include <stdio.h>

COUNTED(test_told)
{
	const struct sdtkit_count_sums *row;
	uint32_t i;

	for (i = 1; i <= 100; i++)
		COUNTED_TOLD(i, GET, i % 10 == 0 ? 7 : 0, (uint64_t)i * 10);
	COUNTED_TOLD(5, PUT, 0, 1);
	read_counts();
	row = row_of("told", GET, 0);
	assert_non_null(row);
	assert_int_equal(row->count, 100);
	assert_int_equal(row->errors, 10);
	assert_int_equal(row->total, 5050 * 1000);
	assert_int_equal(row->running, row->total);
	assert_int_equal(row->self, row->total);
	assert_int_equal(row->sum[0], 50500);
	assert_int_equal(row->least, 1000);
	assert_int_equal(row->most, 100000);
	assert_int_equal(slots_of(row), 100);
	/* 64 us are 1000 units of 64 ns: an eighth of a power of two. */
	assert_true(row->slots[8 * 6 + 7] > 0);
	assert_int_equal(row_of("told", PUT, 0)->count, 1);
	assert_total("told", .ended = 101);
	assert_string_equal(counts->spans[span_of("told")].names[0], "verb");
	assert_string_equal(counts->spans[span_of("told")].sums[0], "bytes");
	assert_string_equal(counts->spans[span_of("told")].properties
			    [SPAN_DURATION], "took_us");
	/* Numbers are of the whole time: a second reading adds nothing. */
	read_counts();
	assert_int_equal(row_of("told", GET, 0)->count, 100);
}

/* A result that is negative is an error, and no number of bytes. */
COUNTED(test_negative_values_are_not_added)
{
	COUNTED_TOLD(1, GET, 0, 5);
	COUNTED_TOLD(1, GET, 1, -3);
	COUNTED_TOLD(1, GET, 0, 2);
	read_counts();
	assert_int_equal(row_of("told", GET, 0)->sum[0], 7);
}

/* Each slot is the one that lib/slots says. */
COUNTED(test_slots)
{
	static const uint64_t microseconds[] = {
		0, 1, 2, 3, 7, 8, 15, 16, 100, 1000, 123456, 4000000000,
	};
	const struct sdtkit_count_sums *row;
	size_t i, j;

	for (i = 0; i < ROWS(microseconds); i++)
		COUNTED_TOLD((uint32_t)microseconds[i], (enum verb)i, 0, 0);
	read_counts();
	for (i = 0; i < ROWS(microseconds); i++) {
		uint64_t units = microseconds[i] * 1000 / 64;

		row = row_of("told", i, 0);
		for (j = 0; j < SLOTS_FINE && row->slots[j] == 0; j++)
			;
		assert_true(j < SLOTS_FINE);
		/* As slots_least() has them. */
		if (units >> 32 != 0) {
			assert_int_equal(j, SLOTS_FINE - 1);
		} else if (j < 16) {
			assert_int_equal(units, j);
		} else {
			assert_true(units >= (8 + j % 8) << (j / 8 - 1));
			assert_true(units < (9 + j % 8) << (j / 8 - 1));
		}
	}
}

/* The time that a start and an end are apart, by any clock. */
COUNTED(test_timed)
{
	const struct sdtkit_count_sums *row;
	uint64_t before = now(), took;

	COUNTED_ASKED(1, 2, GET);
	COUNTED_ASKED(1, 3, PUT);
	pause_us(20000);
	COUNTED_ANSWERED(2, 1, 9, -1);
	took = now() - before;
	COUNTED_ANSWERED(3, 1, 9, 1);
	COUNTED_ANSWERED(3, 1, 9, 1);
	read_counts();
	row = row_of("asked", GET, 9);
	assert_int_equal(row->count, 1);
	assert_int_equal(row->errors, 1);
	assert_in_range(row->total, 20000000, took + took / 1000);
	assert_int_equal(row_of("asked", PUT, 9)->errors, 0);
	assert_total("asked", .started = 2, .ended = 2, .unmatched = 1);
}

COUNTED(test_restarted)
{
	uint64_t before, took;

	COUNTED_QUEUED(1);
	pause_us(10000);
	before = now();
	COUNTED_QUEUED(1);
	COUNTED_DONE(1);
	took = now() - before;
	COUNTED_DONE(1);
	read_counts();
	/* The clock of the hits may differ a little. */
	assert_in_range(row_of("queued", 0, 0)->total, 0,
			took + took / 1000 + 1000000);
	assert_total("queued", .started = 2, .ended = 1, .restarted = 1,
		     .unmatched = 1);
}

COUNTED(test_suspended)
{
	const struct sdtkit_count_sums *row;

	COUNTED_QUEUED(7);
	COUNTED_SLEEPS(7);
	COUNTED_SLEEPS(7);
	pause_us(20000);
	COUNTED_WAKES(7);
	COUNTED_STEP(70, 7);
	pause_us(5000);
	COUNTED_STEPPED(70);
	COUNTED_DONE(7);
	read_counts();
	row = row_of("queued", 0, 0);
	assert_in_range(row->total, 25000000, 10000000000);
	assert_in_range(row->total - row->running, 20000000, 10000000000);
	assert_in_range(row->running - row->self, 5000000, 10000000000);
	assert_int_equal(row->running - row->self,
			 row_of("step", 0, 0)->running);
}

static void *end_late(void *job)
{
	COUNTED_LATE((uintptr_t)job, 25000000);
	return NULL;
}

/*
 * A wait is found at the end, also in another thread, and only there. The spans
 * take longer than any pause of a busy machine: one that began a tenth of a
 * second after the last hit of its key would be another one.
 */
COUNTED(test_suspended_without_a_start)
{
	const struct sdtkit_count_sums *row;
	uint64_t before, waited = 0, i;

	COUNTED_LATE(7, 25000000);
	COUNTED_RISES(7);
	for (i = 0; i < 2; i++) {
		before = now();
		COUNTED_RESTS(7, 1000);
		pause_us(5000);
		COUNTED_RISES(7);
		waited += now() - before;
		if (i == 0)
			COUNTED_LATE(7, 25000000);
		else
			in_thread(end_late, (void *)7);
		COUNTED_LATE(7, 25000000);
	}
	read_counts();
	row = row_of("late", 0, 0);
	assert_int_equal(row->count, 5);
	assert_int_equal(row->total, 5 * 25000000000);
	assert_in_range(row->total - row->running, 2 * 5000000,
			waited + waited / 1000);
	assert_total("late", .started = 2, .ended = 5);
}

COUNTED(test_nested)
{
	const struct sdtkit_count_sums *row = NULL;
	size_t i;

	call("ann", 3, 2000);
	COUNTED_LEAVE();
	read_counts();
	for (i = 0; i < counts->row_count; i++) {
		if (counts->rows[i].span == span_of("call"))
			row = &counts->rows[i];
	}
	assert_non_null(row);
	assert_string_equal(row->text[0], "ann");
	assert_int_equal(row->count, 3);
	/* 6, 4 and 2 ms, of which each has 2 for itself. */
	assert_in_range(row->total, 12000000, 10000000000);
	assert_in_range(row->self, row->most - 3, row->most + 3);
	assert_total("call", .started = 3, .ended = 3, .unmatched = 1);
}

COUNTED(test_began)
{
	COUNTED_BEGUN(now() - 5000000);
	COUNTED_BEGUN(0);
	read_counts();
	assert_in_range(row_of("began", 0, 0)->total, 4900000, 1000000000);
	assert_total("began", .ended = 1, .unmatched = 1);
}

/* An argument that is no time is left out, as for sdtkit top. */
COUNTED(test_wrong_time)
{
	COUNTED_BEGUN(now() + 3600 * (uint64_t)1000000000);
	read_counts();
	assert_null(row_of("began", 0, 0));
}

COUNTED(test_texts)
{
	const struct sdtkit_count_sums *row;
	size_t i, seen = 0;

	call("ann", 1, 0);
	call("a name that is longer than sixty-three bytes, which is all that "
	     "is kept of one", 1, 0);
	call(NULL, 1, 0);
	/* No page is there. */
	call((const char *)(uintptr_t)-4096, 1, 0);
	read_counts();
	for (i = 0; i < counts->row_count; i++) {
		row = &counts->rows[i];
		if (row->span != span_of("call"))
			continue;
		seen++;
		assert_int_equal(row->count, row->text[0][0] == '\0' ? 2 : 1);
		if (row->text[0][0] != '\0' && strcmp(row->text[0], "ann") != 0)
			assert_int_equal(strlen(row->text[0]), 63);
	}
	assert_int_equal(seen, 3);
	assert_total("call", .started = 4, .ended = 4, .unread = 1);
}

/* What the start has is not read, since the end has it. */
COUNTED(test_text_of_the_end)
{
	const char *none = (const char *)(uintptr_t)-4096;
	const struct sdtkit_count_sums *row = NULL;
	size_t i;

	COUNTED_NAMED(1, none);
	COUNTED_RENAMED(1, "eightlet");
	COUNTED_NAMED(2, "bob");
	COUNTED_RENAMED(2, "eightlet");
	read_counts();
	for (i = 0; i < counts->row_count; i++) {
		if (counts->rows[i].span == span_of("named")) {
			assert_null(row);
			row = &counts->rows[i];
		}
	}
	assert_non_null(row);
	assert_string_equal(row->text[0], "eightlet");
	assert_int_equal(row->count, 2);
	assert_int_equal(total_of("named")->unread, 0);
	COUNTED_NAMED(3, "bob");
	COUNTED_RENAMED(3, none);
	read_counts();
	assert_int_equal(total_of("named")->unread, 1);
}

static const char *metrics(void)
{
	static char text[100000];
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_int_equal(sdtkit_recorder_metrics(recorder, out), 0);
	fclose(out);
	return text;
}

static const struct {
	const char *metric, *span, *rest;
} samples[] = {
	{ "span_duration_seconds_bucket", "told",
	  ",name=\"GET\",le=\"8.192e-06\"} 0" },
	{ "span_duration_seconds_bucket", "told",
	  ",name=\"GET\",le=\"1.6384e-05\"} 1" },
	{ "span_duration_seconds_bucket", "told",
	  ",name=\"GET\",le=\"+Inf\"} 2" },
	{ "span_duration_seconds_sum", "told", ",name=\"GET\"} 0.000030000" },
	{ "span_errors_total", "told", ",name=\"GET\"} 1" },
	{ "span_sum_total", "told",
	  ",name=\"GET\",argument=\"bytes\",unit=\"bytes\"} 12" },
	{ "span_duration_seconds_count", "call", ",name=\"a\\\"b\\n\"} 1" },
	{ "span_duration_seconds_count", "call", ",name=\"?\xc3\xa9\"} 2" },
	{ "spans_in_progress", "queued", "} 1" },
	{ "spans_not_counted_total", "queued", ",reason=\"unmatched\"} 1" },
};

/* Names that read the same are one series, since no label may come twice. */
COUNTED(test_metrics)
{
	const char *text;
	char line[512];
	size_t i;

	COUNTED_TOLD(10, GET, 0, 5);
	COUNTED_TOLD(20, GET, -1, 7);
	call("a\"b\n", 1, 0);
	call("\xff\xc3\xa9", 1, 0);
	call("\xfe\xc3\xa9", 1, 0);
	COUNTED_QUEUED(1);
	COUNTED_DONE(2);
	text = metrics();
	for (i = 0; i < ROWS(samples); i++) {
		snprintf(line, sizeof(line), "\nsdtkit_%s{program=\"%s\","
			 "provider=\"counted\",span=\"%s\"%s\n",
			 samples[i].metric, program_invocation_short_name,
			 samples[i].span, samples[i].rest);
		if (strstr(text, line) == NULL)
			fail_msg("no%sin %s", line, text);
	}
}
