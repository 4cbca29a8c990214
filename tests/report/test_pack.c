/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports as bytes are the same reports again, and no bytes do harm. */
#include <stdio.h>

#include "../cmocka_all.h"
#include "cache.h"
#include "report/pack.h"

static struct report_bytes bytes;

static void pack(unsigned int seed)
{
	struct report_layout *layout = report_layout_new(&cache_tables);
	struct report *r = report_new(&cache_tables);

	cache_report(r, seed, 5000000000);
	bytes.length = 0;
	report_pack(layout, r, ~0U, &bytes);
	report_free(r);
	report_layout_free(layout);
}

static bool unpack(const char *text, struct report *into)
{
	struct report_layout *layout = report_layout_read(&cache_tables, text);
	bool good = report_unpack(layout, bytes.bytes, bytes.length, into);

	report_layout_free(layout);
	return good;
}

TEST(test_the_same_again)
{
	struct report_bytes text = { NULL, 0, 0 };
	struct report *a = report_new(&cache_tables);
	struct report *b = report_new(&cache_tables);
	unsigned int seed;

	report_layout_text(&cache_tables, &text);
	for (seed = 0; seed < 20; seed++) {
		cache_report(a, seed, 5000000000);
		pack(seed);
		report_clear(b);
		assert_true(unpack((char *)text.bytes, b));
		assert_same_rows(a, b);
		assert_int_equal(b->end_ns, 5000000000);
		assert_int_equal(b->elapsed_ns, 1000000000);
	}
	report_free(a);
	report_free(b);
	free(text.bytes);
}

/* What another version wrote: tables and fields come, go and move. */
TEST(test_another_layout)
{
	static const char old[] = "gone name:t count:n slots:s\n"
		"errors code:n was:n count:n slots:s text:t command:n\n";
	static const unsigned char packed[] = {
		1, 2, 0,
		1, 1, 2, 'a', 'b', 7, 3, 2, 1, 5, 3, 6,
		2, 2, 8, 99, 5, 4, 1, 0, 1, 1, 'x', 2,
		9, 99, 6, 1, 0, 0, 3, 0 };
	struct report *r = report_new(&cache_tables);
	const struct cache_error *e;

	free(bytes.bytes);
	bytes = (struct report_bytes){ malloc(sizeof(packed)),
		sizeof(packed), sizeof(packed) };
	memcpy(bytes.bytes, packed, sizeof(packed));
	assert_true(unpack(old, r));
	assert_int_equal(r->rows[CACHE_ERRORS].count, 2);
	e = report_row(r, CACHE_ERRORS, 1);
	assert_int_equal(e->code, 9);
	assert_int_equal(e->command, 3);
	assert_int_equal(e->count, 6);
	report_free(r);
}

static unsigned int below(unsigned int limit)
{
	static unsigned int state = 1;

	state = state * 1103515245U + 12345U;
	return (state >> 8) % limit;
}

TEST(test_any_bytes)
{
	struct report_bytes text = { NULL, 0, 0 };
	struct report *r = report_new(&cache_tables);
	unsigned int i, k;

	for (i = 0; i < 20000; i++) {
		pack(i % 7);
		text.length = 0;
		report_layout_text(&cache_tables, &text);
		for (k = 0; k <= i % 3; k++)
			bytes.bytes[below((unsigned int)bytes.length)] =
				(unsigned char)below(256);
		if (i % 4 == 0)
			bytes.length = below((unsigned int)bytes.length);
		if (i % 5 == 0)
			text.bytes[below((unsigned int)text.length - 1)] =
				(unsigned char)(1 + below(255));
		unpack((char *)text.bytes, r);
		report_clear(r);
	}
	report_free(r);
	free(text.bytes);
}
