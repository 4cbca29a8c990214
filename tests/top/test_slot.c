/* SPDX-License-Identifier: BSD-2-Clause */
/* Spans under way that are likely to be so together have slots of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "top/slot.h"

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

static void spans_of_the_same_key_have_slots_of_their_own(void **state)
{
	assert_int_equal(count_slots(32, 1), 32);
}

static void functions_of_a_thread_have_slots_of_their_own(void **state)
{
	assert_int_equal(count_slots(4, TOP_DEPTH), 4 * TOP_DEPTH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_of_the_same_key_have_slots_of_their_own),
		cmocka_unit_test(functions_of_a_thread_have_slots_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
