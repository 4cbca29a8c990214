/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The same with cmocka: a failed expectation fails the test that it is in.
 *
 *	cc with_cmocka.c shop.c -lcmocka \
 *		$(pkg-config --cflags --libs --static sdtkit-tap)
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sdtkit/tap.h>

#include "shop.h"

static void fail_test(const char *file, int line, const char *text)
{
	print_error("%s\n", text);
	_fail(file, line);
}

static int open_tap(void **state)
{
	struct sdtkit_tap *tap;

	if (sdtkit_tap_open("shop:*", &tap) < 0) {
		print_error("%s\n", sdtkit_tap_error());
		return -1;
	}
	*state = tap;
	return 0;
}

static int close_tap(void **state)
{
	sdtkit_tap_close((struct sdtkit_tap *)*state);
	return 0;
}

static void test_order(void **state)
{
	struct sdtkit_tap *tap = (struct sdtkit_tap *)*state;

	assert_int_equal(shop_order(7, "tea"), 0);
	sdtkit_tap_expect(tap, "shop:order", sdtkit_tap_uint("id", 7),
			  sdtkit_tap_like("item", "t*"));
	sdtkit_tap_expect_none(tap, NULL);
}

static void test_refused(void **state)
{
	struct sdtkit_tap *tap = (struct sdtkit_tap *)*state;

	assert_int_equal(shop_order(8, "coffee"), -ENOENT);
	sdtkit_tap_expect(tap, "shop:refused", sdtkit_tap_uint("id", 8),
			  sdtkit_tap_int("error", -ENOENT));
	assert_int_equal(sdtkit_tap_count(tap, "shop:order"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order, open_tap,
						close_tap),
		cmocka_unit_test_setup_teardown(test_refused, open_tap,
						close_tap),
	};

	sdtkit_tap_on_failure(fail_test);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
