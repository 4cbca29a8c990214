/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmocka.h, and the headers that it needs before it; tests that add themselves
 * to their program:
 *
 *	TEST(test_sum)
 *	{
 *		assert_int_equal(sum(1, 2), 3);
 *	}
 *
 * They run in their order in the file. A program that does more than to run all
 * of them has a main() of its own.
 */
#ifndef SDTKIT_TESTS_CMOCKA_ALL_H
#define SDTKIT_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

#define TEST_WITH(name, set_up, tear_down)				\
static void name(void **state);						\
__attribute__((constructor(1000 + __COUNTER__)))			\
static void add_##name(void)						\
{									\
	add_test(__FILE__, (struct CMUnitTest) {			\
		 #name, name, set_up, tear_down, NULL });		\
}									\
static void name(void **state)

#define TEST(name)	TEST_WITH(name, NULL, NULL)

void add_test(const char *file, struct CMUnitTest test);

/*
 * Runs the tests of a file or of a room, or all (NULL), between the two
 * functions, which may be NULL. Returns an exit status.
 */
int tests_run(const char *name, CMFixtureFunction set_up,
	      CMFixtureFunction tear_down);

/* The argument of the program, or NULL. */
extern const char *test_argument;

/*
 * Skips a test that this machine cannot run, or fails it if
 * SDTKIT_REQUIRE_TRACERS says that none may be skipped. cmocka's skip() prints
 * "not ok", which readers of TAP take for a failure.
 */
#define unavailable(reason)						\
	do {								\
		const char *all = getenv("SDTKIT_REQUIRE_TRACERS");	\
									\
		if (all != NULL && strcmp(all, "1") == 0)		\
			fail_msg("%s", reason);				\
		print_message("# left out: %s\n", reason);		\
		return;							\
	} while (0)

#endif /* SDTKIT_TESTS_CMOCKA_ALL_H */
