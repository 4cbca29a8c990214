/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the page keeps has a limit, and its sums have everything: in the worst
 * case, as all commands have all latencies, and no name comes twice. The server
 * does not exist.
 */
#include <stdio.h>

#include "page/data.h"
#include "page/pool.h"
#include "page/store.h"
#include "../cmocka_all.h"
#include "cache.h"

enum {
	MINUTES = 400,			/* reports of a minute, and then */
	SECONDS = 700,			/* of a second */
	REPORTS = MINUTES + SECONDS,
	COMMANDS = PAGE_KEYS + 3,
	CLIENTS = 80,
	SLOTS = 32,			/* latencies of each command */
	REQUESTS = 1234567,		/* of each latency */
	EVENTS = PAGE_KEPT + 2,		/* in each report */
};

static const struct page_series series[] = {
	{ .key = "hits", .table = CACHE_SERVER, .group = CACHE_TRAFFIC,
	  .column = "hits" },
	{ .key = "bytes", .table = CACHE_SERVER, .group = CACHE_TRAFFIC,
	  .column = "bytes" },
	{ .key = "states_us", .table = CACHE_SERVER, .group = CACHE_STATES,
	  .each = true },
	{ .key = "all_us", .table = CACHE_SERVER, .group = CACHE_STATES },
	{ .key = "connections", .table = CACHE_SERVER, .group = CACHE_NOW,
	  .column = "connections" },
	{ .key = NULL },
};

enum { LIST_CLIENTS, LIST_SLOW };
static const struct page_list lists[] = {
	[LIST_CLIENTS] = { .key = "clients", .table = CACHE_CLIENTS,
		.title = "Client", .many = "Clients", .order = "total_us",
		.fields = { "name", "folder", "count", "bytes", "total_us",
			"max_us", "slots" } },
	[LIST_SLOW] = { .key = "slow", .table = CACHE_SLOW, .title = "Client",
		.events = true, .row = "name", .order = "total_us",
		.fields = { "client", "key", "name", "end_ms", "total_us",
			"disk_us" } },
	{ .key = NULL },
};

static const struct page_section sections[] = {
	{ "clients", "Clients", PAGE_RANKED, .lists = 1 << LIST_CLIENTS,
	  .since = "Most time", .none = "No client.",
	  .items = (const struct page_item[]){
		{ .key = "name", .form = PAGE_NAME, .before = "folder" },
		{ .key = NULL } } },
	{ .key = NULL },
};

static bool filtered(const void *options)
{
	return false;
}

static double slow_ms(const void *options)
{
	return 50;
}

static const struct page_description page = {
	.server = "cache",
	.series = series, .lists = lists, .sections = sections,
	.keyed = { .key = "rows",
		.columns = { "count", "errors", "total_us" } },
	.filtered = filtered, .slow_ms = slow_ms,
};

static json_t *to_json(const void *options, const struct report *report)
{
	json_t *object = json_object();

	report_to_json(report, &(struct report_view){ .lines = 0 }, object);
	return object;
}

static void sort(const void *options, struct report *report)
{
	report_sort(report, CACHE_COMMANDS, NULL);
}

static const struct report_heat heat = { .table = CACHE_COMMANDS,
	.column = "slots", .row = "command", .noun = "command" };

static const struct report_program program = {
	.name = "cached", .version = "1", .tables = &cache_tables,
	.page = &page, .json = to_json, .heat = &heat, .sort = sort,
};
static const struct sink_setup setup = { .program = &program };

/* A long name that no other row has; the page escapes all of it. */
static void set_name(char *name, size_t size, unsigned int number)
{
	memset(name, '<', size - 1);
	snprintf(name, 16, "%u", number);
	name[strlen(name)] = '<';
}

static void set_clients(struct report *r, unsigned int number)
{
	unsigned int i, k;

	for (i = 0; i < CLIENTS; i++) {
		struct cache_client *c = report_append(r, CACHE_CLIENTS);

		set_name(c->name, sizeof(c->name), number * CLIENTS + i);
		c->ns = 1000000000000 + i;
		c->bytes = 1000000000000;
		for (k = 0; k < SLOTS_COARSE; k++)
			c->slots[k] = REQUESTS;
		c->count = SLOTS_COARSE * REQUESTS;
	}
}

static void set_commands(struct report *r)
{
	unsigned int i, k;

	for (i = 0; i < COMMANDS; i++) {
		struct cache_command *c = report_append(r, CACHE_COMMANDS);

		snprintf(c->name, sizeof(c->name), "C%u", i);
		c->count = SLOTS * REQUESTS;
		c->errors = REQUESTS;
		c->ns = 1000000000000;
		for (k = 0; k < SLOTS_FINE; k += SLOTS_FINE / SLOTS)
			c->slots[k] = REQUESTS;
	}
}

/* So many clients that there were never before. */
static void new_report(struct report *r, unsigned int number)
{
	const unsigned long long second = 1000000000;
	struct cache_server *s;

	report_clear(r);
	r->elapsed_ns = number < MINUTES ? 60 * second : second;
	r->end_ns = number < MINUTES ? 60 * second * (number + 1) :
		60 * second * MINUTES + second * (number - MINUTES + 1);
	r->end_ns += second + 20000000;
	s = report_append(r, CACHE_SERVER);
	s->hits = s->bytes = s->idle_ns = s->busy_ns = 1000000000000;
	s->connections = number;
	set_commands(r);
	set_clients(r, number);
}

static void slow_commands(unsigned int number)
{
	static struct cache_slow row;
	unsigned int i;

	row.end_ns = 2000000000000000 + number;
	for (i = 0; i < EVENTS; i++) {
		row.total_ns = 1000000000000000 + i;
		set_name(row.client, sizeof(row.client), number * EVENTS + i);
		set_name(row.key, sizeof(row.key), number * EVENTS + i);
		store_event(&row);
	}
}

static void take_all(void)
{
	struct report *report = report_new(&cache_tables);
	unsigned int i;

	for (i = 0; i < REPORTS; i++) {
		slow_commands(i);
		new_report(report, i);
		store_take(report);
	}
	report_free(report);
	store_settle();
}

/* The data as text, which has to be freed. */
static char *make_data(size_t *size)
{
	struct page_view view;
	char *text;
	FILE *file = open_memstream(&text, size);

	assert_non_null(file);
	view_begin(&view, &setup, 5);
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

/* Before there is any report, there are data. */
static int open_store(void **state)
{
	size_t size;

	store_open(&program);
	free(make_data(&size));
	return 0;
}

static int fill_store(void **state)
{
	take_all();
	return 0;
}

/* A clock that was set while a history was written; it is the first test. */
TEST_WITH(test_what_is_before_the_first_step, open_store, NULL)
{
	const struct page_past past = {
		.end_ns = 2000000000, .lists = true, .spans = ~0U,
	};
	struct report *report = report_new(&cache_tables);
	struct page_store *s = page_store();
	unsigned int k;
	int i;

	new_report(report, MINUTES);
	s->origin_ns = 1000000000000;
	store_take_past(report, &past);
	report_free(report);
	for (i = 0; i < PAGE_SPANS; i++) {
		assert_true(s->spans[i].gathered == 0);
		for (k = 0; k < s->spans[i].num_points; k++)
			assert_int_equal(s->spans[i].points[k].number, 0);
	}
	s->origin_ns = 0;
}

TEST_WITH(test_nothing_is_lost, fill_store, NULL)
{
	const json_int_t requests = (json_int_t)CLIENTS * SLOTS_COARSE *
		REQUESTS;
	const struct cache_command like = { .name = "C5" };
	json_t *data = load_data();
	const json_t *details = json_object_get(span_of(data, PAGE_MINUTES),
						"details");
	const struct cache_command *sum;
	const json_t *one;
	size_t i;

	print_message("# %zu details\n", json_array_size(details));
	assert_true(json_array_size(details) > 3);
	assert_int_equal(requests_of(json_object_get(data, "overall"),
				     "clients"), REPORTS * requests);
	json_array_foreach((json_t *)details, i, one) {
		assert_int_equal(requests_of(one, "clients"), 10 * requests);
		/* those of a second come before its report does */
		if (i + 1 < json_array_size(details))
			assert_int_equal(json_integer_value(json_object_get(
				one, "other_slow")), 10 * EVENTS - PAGE_KEPT);
	}
	json_decref(data);
	sum = report_find(page_store()->sum, CACHE_COMMANDS, &like);
	assert_non_null(sum);
	assert_int_equal(sum->count,
			 (unsigned long long)REPORTS * SLOTS * REQUESTS);
}

/* Commands that have no place of their own are the last one together. */
TEST(test_each_second_is_a_step)
{
	const struct page_span *span = &page_store()->spans[PAGE_MINUTES];
	const size_t connections = PAGE_FIRST + 5;
	unsigned int i;

	assert_int_equal(points_count(&series[2]), 2);
	assert_int_equal(points_count(&series[3]), 1);
	for (i = 0; i < span->num_points; i++) {
		const struct page_point *p = &span->points[i];

		assert_int_equal(p->values[PAGE_ELAPSED], 1000000000);
		assert_int_equal(p->values[PAGE_FIRST], 1000000000000);
		assert_int_equal(p->values[points_keyed(5, 0)],
				 SLOTS * REQUESTS);
		assert_int_equal(p->values[points_keyed(PAGE_KEYS - 1, 0)],
				 (COMMANDS - PAGE_KEYS + 1) * SLOTS * REQUESTS);
		/* one second is before the first step of all minutes */
		assert_true(p->number + MINUTES - 60 * MINUTES - 1 ==
			    p->values[connections]);
	}
}

/* A group of numbers is a series of each of them, or of their sum. */
TEST(test_groups_are_series)
{
	json_t *data = load_data();
	const json_t *span = span_of(data, PAGE_MINUTES);
	const json_t *states = json_object_get(span, "states_us");
	const json_t *all = json_object_get(span, "all_us");

	assert_int_equal(json_object_size(states), 2);
	assert_int_equal(json_array_size(all), 600);
	assert_int_equal(json_integer_value(json_array_get(all, 5)),
			 2000000000);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(
		states, "idle"), 5)), 1000000000);
	json_decref(data);
}

TEST(test_names_have_a_limit)
{
	size_t bytes = 0;
	unsigned int i;

	for (i = 0; i < pool_end(); i++) {
		assert_true(strlen(pool_name(i)) <= POOL_LONGEST);
		bytes += strlen(pool_name(i)) + POOL_MORE;
	}
	assert_true(bytes <= POOL_LIMIT + 200);
}

TEST(test_texts_have_a_limit)
{
	int i;

	for (i = 0; i < PAGE_SPANS; i++) {
		const struct page_span *span = &page_store()->spans[i];

		assert_true(span->used <= span->room);
		assert_true(span->used > span->room / 2);
	}
}

TEST(test_data_have_a_limit)
{
	size_t size;

	free(make_data(&size));
	print_message("# %zu bytes of data\n", size);
	assert_true(size <= PAGE_DATA_LIMIT);
	assert_true(size > PAGE_DATA_LIMIT / 2);
}

/* What does not fit is said, and is the oldest. */
TEST(test_what_is_left_out_is_said)
{
	json_t *data = load_data();
	size_t i, k;

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
TEST(test_no_name_is_missing)
{
	json_t *data = load_data();
	const json_t *names = json_object_get(data, "names");
	const json_t *detail, *row;
	size_t i, k, m;

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
