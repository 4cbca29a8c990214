/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of jumps share: sites, a tap, and whether it jumps. */
#ifndef SDTKIT_TESTS_TAP_JUMPS_H
#define SDTKIT_TESTS_TAP_JUMPS_H

#include "../child.h"
#include "machine.h"
#include "raw_hits.h"
#include "tap_all.h"

/* Where that is not so, the test is left out; cmocka's skip() fails. */
#define only_if(condition)						\
	do {								\
		if (!(condition)) {					\
			print_message("# left out: not by jump\n");	\
			return;						\
		}							\
	} while (0)

/*
 * A test in a process of its own, where the condition holds: its body returns 0
 * if all is well.
 */
#define TEST_ALONE(name, condition)					\
static int name##_alone(void);						\
TEST(name)								\
{									\
	only_if(condition);						\
	assert_int_equal(in_child(name##_alone), 0);			\
}									\
static int name##_alone(void)

static inline struct sdtkit_tap *open_raw(const char *pattern)
{
	struct sdtkit_tap *tap = NULL;

	good(sdtkit_tap_open_raw(pattern, NULL, &raw_counting, &tap));
	return tap;
}

/* One site of taps:pair, and one of taps:number. */
__attribute__((noinline, unused)) static void fire(uint64_t number)
{
	TAPS_PAIR(number, "jump");
}

__attribute__((noinline, unused)) static void fire_number(int number)
{
	TAPS_NUMBER(number);
}

#endif /* SDTKIT_TESTS_TAP_JUMPS_H */
