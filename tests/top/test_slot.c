/* SPDX-License-Identifier: BSD-2-Clause */
/* Spans under way that are likely to be so together have slots of their own. */
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
