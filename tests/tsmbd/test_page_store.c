/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the page keeps has a limit, and its sums have everything: in the worst
 * case, as all commands have all latencies, and no name comes twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "history/add.h"
#include "page/data.h"
#include "page/pool.h"
#include "page/store.h"
#include "tally.h"

enum {
	MINUTES = 400,			/* reports of a minute, and then */
	SECONDS = 700,			/* of a second */
	REPORTS = MINUTES + SECONDS,
	CLIENTS = 80,
	SLOTS = 32,			/* latencies of each command */
	REQUESTS = 1234567,		/* of each latency */
	WAITS = 20,
};

/* What the kernel would have. */
void client_name(unsigned int pid, const char *remote, char name[TSMBD_NAME])
{
	(void)remote;
	snprintf(name, TSMBD_NAME, "pid:%u", pid);
}

/* A long name that no other row has; the page escapes all of it. */
static void set_name(char name[TSMBD_NAME], unsigned int number)
{
	memset(name, '<', TSMBD_NAME - 1);
	snprintf(name, 16, "%u", number);
	name[strlen(name)] = '<';
}

static void set_top(struct top *top, unsigned int number)
{
	unsigned int i;
	int k;

	top->rows = calloc(CLIENTS, sizeof(struct top_row));
	assert_non_null(top->rows);
	top->count = CLIENTS;
	for (i = 0; i < CLIENTS; i++) {
		struct top_row *row = &top->rows[i];

		set_name(row->name, number * CLIENTS + i);
		set_name(row->share, number * CLIENTS + i);
		row->value.ns = 1000000000000 + i;
		row->value.bytes = 1000000000000;
		for (k = 0; k < SLOTS_COARSE; k++)
			row->value.slots[k] = REQUESTS;
		row->value.requests = SLOTS_COARSE * REQUESTS;
	}
}

static void set_waits(struct smbd_report *r, unsigned int number)
{
	unsigned int i;

	r->waits = calloc(WAITS, sizeof(*r->waits));
	assert_non_null(r->waits);
	r->num_waits = WAITS;
	for (i = 0; i < WAITS; i++) {
		struct waited *w = &r->waits[i];

		set_name(w->client, number * WAITS + i);
		set_name(w->holder, number * WAITS + i);
		w->count = REQUESTS;
		w->ns = 1000000000000 - i;
	}
}

static void set_commands(struct smbd_report *r)
{
	int op, i;

	for (op = 0; op < TSMBD_OPS; op++) {
		struct tsmbd_op *o = &r->counters.ops[op];

		o->count = SLOTS * REQUESTS;
		o->errors = REQUESTS;
		o->total_ns = 1000000000000;
		for (i = 0; i < SLOTS_FINE; i += SLOTS_FINE / SLOTS)
			o->slots[i] = REQUESTS;
	}
}

/* So many clients and files that there were never before. */
static void new_report(struct smbd_report *r, unsigned int number)
{
	const unsigned long long second = 1000000000;
	int kind, i;

	memset(r, 0, sizeof(*r));
	r->elapsed_ns = number < MINUTES ? 60 * second : second;
	r->end_ns = number < MINUTES ? 60 * second * (number + 1) :
		60 * second * MINUTES + second * (number - MINUTES + 1);
	r->end_ns += second + 20000000;
	r->totals.bytes_in = r->totals.bytes_out = 1000000000000;
	for (i = 0; i < TSMBD_PHASES; i++)
		r->tally.phase_ns[i] = 1000000000000;
	set_commands(r);
	for (kind = 0; kind < TSMBD_KINDS; kind++)
		set_top(&r->tops[kind], number);
	set_waits(r, number);
}

static void slow_requests(unsigned int number)
{
	static struct tsmbd_request_event e;
	unsigned int i;

	e.event.kind = TSMBD_EVENT_SLOW;
	e.event.time = 2000000000000000 + number;
	for (i = 0; i < PAGE_SLOW; i++) {
		e.request.start = 1000000000000000 + i;
		set_name(e.detail.user, number * PAGE_SLOW + i);
		set_name(e.detail.share, number * PAGE_SLOW + i);
		store_event(&e.event);
	}
}

static void take_all(void)
{
	static struct smbd_report report;
	unsigned int i;

	for (i = 0; i < REPORTS; i++) {
		slow_requests(i);
		new_report(&report, i);
		store_take(&report);
		smbd_report_clear(&report);
	}
	store_settle();
}

/* The data as text, which has to be freed. */
static char *make_data(size_t *size)
{
	static const struct options options;
	struct page_view view;
	char *text;
	FILE *file = open_memstream(&text, size);

	assert_non_null(file);
	view_begin(&view, &options, 5);
	data_write(file, &view);
	view_end(&view);
	fclose(file);
	return text;
}

static json_t *load_data(void)
{
	size_t size;
	char *text = make_data(&size);
	json_t *data = json_loads(text, 0, NULL);

	assert_non_null(data);
	free(text);
	return data;
}

static const json_t *span_of(const json_t *data, size_t i)
{
	return json_array_get(json_object_get(data, "spans"), i);
}

static json_int_t requests_in(const json_t *rows)
{
	json_int_t sum = 0;
	const json_t *row;
	size_t i;

	json_array_foreach((json_t *)rows, i, row)
		sum += json_integer_value(json_array_get(row, 2));
	return sum;
}

/* Those in the lists, and those of all other names. */
static json_int_t requests_of(const json_t *lists, const char *kind)
{
	const json_t *others = json_object_get(lists, "others");

	return requests_in(json_object_get(lists, kind)) +
		json_integer_value(json_array_get(json_object_get(
			others, kind), 2));
}

static void test_nothing_is_lost(void **state)
{
	const json_int_t requests = (json_int_t)CLIENTS * SLOTS_COARSE *
		REQUESTS;
	json_t *data = load_data();
	const json_t *details = json_object_get(span_of(data, PAGE_MINUTES),
						"details");
	const json_t *one;
	size_t i;

	(void)state;
	assert_true(json_array_size(details) > 10);
	assert_int_equal(requests_of(json_object_get(data, "overall"),
				     "clients"), REPORTS * requests);
	json_array_foreach((json_t *)details, i, one) {
		assert_int_equal(requests_of(one, "clients"), 10 * requests);
		assert_int_equal(requests_of(one, "files"), 10 * requests);
	}
	json_decref(data);
	assert_int_equal(page_store()->sum.counters.ops[TSMBD_READ].count,
			 (unsigned long long)REPORTS * SLOTS * REQUESTS);
}

static void test_each_second_is_a_step(void **state)
{
	const struct page_span *span = &page_store()->spans[PAGE_MINUTES];
	unsigned int i;

	(void)state;
	for (i = 0; i < span->num_points; i++) {
		assert_int_equal(span->points[i].elapsed_ns, 1000000000);
		assert_int_equal(span->points[i].ops[TSMBD_READ].count,
				 SLOTS * REQUESTS);
	}
}

static void test_names_have_a_limit(void **state)
{
	size_t bytes = 0;
	unsigned int i;

	(void)state;
	for (i = 0; i < pool_end(); i++) {
		assert_true(strlen(pool_name(i)) <= POOL_LONGEST);
		bytes += strlen(pool_name(i)) + POOL_MORE;
	}
	assert_true(bytes <= POOL_LIMIT + 200);
}

static void test_texts_have_a_limit(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < PAGE_SPANS; i++) {
		const struct page_span *span = &page_store()->spans[i];

		assert_true(span->used <= span->room);
		assert_true(span->used > span->room / 2);
	}
}

static void test_data_have_a_limit(void **state)
{
	size_t size;

	(void)state;
	free(make_data(&size));
	print_message("# %zu bytes of data\n", size);
	assert_true(size <= PAGE_DATA_LIMIT);
	assert_true(size > PAGE_DATA_LIMIT / 2);
}

/* What does not fit is said, and is the oldest. */
static void test_what_is_left_out_is_said(void **state)
{
	json_t *data = load_data();
	size_t i, k;

	(void)state;
	for (i = 0; i < PAGE_SPANS; i++) {
		const json_t *span = span_of(data, i);
		const json_t *one;
		json_int_t whole = json_integer_value(json_object_get(
			span, "whole_ms"));
		json_int_t end = json_integer_value(json_object_get(
			span, "end_ms"));

		assert_true(whole > 0 && whole <= end);
		json_array_foreach(json_object_get(span, "details"), k, one)
			assert_true(json_integer_value(json_object_get(
				one, "end_ms")) > whole);
	}
	json_decref(data);
}

/* All names that are referred to are there. */
static void test_no_name_is_missing(void **state)
{
	json_t *data = load_data();
	const json_t *names = json_object_get(data, "names");
	const json_t *detail, *row;
	size_t i, k, m;

	(void)state;
	for (i = 0; i < PAGE_SPANS; i++) {
		const json_t *span = span_of(data, i);

		json_array_foreach(json_object_get(span, "details"), k,
				   detail) {
			json_array_foreach(json_object_get(detail, "clients"),
					   m, row) {
				const json_t *name = json_array_get(
					names, (size_t)json_integer_value(
						json_array_get(row, 0)));

				assert_true(json_string_length(name) > 0);
			}
		}
	}
	json_decref(data);
}

/* A clock that was set while a history was written; it is the first test. */
static void test_what_is_before_the_first_step(void **state)
{
	static struct smbd_report report;
	const struct page_past past = {
		.end_ns = 2000000000, .lists = true, .spans = ~0U,
	};
	struct page_store *s = page_store();
	unsigned int k;
	int i;

	(void)state;
	new_report(&report, MINUTES);
	s->origin_ns = 1000000000000;
	store_take_past(&report, &past);
	smbd_report_clear(&report);
	for (i = 0; i < PAGE_SPANS; i++) {
		assert_true(s->spans[i].gathered == 0);
		for (k = 0; k < s->spans[i].num_points; k++)
			assert_true(s->spans[i].points[k].elapsed_ns == 0);
	}
	s->origin_ns = 0;
}

static int set_up(void **state)
{
	(void)state;
	take_all();
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_before_the_first_step),
		/* The others look at what this one has taken. */
		cmocka_unit_test_setup(test_nothing_is_lost, set_up),
		cmocka_unit_test(test_each_second_is_a_step),
		cmocka_unit_test(test_names_have_a_limit),
		cmocka_unit_test(test_texts_have_a_limit),
		cmocka_unit_test(test_data_have_a_limit),
		cmocka_unit_test(test_what_is_left_out_is_said),
		cmocka_unit_test(test_no_name_is_missing),
	};
	size_t size;

	free(make_data(&size));	/* before there is any report */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
