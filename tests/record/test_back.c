/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel before Linux 5.14, which cannot be asked to back memory with pages:
 * this program has the library's claim.c, whose system call says that.
 */
#define _GNU_SOURCE
#include "made.h"

#include <errno.h>
#include <unistd.h>

#include "catalogue.h"
#include "members.h"
#include "state.h"
#include "system.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif

static unsigned int refused;

static long old_kernel(long number, long a, long b, long c, long d, long e,
		       long f)
{
	if (number == SYS_madvise && c == MADV_POPULATE_WRITE) {
		refused++;
		return -EINVAL;
	}
	return sdtkit_record_system(number, a, b, c, d, e, f);
}

#define sdtkit_record_system	old_kernel
#include "../../lib/record/claim.c"
#undef sdtkit_record_system

enum {
	RING = 4096,
	FILE_SIZE = 1 << 18,
	PROBES = 60,
	SUMMARY = 1000,
};

/* Texts that begin and end anywhere in pages. */
static void test_texts(void **state)
{
	static char summary[SUMMARY + 1];
	struct sdtkit_record_reader *reader;
	struct sdtkit_record_item item;
	struct made made;
	int i;

	(void)state;
	make(&made, RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	made.output.file->texts_used = SDTKIT_RECORD_PAGE / 2;
	memset(summary, 's', SUMMARY);
	for (i = 0; i < PROBES; i++) {
		struct sdtkit_tap_probe_entry entry = {
			.shown = {
				.provider = "rec", .probe = "none",
				.summary = summary + i * 10,
				.object = "/bin/x", .site_count = 1,
				.described = true,
			},
		};

		assert_int_equal(sdtkit_record_describe(made.output.file,
							&entry), 1 + i);
		made.site.id = (uint16_t)(1 + i);
		made.site.op_count = 0;
		hit(&made, 0, NULL);
	}
	assert_true(refused > 0);
	reader = reader_of(&made, 0);
	for (i = 0; i < PROBES; i++) {
		assert_int_equal(sdtkit_record_next(reader, &item), 1);
		assert_non_null(item.event);
		assert_string_equal(item.event->probe->provider, "rec");
		assert_string_equal(item.event->probe->probe, "none");
		assert_string_equal(item.event->probe->summary,
				    summary + i * 10);
		assert_int_equal(item.event->probe->site_count, 1);
	}
	sdtkit_record_close(reader);
	unmake(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
