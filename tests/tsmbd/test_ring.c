/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Seven days of a busy server fit into 64 MiB, and each minute can be read.
 *
 * TSMBD_HISTORY_DAYS=7 simulates all of them, which takes minutes; otherwise
 * a part of the days has a part of the space.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "history/add.h"
#include "history_dir.h"
#include "random_report.h"

enum { VARIANTS = 97, DAY = 86400, MAX_TICKS = 7 * DAY };

static struct smbd_report variants[VARIANTS];
static struct smbd_report sum, read_sum;

/* Which of them a second has: neighbours differ. */
static unsigned int variant_of(unsigned int second)
{
	return (second * 2654435761U >> 8) % VARIANTS;
}

static void fill(unsigned int names)
{
	const struct random_load load = { 10, 400, names, 2 };
	unsigned int i;

	for (i = 0; i < VARIANTS; i++) {
		random_report(&variants[i], i, &load);
		variants[i].elapsed_ns = SECOND_NS;
	}
}

static void release(void)
{
	int i;

	for (i = 0; i < VARIANTS; i++)
		smbd_report_clear(&variants[i]);
}

/* Leaves the sum of the waits, because a minute has few rows of them. */
static void fold_waits(struct smbd_report *r)
{
	unsigned long long count = 0, ns = 0;
	int i;

	for (i = 0; i < r->num_waits; i++) {
		count += r->waits[i].count;
		ns += r->waits[i].ns;
	}
	assert_in_range(r->num_waits, 1, ADD_WAITS);
	memset(&r->waits[0], 0, sizeof(r->waits[0]));
	r->waits[0].count = count;
	r->waits[0].ns = ns;
	r->num_waits = 1;
}

/* What a minute has; the names are compared elsewhere. */
static void check_minute(const char *path, unsigned int minute)
{
	unsigned int ticks, second;

	for (second = minute * 60; second < minute * 60 + 60; second++) {
		struct smbd_report tick = variants[variant_of(second)];

		tick.end_ns = BEGIN_NS + second * SECOND_NS;
		memset(tick.tops, 0, sizeof(tick.tops));
		smbd_report_add(&sum, &tick);
	}
	dir_sum(path, minute * 60 - 1, minute * 60 + 59, &read_sum, &ticks);
	assert_true(ticks == 1 || ticks == 60);
	assert_in_range(read_sum.tops[TSMBD_FILES].count, 1, 20);
	top_free(read_sum.tops);
	memset(read_sum.tops, 0, sizeof(read_sum.tops));
	fold_waits(&sum);
	fold_waits(&read_sum);
	assert_same_report(&sum, &read_sum);
	smbd_report_clear(&sum);
	smbd_report_clear(&read_sum);
}

static void test_seven_days(void **state)
{
	const char *days = getenv("TSMBD_HISTORY_DAYS");
	unsigned int ticks = days == NULL ? 6 * 3600 :
		(unsigned int)atoi(days) * DAY;
	/* this part of the seven days has that part of the space */
	unsigned long long size = (64ULL << 20) * ticks / MAX_TICKS;
	struct history_writer *w;
	unsigned int second, minute;
	char path[DIR_SIZE];

	(void)state;
	fill(40);
	dir_make(path);
	w = dir_write(path, size);
	for (second = 0; second < ticks; second++) {
		variants[variant_of(second)].end_ns =
			BEGIN_NS + second * SECOND_NS;
		dir_tick(w, second, &variants[variant_of(second)]);
		if (second % 3600 == 17)
			assert_true(dir_used(path) <= size);
	}
	assert_true(history_finish(w));
	assert_true(dir_used(path) <= size);
	for (minute = 1; minute < ticks / 60; minute += ticks / 60 / 29)
		check_minute(path, minute);
	check_minute(path, ticks / 60 - 1);
	dir_remove(path);
	release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seven_days),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
