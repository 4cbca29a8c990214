/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns with filters: what is read of them, and which hits pass. */
#define _GNU_SOURCE
#include "made.h"

#include "filter.h"

static const struct {
	const char *list;
	const char *patterns;
	/* What the patterns say about rec:step. */
	size_t conditions;
	uint32_t every;
} good[] = {
	{ "rec:*", "rec:*", 0, 0 },
	{ "rec:*,!rec:none", "rec:*,!rec:none", 0, 0 },
	{ "rec:step/number==5/", "rec:step,", 1, 0 },
	{ "rec:step/number>=5&&number<0x10/,vfs:*", "rec:step,vfs:*,", 2, 0 },
	{ "rec:step/1%100/", "rec:step,", 0, 100 },
	{ "rec:step/ number != -1  3%7 /", "rec:step,", 1, 7 },
	{ "rec:step/text==\"a,/b*\"/,vfs:*", "rec:step,vfs:*,", 1, 0 },
	{ "rec:step/number==RED&&x!=_y2/", "rec:step,", 2, 0 },
	{ "rec:step/number==5/,rec:*", "rec:step,rec:*,", 0, 0 },
};

static const char *const bad[] = {
	"rec:step/number==5", "rec:step/number=5/", "rec:step/==5/",
	"rec:step/number==?/", "rec:step/text==\"a/", "rec:step/text<\"a\"/",
	"rec:step/2%1/", "rec:step/0%1/", "rec:step/number==5 5/",
	"rec:step/a==1 b==1 c==1 d==1 e==1 f==1 g==1 h==1 i==1/",
	"rec:step/number==99999999999999999999/",
	"rec:step/number>5/,rec:step/number<9/",
	"/number==5/", "rec:step,/number==5/", "rec:step /number==5/",
};

MADE(test_good)
{
	size_t i;

	for (i = 0; i < ROWS(good); i++) {
		const struct sdtkit_record_filter *filter;
		struct sdtkit_record_filters filters;

		if (sdtkit_record_read_filters(good[i].list, "probe",
					       &filters) < 0)
			fail_msg("%s: %s", good[i].list, sdtkit_record_error());
		assert_string_equal(filters.patterns, good[i].patterns);
		filter = sdtkit_record_find_filter(&filters, "rec", "step");
		assert_int_equal(filter != NULL,
				 good[i].conditions + good[i].every > 0);
		if (filter != NULL) {
			assert_int_equal(filter->count, good[i].conditions);
			assert_int_equal(filter->every, good[i].every);
		}
		sdtkit_record_free_filters(&filters);
	}
}

MADE(test_bad)
{
	struct sdtkit_record_filters filters;
	size_t i;

	for (i = 0; i < ROWS(bad); i++) {
		if (sdtkit_record_read_filters(bad[i], "probe", &filters) != -22)
			fail_msg("%s was accepted", bad[i]);
	}
}

MADE(test_why)
{
	static const struct {
		const char *list, *why;
	} rows[] = {
		{ "a:b//", "filter: there is no condition at \"/\"" },
		{ "a:b/ && /", "there is no condition" },
		{ "a:b/n==99999999999999999999/", "the number is too large" },
		{ "a:b/n>-9223372036854775809/", "the number is too large" },
		{ "a:b/n>-/", "expected a number or a name" },
		{ "a:b/s==\"" "0123456789012345678901234567890123456789"
		  "012345678901234567890123\"/", "the text has more than 63" },
		{ "a:b/s<\"a\"/", "for == and != a text in quotes" },
		{ "a:b/s==home*/", "a text needs quotes, as in" },
		{ "a:b/s=='home'/", "a text in quotes" },
		{ "a:b/n==1 || n==2/", "can only be joined by &&" },
		{ "a:b/n>1.5/", "numbers have no fraction" },
		{ "a:b/n=1/", "equal is ==" },
	};
	struct sdtkit_record_filters filters;
	size_t i;

	for (i = 0; i < ROWS(rows); i++) {
		assert_int_equal(sdtkit_record_read_filters(rows[i].list,
				 "probe", &filters), -22);
		if (strstr(sdtkit_record_error(), rows[i].why) == NULL)
			fail_msg("%s: %s", rows[i].list, sdtkit_record_error());
	}
	assert_int_equal(sdtkit_record_read_filters(
		"a:b/n>-9223372036854775808/", "probe", &filters), 0);
	sdtkit_record_free_filters(&filters);
}

MADE(test_units)
{
	static const struct {
		const char *list;
		int64_t number;		/* 0: it is refused */
	} rows[] = {
		{ "a:b/took_ns>1ms/", 1000000 },
		{ "a:b/took_ns>-2s/", -2000000000 },
		{ "a:b/took_us>=3s/", 3000000 },
		{ "a:b/took_msec==7s&&x<1/", 7000 },
		{ "a:b/s<5s 1%2/", 5 }, { "a:b/took_s<5sec/", 5 },
		{ "a:b/size>64k/", 65536 }, { "a:b/in_bytes>0x10M/", 16 << 20 },
		{ "a:b/arg3<3G/", 3LL << 30 },
		{ "a:b/took_ns>1k/", 0 }, { "a:b/took_ms>1us/", 0 },
		{ "a:b/size>1ms/", 0 }, { "a:b/in_bytes>1s/", 0 },
		{ "a:b/size>1kM/", 0 }, { "a:b/took_ns>1x/", 0 },
		{ "a:b/took_ns>9999999999s/", 0 },
		{ "a:b/size<-9999999999G/", 0 },
	};
	struct sdtkit_record_filters f;
	size_t i;
	int ret;

	for (i = 0; i < ROWS(rows); i++) {
		ret = sdtkit_record_read_filters(rows[i].list, "probe", &f);
		if (ret != (rows[i].number != 0 ? 0 : -22))
			fail_msg("%s: %d", rows[i].list, ret);
		if (ret < 0)
			continue;
		if ((int64_t)f.filters[0].conditions[0].number !=
		    rows[i].number)
			fail_msg("%s", rows[i].list);
		sdtkit_record_free_filters(&f);
	}
}

/* As sessions do that come and go, also those that are refused. */
MADE(test_samplers_are_given_back)
{
	struct sdtkit_record_filters all, one;
	int i;

	for (i = 0; i < 3 * SDTKIT_RECORD_SAMPLERS; i++) {
		assert_int_equal(sdtkit_record_read_filters(
			"a:b/1%10/,a:c/x==1 1%5/", "probe", &all), 0);
		assert_int_not_equal(all.filters[0].sampler,
				     all.filters[1].sampler);
		assert_int_equal(sdtkit_record_read_filters(
			"a:b/1%10/,a:c/?/", "probe", &one), -22);
		sdtkit_record_free_filters(&all);
	}
}

/* Whether a hit with these arguments passes. */
static bool passes(struct sdtkit_record_test *test, uint64_t number,
		   const char *text)
{
	make(4096, 1 << 16, SDTKIT_RECORD_OVERWRITE);
	made.site.is_filtered = true;
	made.more.tests = test;
	made.more.test_count = 1;
	hit(number, text);
	open_reader(0);
	look_at_info();
	return info.events == 1;
}

/* Number 200, cut to so many bits and a sign. */
MADE(test_numbers)
{
	static const struct {
		enum sdtkit_record_compare compare;
		int64_t value;
		uint8_t bits;
		bool is_signed, passes;
	} rows[] = {
		{ SDTKIT_RECORD_EQUAL, 200, 64, false, true },
		{ SDTKIT_RECORD_EQUAL, 201, 64, false, false },
		{ SDTKIT_RECORD_EQUAL, -56, 8, true, true },
		{ SDTKIT_RECORD_UNEQUAL, 200, 8, true, true },
		{ SDTKIT_RECORD_LESS, 0, 8, true, true },
		{ SDTKIT_RECORD_LESS, 0, 8, false, false },
		{ SDTKIT_RECORD_LESS_EQUAL, 200, 16, true, true },
		{ SDTKIT_RECORD_MORE, 199, 8, false, true },
		{ SDTKIT_RECORD_MORE, 200, 8, false, false },
		{ SDTKIT_RECORD_MORE_EQUAL, -57, 8, true, true },
	};
	size_t i;

	for (i = 0; i < ROWS(rows); i++) {
		struct sdtkit_record_test test = {
			.operand = { .number = 5 },
			.compare = rows[i].compare,
			.unused = 64 - rows[i].bits,
			.is_signed = rows[i].is_signed,
			.value = (uint64_t)rows[i].value,
		};

		if (passes(&test, 200, "text") != rows[i].passes)
			fail_msg("row %zu", i);
	}
}

static bool passes_text(enum sdtkit_record_compare compare, const char *glob,
			const char *text)
{
	struct sdtkit_record_test test = {
		.operand = { .number = 4 }, .compare = compare,
	};

	strcpy(test.text, glob);
	return passes(&test, 1, text);
}

MADE(test_texts)
{
	static const struct {
		const char *glob, *text;
		bool is_like;
	} rows[] = {
		{ "abc", "abc", true }, { "abc", "abcd", false },
		{ "a*", "abc", true }, { "*c", "abc", true },
		{ "*b*", "abc", true }, { "a?c", "abc", true },
		{ "a?c", "ac", false }, { "*", "", true }, { "", "", true },
		{ "", "a", false }, { "*ab*ab", "aabab", true }, { "*ab*ab", "aabb", false },
		{ "*ab*ab", "abxab", true }, { "*a*b*c", "aXbXbXc", true },
		{ "abc", NULL, false }, { "abc", (char *)16, false },
	};
	size_t i;

	for (i = 0; i < ROWS(rows); i++) {
		if (passes_text(SDTKIT_RECORD_LIKE, rows[i].glob, rows[i].text)
		    != rows[i].is_like ||
		    passes_text(SDTKIT_RECORD_UNLIKE, rows[i].glob,
				rows[i].text) == rows[i].is_like)
			fail_msg("row %zu", i);
	}
}

MADE(test_sample)
{
	uint64_t i, expected = 0;

	make(1 << 16, 1 << 18, SDTKIT_RECORD_OVERWRITE);
	made.site.is_filtered = true;
	made.more.sample_take = 2;
	made.more.sample_every = 10;
	for (i = 0; i < 1000; i++)
		hit(i, "x");
	open_reader(0);
	while (sdtkit_record_next(reader, &item) > 0) {
		assert_int_equal(item.event->values[0].bits, expected);
		expected += expected % 10 == 0 ? 1 : 9;
	}
	assert_int_equal(expected, 1000);
}
