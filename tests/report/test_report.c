/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums of reports have everything that the reports have, and JSON as well. */
#include <stdio.h>

#include "../cmocka_all.h"
#include "cache.h"
#include "report/json.h"
#include "slots/slots.h"

static struct report *sum_of(unsigned int from, unsigned int to)
{
	struct report *sum = report_new(&cache_tables);
	struct report *tick = report_new(&cache_tables);

	for (; from < to; from++) {
		cache_report(tick, from, 1000000000ULL * (from + 1));
		report_add(sum, tick);
	}
	report_free(tick);
	return sum;
}

TEST(test_sums_of_sums)
{
	struct report *all = sum_of(0, 30), *first = sum_of(0, 12);
	struct report *second = sum_of(12, 30);

	report_add(first, second);
	assert_same_rows(all, first);
	assert_int_equal(first->elapsed_ns, all->elapsed_ns);
	assert_int_equal(first->end_ns, all->end_ns);
	report_free(all);
	report_free(first);
	report_free(second);
}

/* What was sorted for printing can be added to. */
TEST(test_sorted_meanwhile)
{
	struct report *all = sum_of(0, 8), *sorted = sum_of(0, 0);
	unsigned int i;

	for (i = 0; i < 8; i++) {
		struct report *one = sum_of(i, i + 1);

		report_add(sorted, one);
		report_sort(sorted, CACHE_CLIENTS,
			    cache_tables.table[CACHE_CLIENTS].orders[i % 4]);
		report_free(one);
	}
	assert_same_rows(all, sorted);
	report_free(all);
	report_free(sorted);
}

TEST(test_sorted)
{
	struct report *r = sum_of(0, 8);
	const struct cache_client *a, *b;
	size_t i;

	report_sort(r, CACHE_CLIENTS, "bytes");
	for (i = 1; i < r->rows[CACHE_CLIENTS].count; i++) {
		a = report_row(r, CACHE_CLIENTS, i - 1);
		b = report_row(r, CACHE_CLIENTS, i);
		assert_true(a->bytes >= b->bytes);
	}
	report_sort(r, CACHE_CLIENTS, NULL);
	for (i = 1; i < r->rows[CACHE_CLIENTS].count; i++) {
		a = report_row(r, CACHE_CLIENTS, i - 1);
		b = report_row(r, CACHE_CLIENTS, i);
		assert_true(strcmp(a->name, b->name) < 0);
	}
	report_free(r);
}

static struct cache_server *with_server(struct report *r,
					unsigned long long end,
					unsigned long long connections,
					unsigned long long clients)
{
	struct cache_server *s;

	report_clear(r);
	s = report_append(r, CACHE_SERVER);
	r->end_ns = end;
	s->connections = connections;
	s->clients = clients;
	return s;
}

/* Who lives on is in several reports, and counts once. */
TEST(test_population)
{
	struct report *sum = report_new(&cache_tables);
	struct report *tick = report_new(&cache_tables);
	const struct cache_server *s;
	unsigned long long i;

	for (i = 1; i <= 5; i++) {
		with_server(tick, i, 3, 4);	/* one of them ends */
		report_add(sum, tick);
	}
	s = report_row(sum, CACHE_SERVER, 0);
	assert_int_equal(s->connections, 3);
	assert_int_equal(s->clients, 8);
	with_server(tick, 2, 2, 2);		/* an earlier one */
	report_add(sum, tick);
	s = report_row(sum, CACHE_SERVER, 0);
	assert_int_equal(s->connections, 3);
	assert_int_equal(s->clients, 8);
	report_free(sum);
	report_free(tick);
}

/* A later report without the row has none of what exists at its end. */
TEST(test_gauge_of_a_row_that_is_gone)
{
	struct report *sum = report_new(&cache_tables);
	struct report *tick = report_new(&cache_tables);
	const struct cache_server *s;

	with_server(sum, 1, 3, 3);
	tick->end_ns = 2;
	report_add(sum, tick);
	s = report_row(sum, CACHE_SERVER, 0);
	assert_int_equal(s->connections, 0);
	assert_int_equal(s->clients, 3);
	report_free(sum);
	report_free(tick);
}

TEST(test_hosts)
{
	struct report *sum = report_new(&cache_tables);
	struct report *tick = report_new(&cache_tables);
	const struct cache_server *s;

	with_server(tick, 100, 3, 3)->node = 1;
	strcpy(tick->hosts, "alpha");
	tick->elapsed_ns = 50;
	report_join(sum, tick);
	with_server(tick, 120, 2, 5);
	strcpy(tick->hosts, "beta");
	tick->elapsed_ns = 40;
	report_join(sum, tick);
	s = report_row(sum, CACHE_SERVER, 0);
	assert_string_equal(sum->hosts, "alpha,beta");
	assert_int_equal(sum->end_ns, 120);
	assert_int_equal(sum->elapsed_ns, 70);
	assert_int_equal(s->connections, 5);
	assert_int_equal(s->clients, 8);
	assert_int_equal(s->node, 0);
	report_free(sum);
	report_free(tick);
}

static unsigned long long all_of(const struct report *r, size_t t,
				 const char *key)
{
	const struct report_column *c =
		report_column_find(report_table(r, t), key);
	unsigned long long sum = 0;
	size_t i;

	for (i = 0; i < r->rows[t].count; i++)
		sum += report_get(c, report_row(r, t, i));
	return sum;
}

/* The first ones by each order stay, and nothing is lost. */
TEST(test_limits)
{
	struct report *r = report_new(&cache_tables);
	struct cache_client client = { .count = 0 };
	struct cache_error error = { .count = 1 };
	unsigned int i;

	for (i = 0; i < 5000; i++) {
		snprintf(client.name, sizeof(client.name), "client %u", i);
		client.count = i == 17 ? 10000 : 1;
		client.bytes = i == 18 ? 10000 : 2;
		client.errors = i == 4000;
		report_add_row(r, CACHE_CLIENTS, &client);
		error.code = i;
		report_add_row(r, CACHE_ERRORS, &error);
	}
	report_shrink(r, CACHE_CLIENTS, 10);
	assert_int_equal(r->rows[CACHE_CLIENTS].count, 10);
	assert_int_equal(all_of(r, CACHE_CLIENTS, "count"), 4999 + 10000);
	assert_int_equal(all_of(r, CACHE_CLIENTS, "bytes"),
			 4999 * 2 + 10000);
	strcpy(client.name, "client 17");
	assert_non_null(report_find(r, CACHE_CLIENTS, &client));
	strcpy(client.name, "client 18");
	assert_non_null(report_find(r, CACHE_CLIENTS, &client));
	strcpy(client.name, "client 4000");
	assert_non_null(report_find(r, CACHE_CLIENTS, &client));
	strcpy(client.name, REPORT_OTHER);
	assert_non_null(report_find(r, CACHE_CLIENTS, &client));
	assert_int_equal(all_of(r, CACHE_ERRORS, "count"), 5000);
	assert_true(r->rows[CACHE_ERRORS].count < 128);
	error.command = 4;
	error.code = 9999;
	assert_non_null(report_find(r, CACHE_ERRORS, &error));
	report_free(r);
}

/* What has no row of its own is told by command, if these are few. */
TEST(test_others_of_each)
{
	struct report_table pairs = cache_tables.table[CACHE_PAIRS];
	const struct report_tables tables = { &pairs, 1 };
	struct cache_pair pair = { .count = 1 };
	struct report *r = report_new(&tables);
	unsigned int commands, i;

	pairs.other = "name";
	pairs.limit = 10;
	for (commands = 1; commands < 8; commands += 2) {
		report_clear(r);
		for (i = 0; i < 1000 * commands; i++) {
			snprintf(pair.name, sizeof(pair.name), "client %u", i);
			pair.command = i % commands;
			report_add_row(r, 0, &pair);
		}
		report_shrink(r, 0, 10);
		assert_true(r->rows[0].count <= 10);
		assert_int_equal(all_of(r, 0, "count"), 1000 * commands);
		strcpy(pair.name, REPORT_OTHER);
		for (i = 0; i < 3; i++) {
			pair.command = i;
			assert_true((report_find(r, 0, &pair) != NULL) ==
				    (i < commands && commands < 6));
		}
	}
	report_free(r);
}

static json_t *to_json(const struct report *r, unsigned int tables)
{
	const struct report_view view = { .tables = tables };
	json_t *object = json_object();

	json_object_set_new(object, "time",
			    json_string("2026-11-21T14:03:21.482+01:00"));
	report_to_json(r, &view, object);
	return object;
}

TEST(test_json)
{
	struct report *r = sum_of(3, 20), *back = report_new(&cache_tables);
	json_t *object = to_json(r, 1U << CACHE_CLIENTS);
	unsigned int tables;
	char why[REPORT_WHY];

	assert_true(report_from_json(object, back, &tables, why));
	assert_same_rows(r, back);
	assert_int_equal(tables & 1U << CACHE_CLIENTS, 1U << CACHE_CLIENTS);
	assert_int_equal(back->elapsed_ns, r->elapsed_ns);
	json_decref(object);
	report_clear(back);
	object = to_json(r, 0);
	assert_null(json_object_get(object, "top"));
	assert_true(report_from_json(object, back, &tables, why));
	assert_int_equal(back->rows[CACHE_CLIENTS].count, 0);
	json_decref(object);
	report_free(r);
	report_free(back);
}

/* Any member of any object that has the wrong type is refused by its name. */
static void spoil(json_t *root, json_t *object, int *tried)
{
	struct report *back = report_new(&cache_tables);
	char why[REPORT_WHY], name[64];
	unsigned int tables;
	const char *key;
	json_t *value;
	void *next;

	json_object_foreach_safe(object, next, key, value) {
		json_t *kept = json_incref(value);

		snprintf(name, sizeof(name), "'%s'", key);
		if (report_column_find(&cache_tables.table[CACHE_COMMANDS],
				       key) != NULL &&
		    strcmp(key, "p99_us") == 0) {
			json_decref(kept);
			continue;
		}
		json_object_set_new(object, key, json_false());
		report_clear(back);
		if (report_from_json(root, back, &tables, why)) {
			/* names of numbers are for people */
			assert_string_equal(key, "name");
		} else {
			(*tried)++;
			assert_non_null(strchr(why, '\''));
		}
		json_object_set_new(object, key, kept);
	}
	report_free(back);
}

TEST(test_hostile_json)
{
	struct report *r = sum_of(3, 5);
	json_t *object = to_json(r, 1U << CACHE_CLIENTS);
	int tried = 0;

	spoil(object, object, &tried);
	spoil(object, json_object_get(object, "now"), &tried);
	spoil(object, json_array_get(json_object_get(object, "commands"), 0),
	      &tried);
	spoil(object, json_array_get(json_object_get(object, "errors"), 0),
	      &tried);
	spoil(object, json_object_get(json_array_get(json_object_get(
		object, "commands"), 0), "slots"), &tried);
	assert_true(tried > 20);
	json_decref(object);
	report_free(r);
}

TEST(test_names_that_are_too_long)
{
	const struct report_key *key =
		&cache_tables.table[CACHE_COMMANDS].keys[0];
	struct cache_command row;

	report_key_copy(key, &row, "0123456789abcd\xc3\xa4xyz");
	assert_string_equal(row.name, "0123456789abcd");
	report_key_copy(key, &row, "short");
	assert_string_equal(row.name, "short");
}

TEST(test_slots)
{
	const struct report_table *table =
		&cache_tables.table[CACHE_COMMANDS];
	const struct report_column *slots = report_column_find(table, "slots");
	unsigned long long powers[REPORT_POWERS];
	struct cache_command row = { .count = 0 };
	unsigned int slot;

	for (slot = 0; slot < slots->slots; slot++)
		assert_int_equal(report_slot_of(
			slots, report_slot_least(slots, slot)), slot);
	assert_true(report_quantile(table, &row, 0.99) < 1e-9);
	report_slot_add(slots, &row, report_slot_of(slots, 1000), 3);
	report_slot_add(slots, &row, report_slot_of(slots, 4000000), 1);
	row.max_ns = 4000000000;
	assert_true(report_quantile(table, &row, 0.5) > 940);
	assert_true(report_quantile(table, &row, 0.5) < 1060);
	assert_true(report_quantile(table, &row, 1) <= 4000000);
	report_fold(slots, &row, powers);
	assert_int_equal(powers[9], 3);
	assert_int_equal(powers[21], 1);
}

/* The middle of the slot of one value is not that value. */
/* 2^53 + 3 becomes 2^53 + 4: there is no value of that rank. */
TEST(test_more_values_than_a_double_counts)
{
	const unsigned long long slots[16] = { (1ULL << 53) + 3, [10] = 100 };

	assert_true(slots_quantile(slots, 8, 1, 1) < 0.51);
	assert_true(slots_quantile(slots, 8, 1, 1) > 0.49);
}

TEST(test_quantiles_that_are_exact)
{
	const struct report_table *table =
		&cache_tables.table[CACHE_COMMANDS];
	const struct report_column *slots = report_column_find(table, "slots");
	struct cache_command row = { .max_ns = 1001000 };

	report_slot_add(slots, &row, report_slot_of(slots, 1001), 1);
	assert_true(report_quantile(table, &row, 0.5) >= 1001);
	row.max_ns = 9000000000000000;
	report_slot_add(slots, &row, slots->slots - 1U, 3);
	assert_true(report_quantile(table, &row, 0.9) >= 9e12);
}

/* The unit of the slots is 64 ns, and that of the other columns 1 ns. */
TEST(test_slots_of_another_unit)
{
	struct report_column columns[] = {
		{ .kind = REPORT_SLOTS, .slots = SLOTS_FINE, .eighths = 1,
		  .slots_ns = 64,
		  .offset = offsetof(struct cache_command, slots) },
		{ .kind = REPORT_MOST, .unit = REPORT_NS,
		  .offset = offsetof(struct cache_command, max_ns) },
	};
	const struct report_table table = {
		.columns = columns, .num_columns = 2,
	};
	struct cache_command row = { .max_ns = 6400 };

	report_slot_add(&columns[0], &row, 100, 2);
	assert_true(report_quantile(&table, &row, 0.5) <= 100);
	assert_true(report_quantile(&table, &row, 0.5) >= 100);
}

TEST(test_subtracted)
{
	const struct report_table *table =
		&cache_tables.table[CACHE_COMMANDS];
	struct cache_command before = { .count = 3, .ns = 40, .max_ns = 9,
		.slots = { [7] = 2 } };
	struct cache_command row = { .count = 5, .ns = 90, .max_ns = 8,
		.slots = { [7] = 3, [8] = 1 } };

	report_subtract_row(table, &row, &before);
	assert_int_equal(row.count, 2);
	assert_int_equal(row.ns, 50);
	assert_int_equal(row.max_ns, 8);
	assert_int_equal(row.slots[7], 1);
	assert_int_equal(row.slots[8], 1);
}

/* Rows with the same first key stay together. */
TEST(test_grouped)
{
	struct report_table table = cache_tables.table[CACHE_ERRORS];
	const struct report_tables tables = { &table, 1 };
	static const unsigned int sorted[] = { 23, 21, 22, 13, 12, 11 };
	struct report *r = report_new(&tables);
	struct cache_error *row;
	size_t i;

	table.grouped = true;
	for (i = 6; i > 0; i--) {
		row = report_append(r, 0);
		row->code = sorted[i - 1];
		row->command = 3 - row->code / 10;
		row->count = (i > 3 ? 100 : 10) - i;
	}
	report_sort(r, 0, "count");
	for (i = 0; i < 6; i++) {
		row = report_row(r, 0, i);
		assert_int_equal(row->code, sorted[i]);
	}
	report_free(r);
}

/* As sum_of(), but of clients that are as many as a busy server has. */
static struct report *many_clients(void)
{
	struct report *r = report_new(&cache_tables);
	struct cache_client *c;
	unsigned int i;

	for (i = 0; i < 5000; i++) {
		c = report_append(r, CACHE_CLIENTS);
		snprintf(c->name, sizeof(c->name), "client-%u", i);
		c->count = 1 + i * 7919 % 100;
		c->bytes = i * 104729 % 5003;
		c->ns = i * 1299709ULL % 5009 * 1000;
		c->max_ns = c->ns;
		c->errors = i % 1000 == 7;
		c->slots[i % SLOTS_COARSE] = (unsigned int)c->count;
	}
	return r;
}

/* The first of a column, by sorting, are among those that have a row. */
static void assert_has_first(struct report *sum, struct report *all,
			     const char *key, size_t count)
{
	size_t i;

	report_sort(all, CACHE_CLIENTS, key);
	for (i = 0; i < count; i++)
		assert_non_null(report_find(sum, CACHE_CLIENTS, report_row(
			all, CACHE_CLIENTS, i)));
}

TEST(test_first_rows)
{
	struct report *all = many_clients(), *sum = report_new(&cache_tables);
	struct cache_client whole = { .count = 0 }, found = { .count = 0 };
	const struct report_table *table = &cache_tables.table[CACHE_CLIENTS];
	size_t i;

	report_add_first(sum, all, CACHE_CLIENTS, 40);
	assert_int_equal(sum->rows[CACHE_CLIENTS].count, 41);
	assert_has_first(sum, all, "count", 10);
	assert_has_first(sum, all, "bytes", 10);
	assert_has_first(sum, all, "total_us", 10);
	assert_has_first(sum, all, "errors", 5);
	for (i = 0; i < all->rows[CACHE_CLIENTS].count; i++)
		report_sum_row(table, &whole, report_row(all, CACHE_CLIENTS,
							 i));
	for (i = 0; i < sum->rows[CACHE_CLIENTS].count; i++)
		report_sum_row(table, &found, report_row(sum, CACHE_CLIENTS,
							 i));
	assert_memory_equal(&whole, &found, sizeof(whole));
	/* few rows have rows of their own, within the limit of the table */
	report_add_first(all, sum, CACHE_CLIENTS, 41);
	assert_int_equal(all->rows[CACHE_CLIENTS].count, 64);
	report_free(all);
	report_free(sum);
}
