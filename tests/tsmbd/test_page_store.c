/* SPDX-License-Identifier: BSD-2-Clause */
/* What the page keeps has a limit, and its sums have everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flame.h"
#include "flamegraph.h"
#include "history/add.h"
#include "page/data.h"
#include "page/pool.h"
#include "page/store.h"
#include "tally.h"

enum { SECONDS = 1500, CLIENTS = 300 };

/* What the kernel would have. */
const struct flamegraph *flame_graph(void)
{
	static const struct flamegraph none;

	return &none;
}

void client_name(unsigned int pid, const char *remote, char name[TSMBD_NAME])
{
	(void)remote;
	snprintf(name, TSMBD_NAME, "pid:%u", pid);
}

/* A long name that no other row has. */
static void set_name(struct top_row *row, unsigned int number)
{
	memset(row->name, '<', sizeof(row->name) - 1);
	snprintf(row->name, 16, "%u", number);
	row->name[strlen(row->name)] = '<';
}

/* A second with so many clients and files that there were never before. */
static struct report *new_report(unsigned int second)
{
	struct report *r = calloc(1, sizeof(*r));
	int kind, i;

	assert_non_null(r);
	r->elapsed_ns = 1000000000;
	r->end_ns = (second + 1) * r->elapsed_ns + 20000000;
	r->counters.ops[TSMBD_READ].count = CLIENTS;
	r->counters.ops[TSMBD_READ].slots[40] = CLIENTS;
	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		r->tops[kind].rows = calloc(CLIENTS, sizeof(struct top_row));
		r->tops[kind].count = CLIENTS;
		assert_non_null(r->tops[kind].rows);
		for (i = 0; i < CLIENTS; i++) {
			struct top_row *row = &r->tops[kind].rows[i];

			set_name(row, second * CLIENTS + (unsigned int)i);
			row->value.requests = 1;
			row->value.ns = 1000 + (unsigned int)i;
			row->value.slots[20] = 1;
		}
	}
	return r;
}

static void take_all(void)
{
	struct report *r;
	unsigned int i;

	for (i = 0; i < SECONDS; i++) {
		r = new_report(i);
		store_take(r);
		report_clear(r);
		free(r);
	}
	store_settle();
}

static unsigned long long requests_of(const struct page_detail *d, int kind)
{
	unsigned long long sum = d->others[kind].requests;
	int i;

	for (i = 0; i < PAGE_TOP; i++)
		sum += d->tops[kind][i].requests;
	return sum;
}

static void test_nothing_is_lost(void **state)
{
	struct page_store *s = page_store();
	unsigned int i;
	int kind;

	(void)state;
	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		assert_int_equal(requests_of(&s->overall, kind),
				 SECONDS * CLIENTS);
		for (i = 0; i < s->spans[PAGE_MINUTES].num_details; i++)
			assert_int_equal(requests_of(&s->spans[PAGE_MINUTES].
						     details[i], kind),
					 10 * CLIENTS);
	}
	assert_int_equal(s->sum.counters.ops[TSMBD_READ].count,
			 SECONDS * CLIENTS);
	assert_int_equal(s->spans[PAGE_HOURS].points[0].ops[TSMBD_READ].count,
			 60 * CLIENTS);
}

static void test_each_second_is_a_step(void **state)
{
	const struct page_span *span = &page_store()->spans[PAGE_MINUTES];
	unsigned int i;

	(void)state;
	assert_int_equal(store_last(span), SECONDS);
	for (i = 0; i < span->num_points; i++)
		assert_int_equal(span->points[i].elapsed_ns, 1000000000);
}

static void test_names_have_a_limit(void **state)
{
	size_t bytes = 0;
	unsigned int i;

	(void)state;
	for (i = 0; i < pool_end(); i++) {
		assert_true(strlen(pool_name(i)) <= POOL_LONGEST);
		bytes += strlen(pool_name(i));
	}
	assert_true(bytes <= POOL_LIMIT + 100);
}

static void test_data_have_a_limit(void **state)
{
	static const struct options options;
	char *text;

	(void)state;
	json_decref(page_data(&options, 0, &text));
	assert_true(strlen(text) <= PAGE_DATA_LIMIT);
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_lost),
		cmocka_unit_test(test_each_second_is_a_step),
		cmocka_unit_test(test_names_have_a_limit),
		cmocka_unit_test(test_data_have_a_limit),
	};

	store_settle();		/* before there is any report */
	take_all();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
