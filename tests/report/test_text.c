/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows as lines of text. */
#include "../cmocka_all.h"
#include "cache.h"
#include "report/json.h"
#include "report/text.h"

static struct report *two_commands(void)
{
	struct report *r = report_new(&cache_tables);
	struct cache_command *c = report_append(r, CACHE_COMMANDS);

	strcpy(c->name, "GET");
	c->count = 3;
	c->bytes = 1234567890;
	c = report_append(r, CACHE_COMMANDS);
	strcpy(c->name, "SET");
	c->ns = 264113000;
	return r;
}

TEST(test_lines)
{
	struct report *r = two_commands();
	struct report_text text;
	char line[REPORT_LINE];

	report_text_begin(&text, r, CACHE_COMMANDS, 0);
	assert_string_equal(report_text_titles(&text, line), "");
	report_text_group(&text, 0);
	assert_int_equal(report_text_width(&text, 2), 18);
	text.num_columns = 4;
	assert_string_equal(report_text_titles(&text, line),
			    "    Count   Errors Total us      Bytes");
	assert_string_equal(
		report_text_row(&text, report_row(r, CACHE_COMMANDS, 0), line),
		"        3        0        0 1234567890");
	report_text_begin(&text, r, CACHE_COMMANDS, 1);
	report_text_group(&text, 0);
	report_text_brief(&text);
	text.num_columns = 4;
	assert_string_equal(report_text_titles(&text, line),
			    "   Count  Errors Total us   Bytes");
	assert_string_equal(
		report_text_row(&text, report_row(r, CACHE_COMMANDS, 0), line),
		"       3       0        0    1.2G");
	assert_string_equal(
		report_text_row(&text, report_row(r, CACHE_COMMANDS, 1), line),
		"       0       0     264k       0");
	report_free(r);
}

struct timed {
	unsigned long long ns;
	unsigned long long rate;
};

static bool has_rate(const void *row)
{
	const struct timed *t = row;

	return t->rate < 1000;
}

static const struct report_column timed_columns[] = {
	{ .key = "us", .title = "us", .kind = REPORT_COUNTER,
	  .unit = REPORT_NS, .decimals = 1,
	  .offset = offsetof(struct timed, ns) },
	{ .key = "rate", .title = "Rate", .kind = REPORT_COUNTER,
	  .decimals = 2, .group = 1, .offset = offsetof(struct timed, rate) },
};
static struct report_group timed_groups[] = {
	{ .if_any = true }, { .has = has_rate },
};
static const struct report_table timed_table = {
	.name = "timed", .row_size = sizeof(struct timed),
	.columns = timed_columns, .num_columns = 2,
	.groups = timed_groups, .num_groups = 2,
};
static const struct report_tables timed_tables = { &timed_table, 1 };

/* A group that may be left out is there if a row that is printed has any. */
TEST(test_groups)
{
	struct report *r = report_new(&timed_tables);
	struct report_text text;
	struct timed *second;

	report_append(r, 0);
	second = report_append(r, 0);
	second->ns = 1;
	report_text_begin(&text, r, 0, 1);
	report_text_group(&text, 0);
	assert_int_equal(text.num_columns, 0);
	report_text_begin(&text, r, 0, 0);
	report_text_group(&text, 0);
	assert_int_equal(text.num_columns, 1);
	timed_groups[0].hidden = true;
	report_text_begin(&text, r, 0, 0);
	report_text_group(&text, 0);
	assert_int_equal(text.num_columns, 0);
	timed_groups[0].hidden = false;
	report_free(r);
}

static const char *cell_of(size_t column, const struct timed *row, bool brief,
			   char cell[REPORT_CELL])
{
	return report_text_cell(&timed_table, &timed_columns[column], NULL,
				row, brief, cell);
}

/* A column that scales has a unit in which the longest time is 10 or more. */
TEST(test_units)
{
	static const struct {
		unsigned long long ns[2];
		const char *title, *line[2];
	} cases[] = {
		{ { 0, 0 }, "ns", { "0", "0" } },
		{ { 9999, 0 }, "ns", { "9999", "0" } },
		{ { 10000, 999 }, "us", { "10.0", "1.0" } },
		{ { 9999000, 1 }, "us", { "9999.0", "0.0" } },
		{ { 2000, 9999999999 }, "ms", { "0.002", "10000.000" } },
		{ { 1000000, 10000000000 }, "s", { "0.001", "10.000" } },
	};
	char line[REPORT_LINE];
	size_t i, j;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct report *r = report_new(&timed_tables);
		struct report_text text;

		for (j = 0; j < 2; j++)
			*(struct timed *)report_append(r, 0) = (struct timed){
				.ns = cases[i].ns[j] };
		report_text_begin(&text, r, 0, 0);
		report_text_column(&text, &timed_columns[0], true);
		report_text_column(&text, &timed_columns[1], true);
		assert_null(text.unit[1]);
		text.num_columns = 1;
		assert_string_equal(report_text_titles(&text, line) +
				    strspn(line, " "), cases[i].title);
		for (j = 0; j < 2; j++)
			assert_string_equal(report_text_row(
				&text, report_row(r, 0, j), line) +
				strspn(line, " "), cases[i].line[j]);
		report_free(r);
	}
}

TEST(test_decimals)
{
	struct timed row = { .ns = 12340, .rate = 55 };
	char cell[REPORT_CELL];
	json_t *object;

	assert_string_equal(cell_of(0, &row, false, cell), "12.3");
	assert_string_equal(cell_of(1, &row, false, cell), "0.55");
	object = report_row_json(&timed_table, &row);
	assert_true(json_real_value(json_object_get(object, "us")) == 12.3);
	assert_true(json_real_value(json_object_get(object, "rate")) == 0.55);
	json_decref(object);
	row.rate = 1000;
	row.ns = 37800000000;
	assert_string_equal(cell_of(0, &row, true, cell), "37.8M");
	assert_string_equal(cell_of(1, &row, false, cell), "-");
}
