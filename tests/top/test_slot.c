/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Spans under way that are likely to be so together have slots of their own.
 * The longest of a report is that of no other report.
 */
#include <stdbool.h>

#include "../cmocka_all.h"
#include "tool/top/slot.h"

static bool used[TOP_SLOTS];

static unsigned int count_slots(unsigned int spans, unsigned int depths)
{
	struct top_key key = { .process = 4711, .key = { 0x55d0c0ffee40 } };
	unsigned int count = 0;
	unsigned int index;

	memset(used, 0, sizeof(used));
	for (key.span = 0; key.span < spans; key.span++) {
		for (key.depth = 0; key.depth < depths; key.depth++) {
			index = top_slot_index(&key, 1);
			assert_in_range(index, 0, TOP_SLOTS - 1);
			count += !used[index];
			used[index] = true;
		}
	}
	return count;
}

TEST(spans_of_the_same_key_have_slots_of_their_own)
{
	assert_int_equal(count_slots(32, 1), 32);
}

TEST(functions_of_a_thread_have_slots_of_their_own)
{
	assert_int_equal(count_slots(4, TOP_DEPTH), 4 * TOP_DEPTH);
}

TEST(a_longer_time_is_a_larger_maximum_of_the_same_report)
{
	static const unsigned long long ns[] = {
		0, 1, 1ULL << 46, (1ULL << 47) - 1, 1ULL << 47,
		(1ULL << 47) + 65536, 1ULL << 62,
	};
	size_t i;

	for (i = 0; i < sizeof(ns) / sizeof(ns[0]); i++) {
		assert_int_equal(top_max_ns(top_max(7, ns[i]), 7), ns[i]);
		assert_true(i == 0 || top_max(7, ns[i]) > top_max(7, ns[i - 1]));
	}
}

TEST(a_maximum_of_another_report_is_none)
{
	assert_int_equal(top_max_ns(top_max(7, 1000), 9), 0);
	assert_int_equal(top_max_ns(top_max(65535, 1000), 65535), 1000);
	assert_int_equal(top_max_ns(top_max(65536, 1000), 65536), 1000);
	assert_int_equal(top_max_ns(top_max(65535, 1000), 65537), 0);
}
