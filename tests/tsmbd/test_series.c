/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which names have series of their own. Whatever happens, a request is counted
 * once, and no counter falls.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/siphash.h"
#include "metrics/series.h"

static const unsigned long long SECOND = 1000000000ULL;
static const unsigned long long HOUR = 3600 * 1000000000ULL;

static struct series_set set;

static int begin(void **state)
{
	(void)state;
	series_begin(&set, 2);
	series_set_time(&set, SECOND);
	return 0;
}

static void add(const char *name, unsigned long long requests)
{
	const struct series_value value = { requests, 0, 10 * requests, 1 };

	series_add(&set, name, &value);
}

static const struct series *find(const char *name)
{
	int i;

	for (i = 0; i < set.num_known; i++) {
		if (strcmp(set.known[i].name, name) == 0)
			return &set.known[i];
	}
	return NULL;
}

/* What the series of a name shows; 0 if it has none. */
static unsigned long long shown(const char *name)
{
	const struct series *s = find(name);

	return s == NULL || !s->shown ? 0 : s->value.requests;
}

static void test_the_first_ones_are_shown(void **state)
{
	(void)state;
	add("a", 1);
	add("b", 2);
	add("c", 4);
	add("a", 8);
	assert_int_equal(shown("a"), 9);
	assert_int_equal(shown("b"), 2);
	assert_int_equal(shown("c"), 0);
	assert_int_equal(set.other.requests, 4);
	assert_int_equal(set.other.bytes, 40);
}

static void test_other_is_other(void **state)
{
	(void)state;
	add("other", 5);
	add("a", 1);
	assert_int_equal(set.other.requests, 5);
	assert_null(find("other"));
}

static void test_an_idle_one_gives_up_its_series(void **state)
{
	(void)state;
	add("a", 1);
	add("b", 2);
	series_set_time(&set, HOUR - SECOND);
	add("b", 1);
	series_set_time(&set, HOUR);
	add("c", 4);
	assert_int_equal(shown("c"), 0);
	series_set_time(&set, HOUR + SECOND);
	add("c", 8);
	assert_int_equal(shown("a"), 0);
	assert_int_equal(shown("b"), 3);
	assert_int_equal(shown("c"), 8);
	assert_int_equal(set.other.requests, 4);
	/* it comes back, and goes on where it was */
	series_set_time(&set, 3 * HOUR);
	add("a", 16);
	assert_int_equal(shown("a"), 17);
}

static void test_busy_ones_take_the_place_of_others(void **state)
{
	(void)state;
	add("a", 10);
	add("b", 100);
	add("c", 21);
	add("d", 1000);
	series_set_time(&set, 601 * SECOND);
	assert_int_equal(set.num_shown, 2);
	add("a", 1);
	add("b", 1);
	add("c", 1);
	add("d", 1);
	/* d was more than twice as busy as both of them, c only than a */
	assert_int_equal(shown("d"), 1);
	assert_int_equal(shown("b"), 101);
	assert_int_equal(shown("a"), 0);
	assert_int_equal(shown("c"), 0);
	assert_int_equal(set.other.requests, 21 + 1000 + 1 + 1);
}

static void test_pairs_follow_their_share(void **state)
{
	(void)state;
	add("a", 1);
	series_add_pair(&set, "a", TSMBD_READ, 1, 5);
	add("b", 1);
	series_add_pair(&set, "b", TSMBD_READ, 1, 5);
	add("c", 2);
	series_add_pair(&set, "c", TSMBD_READ, 2, 7);
	assert_int_equal(set.num_pairs, 2);
	assert_int_equal(set.other_pairs[TSMBD_READ].requests, 2);
	assert_int_equal(set.other_pairs[TSMBD_READ].ns, 7);
	series_set_time(&set, 2 * HOUR);
	add("c", 4);
	series_add_pair(&set, "c", TSMBD_READ, 4, 7);
	assert_int_equal(set.num_pairs, 2);
	assert_int_equal(find("c")->pairs[TSMBD_READ].requests, 4);
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
	unsigned long long sum = 0;
	int i, number, count = 0;

	assert_true(set.other.requests >= *other);
	*other = set.other.requests;
	for (i = 0; i < set.num_known; i++) {
		const struct series *s = &set.known[i];

		sum += s->value.requests;
		count += s->shown;
		if (!s->shown)
			continue;
		number = atoi(s->name + 1);
		assert_true(s->value.requests >= seen[number]);
		seen[number] = s->value.requests;
	}
	assert_int_equal(count, set.num_shown);
	assert_true(count <= set.max_shown);
	return sum + set.other.requests;
}

static void test_fewer_are_allowed(void **state)
{
	(void)state;
	add("a", 1);
	add("b", 2);
	series_limit(&set, 1);
	assert_int_equal(shown("a"), 0);
	assert_int_equal(shown("b"), 2);
	series_set_time(&set, 2 * SECOND);
	add("a", 4);
	assert_int_equal(set.other.requests, 4);
	series_limit(&set, 2);
	series_set_time(&set, 3 * SECOND);
	add("a", 8);
	assert_int_equal(shown("a"), 9);
}

/*
 * Fewer names than are remembered: none ever falls, whatever is shown, and
 * however many may be.
 */
static void test_nothing_falls(void **state)
{
	unsigned long long all = 0, other = 0, now = 0;
	unsigned int random = 1;
	char name[16];
	int tick, i;

	(void)state;
	series_begin(&set, 20);
	memset(seen, 0, sizeof(seen));
	for (tick = 0; tick < TICKS; tick++) {
		now += (tick % 50 == 0 ? 4000 : 30) * SECOND;
		series_set_time(&set, now);
		if (tick % 40 == 0)
			series_limit(&set, 5 + tick / 40 % 30);
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
static void test_many_names(void **state)
{
	unsigned long long other = 0, now = 0;
	char name[16];
	int tick, i;

	(void)state;
	series_begin(&set, 20);
	memset(seen, 0, sizeof(seen));
	for (tick = 0; tick < 50; tick++) {
		now += SECOND;
		series_set_time(&set, now);
		for (i = 0; i < NAMES; i++) {
			name_of(i, name);
			add(name, 1);
		}
		scrape(&other);
	}
	assert_int_equal(set.num_known, SERIES_KNOWN);
	assert_int_equal(set.num_new, SERIES_NEW);
	assert_int_equal(other, 50 * (NAMES - 20));
}

/* The vectors of the paper: bytes 0, 1, 2... with the key 00 01 ... 0f. */
static void test_siphash(void **state)
{
	static const unsigned long long key[2] = {
		0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL,
	};
	unsigned char bytes[16];
	unsigned char i;

	(void)state;
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i;
	assert_true(siphash(key, bytes, 15) == 0xa129ca6149be45e5ULL);
	assert_true(siphash(key, bytes, 0) == 0x726fdb47dd0e0e31ULL);
	assert_true(siphash(key, bytes, 8) == 0x93f5f5799a932462ULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_the_first_ones_are_shown, begin),
		cmocka_unit_test_setup(test_other_is_other, begin),
		cmocka_unit_test_setup(test_an_idle_one_gives_up_its_series,
				       begin),
		cmocka_unit_test_setup(test_busy_ones_take_the_place_of_others,
				       begin),
		cmocka_unit_test_setup(test_pairs_follow_their_share, begin),
		cmocka_unit_test_setup(test_fewer_are_allowed, begin),
		cmocka_unit_test(test_nothing_falls),
		cmocka_unit_test(test_many_names),
		cmocka_unit_test(test_siphash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
