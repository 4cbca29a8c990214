/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A test in plain C: the program says what went wrong, and where, and fails.
 *
 *	probegen shop_probes.d
 *	cc plain.c shop.c $(pkg-config --cflags --libs --static sdtkit-tap)
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <sdtkit/tap.h>

#include "shop.h"

static void fail(const char *file, int line, const char *text)
{
	(void)file;	/* the text begins with them */
	(void)line;
	fprintf(stderr, "%s\n", text);
	exit(1);
}

int main(void)
{
	const struct sdtkit_tap_event *event;
	struct sdtkit_tap *tap;
	char line[256];

	if (sdtkit_tap_open("shop:*", &tap) < 0) {
		fprintf(stderr, "%s\n", sdtkit_tap_error());
		return 1;
	}
	sdtkit_tap_on_failure(fail);

	shop_order(7, "tea");
	shop_order(8, "coffee");
	shop_order(9, "tea");

	/* Which probe, and of its arguments those that matter. */
	sdtkit_tap_expect(tap, "shop:refused", sdtkit_tap_uint("id", 8),
			  sdtkit_tap_int("error", -ENOENT));
	/* The hits of one probe come in their order. */
	sdtkit_tap_expect(tap, "shop:order", sdtkit_tap_uint("id", 7),
			  sdtkit_tap_str("item", "tea"),
			  sdtkit_tap_float("price", 2.5));
	/* Or one looks at what is left. */
	while (sdtkit_tap_next(tap, &event) > 0) {
		sdtkit_tap_format(event, line, sizeof(line));
		puts(line);
	}
	sdtkit_tap_expect_none(tap, "shop:refused");
	sdtkit_tap_close(tap);
	return 0;
}
