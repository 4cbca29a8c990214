/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums of reports have everything that the reports have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "history/add.h"
#include "random_report.h"

static const struct random_load load = { 10, 50, 40, 10 };

static struct smbd_report *new_sum(void)
{
	struct smbd_report *sum = calloc(1, sizeof(*sum));

	assert_non_null(sum);
	return sum;
}

static void release(struct smbd_report *sum)
{
	smbd_report_clear(sum);
	free(sum);
}

/* Adds the reports of these seeds. */
static void add_some(struct smbd_report *sum, unsigned int from, unsigned int to)
{
	struct smbd_report *tick = new_sum();

	for (; from < to; from++) {
		random_report(tick, from, &load);
		smbd_report_add(sum, tick);
		smbd_report_clear(tick);
	}
	free(tick);
}

static void test_one_is_itself(void **state)
{
	struct smbd_report *sum = new_sum(), *tick = new_sum();

	(void)state;
	random_report(tick, 1, &load);
	smbd_report_add(sum, tick);
	assert_same_report(sum, tick);
	release(sum);
	release(tick);
}

static void test_sums_of_sums(void **state)
{
	struct smbd_report *all = new_sum(), *first = new_sum();
	struct smbd_report *second = new_sum();

	(void)state;
	add_some(all, 0, 30);
	add_some(first, 0, 12);
	add_some(second, 12, 30);
	smbd_report_add(first, second);
	assert_same_report(all, first);
	release(all);
	release(first);
	release(second);
}

/* What was sorted for printing can be added to. */
static void test_sorted_meanwhile(void **state)
{
	struct smbd_report *all = new_sum(), *sorted = new_sum();
	unsigned int i;

	(void)state;
	add_some(all, 0, 8);
	for (i = 0; i < 8; i++) {
		add_some(sorted, i, i + 1);
		smbd_report_sort(sorted, i % 4);
	}
	assert_same_report(all, sorted);
	release(all);
	release(sorted);
}

static void test_processes_count_once(void **state)
{
	struct smbd_report *sum = new_sum(), *tick = new_sum();
	int i;

	(void)state;
	for (i = 1; i <= 5; i++) {
		tick->tally.connected = 3;
		tick->tally.processes = 4;	/* one of them ends */
		tick->end_ns = (unsigned long long)i;
		smbd_report_add(sum, tick);
	}
	assert_int_equal(sum->tally.connected, 3);
	assert_int_equal(sum->tally.processes, 8);
	tick->end_ns = 2;			/* an earlier one */
	tick->tally.connected = 2;
	tick->tally.processes = 2;
	smbd_report_add(sum, tick);
	assert_int_equal(sum->tally.connected, 3);
	assert_int_equal(sum->tally.processes, 8);
	release(sum);
	release(tick);
}

static void test_servers(void **state)
{
	struct smbd_report *sum = new_sum(), *tick = new_sum();

	(void)state;
	tick->tally.connected = tick->tally.processes = 3;
	tick->end_ns = 100;
	tick->elapsed_ns = 50;
	smbd_report_join(sum, tick);
	tick->end_ns = 120;
	smbd_report_join(sum, tick);
	assert_int_equal(sum->tally.connected, 6);
	assert_int_equal(sum->tally.processes, 6);
	assert_int_equal(sum->end_ns, 120);
	assert_int_equal(sum->elapsed_ns, 70);
	release(sum);
	release(tick);
}

/* Whatever the names are, the rows together have all requests. */
static void test_names_have_a_limit(void **state)
{
	struct smbd_report *sum = new_sum(), *tick = new_sum();
	unsigned long long requests = 0;
	struct top_row row = { .name = "" };
	struct top *top = &sum->tops[TSMBD_FILES];
	int i, others = 0;

	(void)state;
	tick->tops[TSMBD_FILES] = (struct top){ .rows = &row, .count = 1 };
	row.value.requests = 2;
	for (i = 0; i < 20000; i++) {
		snprintf(row.name, sizeof(row.name), "file %d", i);
		smbd_report_add(sum, tick);
	}
	strcpy(row.name, "important");
	row.value.requests = 1;
	row.value.errors = 5;
	smbd_report_add(sum, tick);
	assert_in_range(top->count, 1, 2 * ADD_ROWS);
	top_shrink(top, 10);
	assert_int_equal(top->count, 10);
	for (i = 0; i < top->count; i++) {
		requests += top->rows[i].value.requests;
		others += strcmp(top->rows[i].name, ADD_OTHER) == 0;
		if (strcmp(top->rows[i].name, "important") == 0)
			others += 10;
	}
	assert_int_equal(requests, 40001);
	assert_int_equal(others, 11);
	release(sum);
	free(tick);
}

/* Shrinking again and again leaves as many rows as there may be. */
static void test_shrink_again(void **state)
{
	struct smbd_report *sum = new_sum();
	struct top *top = &sum->tops[TSMBD_FILES];
	struct top_row row = { .name = "" };
	int i;

	(void)state;
	for (i = 0; i < 2000; i++) {
		snprintf(row.name, sizeof(row.name), "file %d", i);
		row.value.requests = 7;
		row.value.bytes = (unsigned int)i;
		row.value.ns = (unsigned int)(i * 7919 % 2003);
		top_append(top, &row);
		if (i % 500 == 499)
			top_shrink(top, 256);
	}
	assert_int_equal(top->count, 256);
	top_shrink(top, 20);
	assert_int_equal(top->count, 20);
	top_shrink(top, 5);
	assert_int_equal(top->count, 5);
	release(sum);
}

static void test_waits_and_errors_have_a_limit(void **state)
{
	struct smbd_report *sum = new_sum(), *tick = new_sum();
	unsigned long long count = 0;
	struct waited w = { .count = 3 };
	unsigned int i;

	(void)state;
	tick->waits = &w;
	tick->num_waits = 1;
	tick->counters.num_errors = 1;
	tick->counters.errors[0].count = 1;
	for (i = 0; i < 3000; i++) {
		snprintf(w.file, sizeof(w.file), "file %u", i);
		tick->counters.errors[0].status = i;
		smbd_report_add(sum, tick);
	}
	for (i = 0; i < (unsigned int)sum->num_waits; i++)
		count += sum->waits[i].count;
	assert_int_equal(sum->num_waits, ADD_WAITS);
	assert_int_equal(count, 9000);
	assert_int_equal(sum->counters.lost[TSMBD_LOST_ERRORS],
			 3000 - TSMBD_MAX_ERRORS);
	release(sum);
	free(tick);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_is_itself),
		cmocka_unit_test(test_sums_of_sums),
		cmocka_unit_test(test_sorted_meanwhile),
		cmocka_unit_test(test_processes_count_once),
		cmocka_unit_test(test_servers),
		cmocka_unit_test(test_names_have_a_limit),
		cmocka_unit_test(test_shrink_again),
		cmocka_unit_test(test_waits_and_errors_have_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
