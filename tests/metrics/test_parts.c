/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which names have series of their own if they are in groups, as test_series.c
 * without: each limit holds, each span is counted once, and no counter falls.
 */
#include <stdio.h>

#include "../cmocka_all.h"
#include "cache.h"
#include "metrics/series.h"

static const unsigned long long SECOND = 1000000000ULL;
static const unsigned long long HOUR = 3600 * 1000000000ULL;

static struct series_set *set;
static struct report sum = { .tables = &cache_tables };

/* Names in groups: at most 2 of a program, and 3 in all. */
static const struct metrics_table spans = {
	.table = CACHE_SPANS, .way = METRICS_TOP, .most = 2, .in_all = 3,
};
static const struct metrics_table sums = {
	.table = CACHE_SUMS, .way = METRICS_PAIRS, .names = CACHE_SPANS,
};

static int begin_groups(void **state)
{
	report_clear(&sum);
	series_free(set);
	set = series_new(&sum, &spans, spans.in_all);
	set->pairs = &sums;
	series_set_time(set, SECOND);
	return 0;
}

static void *span_row(const char *program, const char *span, const char *name)
{
	static struct cache_span row;

	row = (struct cache_span){ .count = 0 };
	strcpy(row.provider, strcmp(span, "other") == 0 ? span : "v");
	snprintf(row.program, sizeof(row.program), "%s", program);
	snprintf(row.span, sizeof(row.span), "%s", span);
	snprintf(row.name, sizeof(row.name), "%s", name);
	return &row;
}

static void name_of(unsigned int number, char name[16])
{
	snprintf(name, 16, "n%u", number);
}

static void add_span(const char *program, const char *span, const char *name,
		     unsigned long long count)
{
	struct cache_span *row = span_row(program, span, name);

	row->count = count;
	series_add(set, row);
}

static unsigned long long span(const char *program, const char *of,
			       const char *name)
{
	const struct cache_span *row = report_find(
		&sum, CACHE_SPANS, span_row(program, of, name));

	return row == NULL || !series_shows(set, CACHE_SPANS, row) ? 0 :
		row->count;
}

static unsigned long long all_spans(void)
{
	const struct cache_span *row;
	unsigned long long all = 0;

	REPORT_FOR_EACH_ROW(row, &sum, CACHE_SPANS)
		all += row->count;
	return all;
}

TEST_WITH(test_names_of_groups, begin_groups, NULL)
{
	add_span("p", "read", "a", 1);
	add_span("p", "write", "a", 2);
	add_span("p", "read", "b", 4);
	add_span("p", "write", "b", 8);
	add_span("p", "write", "c", 16);
	add_span("q", "read", "a", 32);
	add_span("q", "read", "b", 64);
	add_span("q", "read", "other", 128);
	assert_int_equal(span("p", "read", "a"), 1);
	assert_int_equal(span("p", "write", "a"), 2);
	assert_int_equal(span("p", "read", "other"), 4);
	assert_int_equal(span("p", "write", "other"), 8 + 16);
	assert_int_equal(span("q", "read", "a"), 32);
	assert_int_equal(span("q", "read", "other"), 64 + 128);
	assert_int_equal(all_spans(), 255);
	/* the place of a name of the same program, as that is what is full */
	series_set_time(set, 2 * HOUR);
	add_span("q", "read", "b", 1);
	add_span("p", "read", "b", 2);
	assert_int_equal(set->num_shown, 3);
	assert_int_equal(span("q", "read", "b"), 1);
	assert_int_equal(span("p", "read", "b"), 2);
}

TEST_WITH(test_busy_names_of_groups, begin_groups, NULL)
{
	add_span("p", "read", "a", 10);
	add_span("p", "read", "b", 100);
	add_span("p", "read", "c", 1000);
	add_span("q", "read", "a", 1);
	add_span("q", "read", "b", 5);
	series_set_time(set, 601 * SECOND);
	add_span("p", "read", "c", 1);
	add_span("q", "read", "b", 1);
	assert_int_equal(span("p", "read", "c"), 1);
	assert_int_equal(span("p", "read", "b"), 100);
	assert_int_equal(span("q", "read", "b"), 1);
	assert_int_equal(span("p", "read", "a") + span("q", "read", "a"), 0);
	assert_int_equal(all_spans(), 1118);
}

static void add_sum(const char *name, const char *argument,
		    unsigned long long number)
{
	struct cache_sum row = { "p", "v", "read", .sum = number };

	snprintf(row.name, sizeof(row.name), "%s", name);
	snprintf(row.argument, sizeof(row.argument), "%s", argument);
	series_add_pair(set, &row);
}

static unsigned long long argument(const char *name, const char *of)
{
	struct cache_sum like = { "p", "v", "read", .sum = 0 };
	const struct cache_sum *row;

	snprintf(like.name, sizeof(like.name), "%s", name);
	snprintf(like.argument, sizeof(like.argument), "%s", of);
	row = report_find(&sum, CACHE_SUMS, &like);
	return row == NULL || !series_shows(set, CACHE_SUMS, row) ? 0 :
		row->sum;
}

TEST_WITH(test_sums_follow_their_name, begin_groups, NULL)
{
	add_span("p", "read", "a", 1);
	add_span("p", "read", "b\n", 1);
	add_span("p", "read", "c", 1);
	add_sum("a", "bytes", 1);
	add_sum("a", "offset", 2);
	add_sum("b\n", "bytes", 4);
	add_sum("c", "bytes", 8);
	add_sum("c", "offset", 16);
	assert_int_equal(argument("a", "bytes"), 1);
	assert_int_equal(argument("a", "offset"), 2);
	assert_int_equal(argument("b?", "bytes"), 4);
	assert_int_equal(argument("other", "bytes"), 8);
	assert_int_equal(argument("other", "offset"), 16);
}

/* Programs with more groups than anybody has, and more programs than that. */
TEST_WITH(test_too_many_groups, begin_groups, NULL)
{
	unsigned long long all = 0;
	char name[16], other[16];
	unsigned int i, j;

	for (i = 0; i < SERIES_PARTS + 10; i++) {
		name_of(i, name);
		for (j = 0; j < 100; j++, all++) {
			name_of(j, other);
			add_span(name, other, "a", 1);
		}
	}
	assert_int_equal(all_spans(), all);
	assert_int_equal(set->num_others, SERIES_OTHERS);
	assert_in_range(sum.rows[CACHE_SPANS].count, 1,
			spans.in_all + SERIES_OTHERS + SERIES_PARTS + 1);
	assert_int_equal(span("n0", "other", "other"), 100 - 2 - 2);
	assert_int_equal(span("other", "other", "other"), 10 * 100);
	/* programs that have gone make room */
	series_set_time(set, 2 * HOUR);
	add_span("new", "n0", "a", 1);
	add_span("new", "n1", "a", 1);
	assert_int_equal(span("new", "n0", "a"), 1);
	assert_int_equal(span("new", "n1", "a"), 1);
	assert_int_equal(span("n0", "other", "other"), 0);
	assert_int_equal(span("n1", "other", "other"), 100 - 1 - 2);
}

/* Whatever is shown, nothing falls, and no limit is exceeded. */
TEST_WITH(test_nothing_falls_in_groups, begin_groups, NULL)
{
	static const struct metrics_table many = {
		.table = CACHE_SPANS, .way = METRICS_TOP, .most = 10,
	};
	unsigned long long before[1000] = { 0 };
	unsigned int random = 1, tick, i;
	unsigned long long all = 0;
	char program[16], of[16], name[16];

	series_free(set);
	set = series_new(&sum, &many, 25);
	for (tick = 1; tick < 2000; tick++) {
		series_set_time(set, tick * (tick % 50 == 0 ? 40 : 30) *
				SECOND);
		for (i = 0; i < 30; i++) {
			random = random * 1103515245 + 12345;
			name_of((random >> 8) % 4, program);
			name_of((random >> 12) % 3, of);
			name_of((random >> 16) % 80, name);
			add_span(program, of, name, random >> 24);
			all += random >> 24;
		}
		assert_int_equal(all_spans(), all);
		assert_in_range(set->num_shown, 1, 25);
		for (i = 0; i < sum.rows[CACHE_SPANS].count; i++) {
			const struct cache_span *row =
				report_row(&sum, CACHE_SPANS, i);

			/* rows stay where they are, as none is forgotten */
			assert_true(row->count >= before[i]);
			before[i] = row->count;
		}
		for (i = 0; i < 4; i++)
			assert_in_range(set->parts[i].num_shown, 0, 10);
	}
}
