/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which names have series of their own. Whatever happens, a request is counted
 * once, and no counter falls.
 */
#include <stdio.h>

#include "../cmocka_all.h"
#include "base/siphash.h"
#include "cache.h"
#include "metrics/series.h"

static const unsigned long long SECOND = 1000000000ULL;
static const unsigned long long HOUR = 3600 * 1000000000ULL;
static const struct metrics_table pairs = {
	.table = CACHE_PAIRS, .way = METRICS_PAIRS, .most = 3,
	.names = CACHE_CLIENTS,
};

static const struct metrics_table clients = {
	.table = CACHE_CLIENTS, .way = METRICS_TOP,
};

static struct series_set *set;
static struct report sum = { .tables = &cache_tables };

static void begin_with(unsigned int max_shown)
{
	report_clear(&sum);
	series_free(set);
	set = series_new(&sum, &clients, max_shown);
	set->pairs = &pairs;
	series_set_time(set, SECOND);
}

static int begin(void **state)
{
	begin_with(2);
	return 0;
}

static void add(const char *name, unsigned long long requests)
{
	struct cache_client row = {
		.count = requests, .bytes = 10 * requests, .ns = 1,
	};

	snprintf(row.name, sizeof(row.name), "%s", name);
	series_add(set, &row);
}

static void add_pair(const char *name, unsigned int command,
		     unsigned long long requests)
{
	struct cache_pair row = {
		.command = command, .count = requests, .ns = 5,
	};

	snprintf(row.name, sizeof(row.name), "%s", name);
	series_add_pair(set, &row);
}

/* What is counted in the row of a name, if that is shown. */
static unsigned long long shown(const char *name)
{
	struct cache_client like = { .count = 0 };
	const struct cache_client *row;

	snprintf(like.name, sizeof(like.name), "%s", name);
	row = report_find(&sum, CACHE_CLIENTS, &like);
	return row == NULL || !series_shows(set, CACHE_CLIENTS, row) ? 0 :
		row->count;
}

static unsigned long long pair(const char *name, unsigned int command)
{
	struct cache_pair like = { .command = command };
	const struct cache_pair *row;

	snprintf(like.name, sizeof(like.name), "%s", name);
	row = report_find(&sum, CACHE_PAIRS, &like);
	return row == NULL || !series_shows(set, CACHE_PAIRS, row) ? 0 :
		row->count;
}

TEST_WITH(test_the_first_ones_are_shown, begin, NULL)
{
	add("a", 1);
	add("b", 2);
	add("c", 4);
	add("a", 8);
	add("other", 5);
	assert_int_equal(shown("a"), 9);
	assert_int_equal(shown("b"), 2);
	assert_int_equal(shown("c"), 0);
	assert_int_equal(shown("other"), 4 + 5);
	assert_int_equal(set->num_known, 3);
}

TEST_WITH(test_an_idle_one_gives_up_its_series, begin, NULL)
{
	add("a", 1);
	add("b", 2);
	series_set_time(set, HOUR - SECOND);
	add("b", 1);
	series_set_time(set, HOUR);
	add("c", 4);
	assert_int_equal(shown("c"), 0);
	series_set_time(set, HOUR + SECOND);
	add("c", 8);
	assert_int_equal(shown("a"), 0);
	assert_int_equal(shown("b"), 3);
	assert_int_equal(shown("c"), 8);
	assert_int_equal(shown("other"), 4);
	/* it comes back, and goes on where it was */
	series_set_time(set, 3 * HOUR);
	add("a", 16);
	assert_int_equal(shown("a"), 17);
}

TEST_WITH(test_busy_ones_take_the_place_of_others, begin, NULL)
{
	add("a", 10);
	add("b", 100);
	add("c", 21);
	add("d", 1000);
	series_set_time(set, 601 * SECOND);
	assert_int_equal(set->num_shown, 2);
	add("a", 1);
	add("b", 1);
	add("c", 1);
	add("d", 1);
	/* d was more than twice as busy as both of them, c only than a */
	assert_int_equal(shown("d"), 1);
	assert_int_equal(shown("b"), 101);
	assert_int_equal(shown("a"), 0);
	assert_int_equal(shown("c"), 0);
	assert_int_equal(shown("other"), 21 + 1000 + 1 + 1);
}

TEST_WITH(test_pairs_follow_their_name, begin, NULL)
{
	add("a", 1);
	add_pair("a", 0, 1);
	add_pair("a", 1, 2);
	add("b", 1);
	add_pair("b", 0, 1);
	add_pair("b", 1, 1);
	add("c", 2);
	add_pair("c", 0, 2);
	assert_int_equal(set->num_pairs, 3);
	assert_int_equal(pair("b", 1), 0);
	assert_int_equal(pair("other", 0), 2);
	assert_int_equal(pair("other", 1), 1);
	series_set_time(set, 2 * HOUR);
	add("c", 4);
	add_pair("c", 0, 4);
	assert_int_equal(set->num_pairs, 2);
	assert_int_equal(pair("c", 0), 4);
	assert_int_equal(pair("a", 0), 0);
	/* it goes on where it was */
	series_set_time(set, 4 * HOUR);
	add("a", 1);
	add_pair("a", 1, 8);
	assert_int_equal(pair("a", 1), 10);
}

/* What a scraper saw last, by name. */
enum { NAMES = 3000, TICKS = 3000 };
static unsigned long long seen[NAMES];

static void name_of(int number, char name[16])
{
	snprintf(name, 16, "n%d", number);
}

/* Checks what is shown after a tick; returns the sum of all values. */
static unsigned long long scrape(unsigned long long *other)
{
	unsigned long long all = 0;
	unsigned int count = 0;
	size_t i;

	assert_true(shown("other") >= *other);
	*other = shown("other");
	for (i = 0; i < sum.rows[CACHE_CLIENTS].count; i++) {
		const struct cache_client *row =
			report_row(&sum, CACHE_CLIENTS, i);

		all += row->count;
		if (strcmp(row->name, "other") == 0 ||
		    !series_shows(set, CACHE_CLIENTS, row))
			continue;
		count++;
		assert_true(row->count >= seen[atoi(row->name + 1)]);
		seen[atoi(row->name + 1)] = row->count;
	}
	assert_int_equal(count, set->num_shown);
	assert_true(count <= set->max_shown);
	return all;
}

TEST_WITH(test_fewer_are_allowed, begin, NULL)
{
	add("a", 1);
	add("b", 2);
	series_limit(set, 1);
	assert_int_equal(shown("a"), 0);
	assert_int_equal(shown("b"), 2);
	series_set_time(set, 2 * SECOND);
	add("a", 4);
	assert_int_equal(shown("other"), 4);
	series_limit(set, 2);
	series_set_time(set, 3 * SECOND);
	add("a", 8);
	assert_int_equal(shown("a"), 9);
}

/*
 * Fewer names than are remembered: none ever falls, whatever is shown, and
 * however many may be.
 */
TEST(test_nothing_falls)
{
	unsigned long long all = 0, other = 0, now = 0;
	unsigned int random = 1;
	char name[16];
	int tick, i;

	begin_with(20);
	memset(seen, 0, sizeof(seen));
	for (tick = 0; tick < TICKS; tick++) {
		now += (tick % 50 == 0 ? 4000 : 30) * SECOND;
		series_set_time(set, now);
		if (tick % 40 == 0)
			series_limit(set, 5 + (unsigned int)tick / 40 % 30);
		for (i = 0; i < 30; i++) {
			random = random * 1103515245 + 12345;
			name_of((int)(random >> 16) % 1000, name);
			add(name, random >> 24);
			all += random >> 24;
		}
		assert_int_equal(scrape(&other), all);
	}
}

/* More names than are remembered: those that are shown keep their values. */
TEST(test_many_names)
{
	unsigned long long other = 0, now = 0;
	char name[16];
	int tick, i;

	begin_with(20);
	memset(seen, 0, sizeof(seen));
	for (tick = 0; tick < 50; tick++) {
		now += SECOND;
		series_set_time(set, now);
		for (i = 0; i < NAMES; i++) {
			name_of(i, name);
			add(name, 1);
		}
		scrape(&other);
	}
	assert_int_equal(set->num_known, SERIES_KNOWN);
	assert_int_equal(set->num_new, SERIES_NEW);
	assert_int_equal(other, 50 * (NAMES - 20));
}

/* The vectors of the paper: bytes 0, 1, 2... with the key 00 01 ... 0f. */
TEST(test_siphash)
{
	static const unsigned long long key[2] = {
		0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL,
	};
	unsigned char bytes[16];
	unsigned char i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i;
	assert_true(siphash(key, bytes, 15) == 0xa129ca6149be45e5ULL);
	assert_true(siphash(key, bytes, 0) == 0x726fdb47dd0e0e31ULL);
	assert_true(siphash(key, bytes, 8) == 0x93f5f5799a932462ULL);
}
