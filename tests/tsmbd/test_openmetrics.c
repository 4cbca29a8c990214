/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The largest answer to a scrape: at most 2,000 series, whatever clients do.
 * tests/bench/scrape.py counts the instructions that it takes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "metrics/openmetrics.h"

enum { ROWS = 5000, MOST = 2000 };

static struct smbd_report report;
static struct totals_since totals;

/* Rows with requests of all names; those of shares have a command each. */
static struct top many_rows(const char *kind, int count)
{
	struct top top = {
		.rows = calloc((size_t)count, sizeof(*top.rows)),
		.count = count,
	};
	int i;

	assert_non_null(top.rows);
	for (i = 0; i < count; i++) {
		struct top_row *row = &top.rows[i];

		snprintf(row->name, sizeof(row->name), "%s\"%d\\\n\xff", kind,
			 i / TSMBD_OPS);
		row->opcode = (unsigned int)i % TSMBD_OPS;
		row->value.requests = 3;
		row->value.errors = 1;
		row->value.bytes = 500;
		row->value.ns = 1000000007;
	}
	return top;
}

static void fill(void)
{
	struct counters *c = &report.counters;
	int i;

	for (i = 0; i < TSMBD_OPS; i++) {
		c->ops[i].count = 7;
		c->ops[i].errors = TSMBD_MAX_ERRORS;
		c->ops[i].total_ns = 12345678901234567ULL;
		c->ops[i].slots[8] = 3;		/* 8 us */
		c->ops[i].slots[SLOTS_FINE - 1] = 4;
	}
	for (i = 0; i < TSMBD_MAX_ERRORS; i++)
		c->errors[i] = (struct error_count){
			(unsigned int)i % TSMBD_OPS, 0xc0000000U +
			(unsigned int)i / TSMBD_OPS + 1, 1 };
	c->num_errors = TSMBD_MAX_ERRORS;
	report.end_ns = 1000000000;
	report.tops[TSMBD_CLIENTS] = many_rows("client", ROWS);
	report.tops[TSMBD_USERS] = many_rows("user", ROWS);
	report.tops[TSMBD_SHARES] = many_rows("share", ROWS);
	report.share_commands = many_rows("share", ROWS);
}

static char *text_of(enum metrics_format format)
{
	static const struct own_totals own = { 1.5, 2.5, 3, 4 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	totals_copy(&totals);
	metrics_write(out, format, &totals, &own);
	assert_int_equal(fclose(out), 0);
	return text;
}

static int count_series(const char *text)
{
	int count = 0;

	for (; text != NULL && *text != '\0';
	     text = strchr(text, '\n'), text += text != NULL)
		count += *text != '#';
	return count;
}

static void has(const char *text, const char *line)
{
	const char *found = strstr(text, line);

	if (found == NULL)
		fail_msg("%s is missing", line);
}

static void test_at_most_2000(void **state)
{
	char *new, *old;
	int repeat;

	(void)state;
	fill();
	totals_begin(true, SERIES_SHOWN);
	for (repeat = 0; repeat < 3; repeat++) {
		report.end_ns += 1000000000;
		totals_add(&report);
	}
	new = text_of(METRICS_OPENMETRICS);
	old = text_of(METRICS_PROMETHEUS);
	assert_in_range(count_series(new), MOST - 50, MOST);
	assert_int_equal(count_series(old), count_series(new));
	has(new, "smbd_requests_total{command=\"read\"} 21\n");
	has(new, "{command=\"read\"} 37037036.703703701\n");
	has(new, "_bucket{command=\"read\",le=\"8e-06\"} 0\n");
	has(new, "_bucket{command=\"read\",le=\"1.6e-05\"} 9\n");
	has(new, "_bucket{command=\"read\",le=\"134.217728\"} 9\n");
	has(new, "_bucket{command=\"read\",le=\"+Inf\"} 21\n");
	has(new, "_requests_total{client=\"client\\\"0\\\\??\"} ");
	has(new, "# EOF\n");
	has(old, "# TYPE smbd_requests_total counter\n");
	assert_null(strstr(old, "# EOF"));
	assert_null(strstr(old, "# UNIT"));
	free(new);
	free(old);
}

/* Only the sums of all names are known to be right: they are in "other". */
static void test_errors_add_up(void **state)
{
	unsigned long long sum = 0;
	int i;

	(void)state;
	totals_copy(&totals);
	assert_int_equal(totals.num_errors, TOTALS_ERRORS);
	for (i = 0; i < totals.num_errors; i++)
		sum += totals.errors[i].count;
	for (i = 0; i < TSMBD_OPS; i++)
		sum -= totals.ops[i].listed;
	assert_int_equal(sum, 0);
}

/* As a service does whose configuration is read again. */
static void test_another_number_of_series(void **state)
{
	unsigned long long count;

	(void)state;
	totals_copy(&totals);
	count = totals.ops[8].count;
	assert_int_not_equal(count, 0);
	assert_false(totals_begin(true, 5));
	report.end_ns += 1000000000;
	totals_add(&report);
	totals_copy(&totals);
	assert_int_equal(totals.ops[8].count,
			 count + report.counters.ops[8].count);
	assert_int_equal(totals.sets[TSMBD_SHARES].count, 5);
}

/* For callgrind: writes as often as the argument says. */
static int write_only(int times)
{
	fill();
	totals_begin(true, SERIES_SHOWN);
	totals_add(&report);
	while (times-- > 0)
		free(text_of(METRICS_OPENMETRICS));
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_at_most_2000),
		cmocka_unit_test(test_errors_add_up),
		cmocka_unit_test(test_another_number_of_series),
	};

	if (argc > 1)
		return write_only(atoi(argv[1]));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
