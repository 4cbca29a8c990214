/* SPDX-License-Identifier: BSD-2-Clause */
/* What filters leave out, and which of them are refused. */
#include "counted.h"

static int begin_filtered(void **state)
{
	count_with("counted:*,counted:told/status==0 && bytes>=20/ "
		   "counted:brief/status!=7/,counted:step/step!=9/ "
		   "counted:asked/how==0x2/", 0, 0);
	return 0;
}

TEST_WITH(test_filters, begin_filtered, end)
{
	uint64_t i;

	for (i = 0; i < 10; i++) {
		COUNTED_TOLD(3, GET, i < 7 ? 0 : -1, i * 5);
		COUNTED_PLAIN(3, GET, 7);
		COUNTED_BEGINS(i, PUT);
		COUNTED_ENDS(i, i < 4 ? 7 : 1);
		COUNTED_ASKED(1, i, GET);
		COUNTED_ANSWERED(i, 1, (int)i, 0);
	}
	read_counts();
	assert_int_equal(row_of("told", GET, 0)->count, 3);
	assert_int_equal(row_of("told", GET, 0)->sum[0], 20 + 25 + 30);
	assert_int_equal(row_of("plain", GET, 0)->count, 10);
	assert_int_equal(row_of("brief", PUT, 0)->count, 6);
	assert_int_equal(row_of("brief", PUT, 0)->errors, 6);
	assert_int_equal(row_of("asked", GET, 2)->count, 1);
	assert_null(row_of("asked", GET, 3));
	for (i = 0; i < counts->span_count; i++) {
		const struct sdtkit_count_total *total = &counts->totals[i];

		assert_int_equal(total->ended, total->started == 0 &&
				 total->ended == 0 ? 0 : 10);
		assert_int_equal(total->unmatched + total->restarted, 0);
	}
	assert_true(counts->spans[span_of("told")].flags &
		    SDTKIT_COUNT_FILTERED);
	assert_false(counts->spans[span_of("plain")].flags &
		     SDTKIT_COUNT_FILTERED);
}

/* What is left out is no time of the span around it. */
TEST_WITH(test_filters_of_parts, begin_filtered, end)
{
	const struct sdtkit_count_sums *row;
	uint64_t before = now();

	COUNTED_QUEUED(1);
	COUNTED_STEP(9, 1);
	pause_us(3000);
	COUNTED_STEPPED(9);
	COUNTED_DONE(1);
	read_counts();
	assert_null(row_of("step", 0, 0));
	assert_int_equal(total_of("step")->ended, 1);
	row = row_of("queued", 0, 0);
	assert_true(row->total >= 3000000);
	assert_true(row->self <= now() - before - 3000000);
}

TEST(test_filters_refused)
{
	static const struct {
		const char *spans, *why;
	} rows[] = {
		{ "counted:told/nosuch==1/", "none of its ends has an argument "
		  "\"nosuch\"" },
		/* of its start */
		{ "counted:asked/verb==1/", "none of its ends has" },
		{ "counted:told/1%10/", "a sample is not a count" },
		{ "counted:told/status==\"a\"/", "is not a string" },
		{ "counted:told/verb==NONE/", "no value of \"verb\"" },
		{ "counted:told/status==1", "the second slash is missing" },
		{ "told", "\"*:told\" for a span of any provider" },
	};
	struct sdtkit_recorder *none;
	size_t i;

	for (i = 0; i < ROWS(rows); i++) {
		assert_int_equal(sdtkit_recorder_count(rows[i].spans, NULL,
						       &none), -EINVAL);
		if (strstr(sdtkit_recorder_error(), rows[i].why) == NULL)
			fail_msg("%s: %s", rows[i].spans,
				 sdtkit_recorder_error());
	}
}
