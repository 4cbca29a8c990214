/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions and what is kept of the past, with the tables of a cache. */
#include <math.h>

#include "../cmocka_all.h"
#include "cache.h"
#include "incident/past.h"

static const struct measure_subject command = {
	.noun = "command", .example = "GET",
};
static const struct measure_subject state = {
	.noun = "state", .example = "busy",
};

static const struct measure list[] = {
	{ "p50", &command, MEASURE_TIME, MEASURE_PERCENTILE, CACHE_COMMANDS,
	  .column = "slots", .of = "count", .part = 0.5 },
	{ "avg", &command, MEASURE_TIME, MEASURE_MEAN, CACHE_COMMANDS,
	  .column = "total_us", .of = "count" },
	{ "errors", &command, MEASURE_FAILURES, MEASURE_SUM, CACHE_COMMANDS,
	  .column = "errors", .of = "count" },
	{ "states", &state, MEASURE_PERCENT, MEASURE_SUM, CACHE_SERVER,
	  .object = "states_us", .of = "hits" },
	{ "time", NULL, MEASURE_TIME, MEASURE_SUM, CACHE_SERVER,
	  .object = "states_us" },
	{ "traffic", NULL, MEASURE_BYTES, MEASURE_SUM, CACHE_SERVER,
	  .column = "bytes", .minus = "hits" },
	{ "connections", NULL, MEASURE_NUMBER, MEASURE_SUM, CACHE_SERVER,
	  .object = "now", .column = "connections" },
};

static const struct measures measures = {
	.manual = "cache(1)", .tables = &cache_tables, .list = list,
	.count = sizeof(list) / sizeof(list[0]), .examples = "p50(GET)",
	.noun = "commands", .under_way = "connections",
};

static const struct measure_subject span = {
	.keys = 3, .noun = "span", .example = "postgres:query",
	.use = "a program and a span",
};
static const struct measure span_list[] = {
	{ "p99", &span, MEASURE_TIME, MEASURE_PERCENTILE, CACHE_SPANS,
	  .column = "slots", .of = "count", .part = 0.99 },
	{ "rate", &span, MEASURE_RATE, MEASURE_SUM, CACHE_SPANS,
	  .column = "count" },
	{ "running", &span, MEASURE_NUMBER, MEASURE_SUM, CACHE_SPANS,
	  .column = "in_progress" },
};
static const struct measures spans = {
	.manual = "cache(1)", .tables = &cache_tables, .list = span_list,
	.count = 3, .examples = "p99(postgres:query)", .noun = "spans",
	.under_way = "running",
};

static const struct report_heat heat = { CACHE_COMMANDS, "slots", "Commands",
	"command", "command" };
static const struct report_program program = {
	.tables = &cache_tables, .measures = &measures, .heat = &heat,
};

static struct report *r;

static struct cache_command *add(const char *name, unsigned long long count,
				 unsigned long long us)
{
	const struct report_column *slots = report_column_find(
		&cache_tables.table[CACHE_COMMANDS], "slots");
	struct cache_command *c = report_append(r, CACHE_COMMANDS);

	strcpy(c->name, name);
	c->count = count;
	c->ns = count * us * 1000;
	c->min_ns = c->max_ns = us * 1000;
	report_slot_add(slots, c, report_slot_of(slots, us), count);
	return c;
}

static void begin(void)
{
	struct cache_server *s;

	report_clear(r);
	r->elapsed_ns = 2000000000;
	s = report_append(r, CACHE_SERVER);
	*s = (struct cache_server){ .hits = 10, .bytes = 1010, .idle_ns = 3,
		.busy_ns = 4, .connections = 5 };
}

static double value_of(const struct measures *m, const char *text,
		       enum verdict verdict)
{
	char message[CONDITION_MESSAGE];
	double values[CONDITION_TERMS];
	struct condition c;

	if (!condition_parse(m, text, &c, message))
		fail_msg("%s", message);
	assert_int_equal(measure_condition(&c, r, values), verdict);
	return values[0];
}

static double value(const char *text, enum verdict verdict)
{
	return value_of(&measures, text, verdict);
}

static int make_report(void **unused)
{
	r = report_new(&cache_tables);
	return 0;
}

TEST_WITH(test_values, make_report, NULL)
{
	begin();
	add("GET", 3, 100)->errors = 1;
	add("SET", 1, 900)->errors = 1;
	assert_true(value("p50(GET) >= 100us", VERDICT_HOLDS) == 100000);
	assert_true(value("avg(*) > 1ms", VERDICT_FAILS) == 300000);
	assert_true(value("errors(GET) > 0", VERDICT_HOLDS) == 1);
	assert_true(value("errors(*) >= 50%", VERDICT_HOLDS) == 50);
	assert_true(value("states(busy) > 1%", VERDICT_HOLDS) == 40);
	assert_true(value("time > 0us", VERDICT_HOLDS) == 7);
	assert_true(value("traffic > 500", VERDICT_FAILS) == 500);
	assert_true(value("connections <= 5", VERDICT_HOLDS) == 5);
}

TEST(test_nothing_ended)
{
	begin();
	assert_true(isnan(value("p50(GET) > 1us", VERDICT_OPEN)));
	assert_true(isnan(value("errors(*) < 1%", VERDICT_OPEN)));
	assert_true(value("errors(*) < 1", VERDICT_HOLDS) == 0);
	((struct cache_server *)report_row(r, CACHE_SERVER, 0))->connections =
		0;
	assert_true(isnan(value("p50(GET) > 1us", VERDICT_FAILS)));
}

TEST(test_messages)
{
	char message[CONDITION_MESSAGE];
	struct condition c;

	assert_false(condition_parse(&measures, "states(x) > 1%", &c, message));
	assert_non_null(strstr(message, "expected a state: idle or busy\n"));
	assert_false(condition_parse(&measures, "errors(*) > 1ms", &c,
				     message));
	assert_non_null(strstr(message, "a part of the commands\n"));
	assert_false(condition_parse(&measures, "nothing > 1", &c, message));
	assert_non_null(strstr(message, "the list is in cache(1)"));
}

static struct cache_span *add_span(const char *program, const char *provider,
				   const char *name, unsigned long long us)
{
	const struct report_column *slots = report_column_find(
		&cache_tables.table[CACHE_SPANS], "slots");
	struct cache_span *s = report_append(r, CACHE_SPANS);

	*s = (struct cache_span){ .span = "query", .name = "", .count = 2 };
	strcpy(s->program, program);
	strcpy(s->provider, provider);
	strcpy(s->name, name);
	report_slot_add(slots, s, report_slot_of(slots, us * 1000 / 64), 2);
	return s;
}

/* A span is named by its program or its provider; rows may be of any names. */
TEST(test_spans_of_programs)
{
	double p99;

	begin();
	add_span("redis-6.0", "redis", "GET", 1000);
	add_span("redis-6.0", "redis", "SET", 1000);
	p99 = value_of(&spans, "p99(redis-6.0:query) > 50us", VERDICT_HOLDS);
	assert_true(p99 > 950000 && p99 < 1050000);
	assert_true(value_of(&spans, "rate(query) > 0", VERDICT_HOLDS) == 2);
	add_span("postgres", "pg", "", 9000)->in_progress = 1;
	assert_true(value_of(&spans, "rate(redis:query) > 0",
			     VERDICT_HOLDS) == 2);
	assert_true(value_of(&spans, "rate( pg:query ) > 0",
			     VERDICT_HOLDS) == 1);
	assert_true(value_of(&spans, "rate(*) > 0", VERDICT_HOLDS) == 3);
	/* two programs have such a span: the worse one counts */
	assert_true(value_of(&spans, "rate(query) > 1", VERDICT_HOLDS) == 2);
	assert_true(value_of(&spans, "rate(query) < 2", VERDICT_HOLDS) == 1);
	assert_true(value_of(&spans, "p99(query) > 5ms", VERDICT_HOLDS) >
		    8500000);
	p99 = value_of(&spans, "p99(query) < 5ms", VERDICT_HOLDS);
	assert_true(p99 > 950000 && p99 < 1050000);
	assert_true(value_of(&spans, "rate(pg:quer) > 0", VERDICT_FAILS) == 0);
	assert_true(value_of(&spans, "rate(postgres:pg) > 0",
			     VERDICT_FAILS) == 0);
}

/* One that does not run has no value, whatever is under way elsewhere. */
TEST(test_programs_come_and_go)
{
	struct cache_span *s;

	begin();
	add_span("redis", "redis", "GET", 1000)->in_progress = 1;
	assert_true(isnan(value_of(&spans, "p99(postgres:query) > 50ms",
				   VERDICT_FAILS)));
	s = add_span("postgres", "postgresql", "", 9000);
	s->count = 0;
	s->in_progress = 1;
	assert_true(isnan(value_of(&spans, "p99(postgres:query) > 50ms",
				   VERDICT_OPEN)));
}

TEST(test_names_of_spans)
{
	char message[CONDITION_MESSAGE], text[CONDITION_LABEL];
	struct condition c;

	assert_true(condition_parse(&spans, "p99(../a:b) > 1ms for 5s", &c,
				    message));
	assert_string_equal(condition_name(&c.terms[0], text), "p99(../a:b)");
	assert_string_equal(condition_label(&c.terms[0], text),
			    "p99-..-a-b");
	assert_false(condition_parse(&spans, "p99() > 1ms", &c, message));
	assert_non_null(strstr(message, "expected a span: "
			       "p99(postgres:query), or p99(*) for all\n"));
	assert_false(condition_parse(&spans, "p99(a:b c) > 1ms", &c, message));
	assert_non_null(strstr(message, "expected ')'\n"));
}

enum { SECONDS = 40 };

static const unsigned long long SECOND = 1000000000;

TEST(test_the_past)
{
	struct report *expected = report_new(&cache_tables);
	struct report *found = report_new(&cache_tables);
	unsigned int i;

	past_begin(&program);
	for (i = 1; i <= SECONDS; i++) {
		cache_report(r, i, i * SECOND);
		past_add(r);
		past_heat(past_after((i - 1) * SECOND), found);
		assert_int_equal(found->rows[CACHE_COMMANDS].count,
				 r->rows[CACHE_COMMANDS].count);
		assert_int_equal(found->rows[CACHE_CLIENTS].count, 0);
		/* the last one is not a part of it */
		if (i >= SECONDS - PAST_BEFORE && i < SECONDS)
			report_add(expected, r);
	}
	report_clear(found);
	past_sum(found);
	assert_int_equal(found->elapsed_ns, PAST_BEFORE * SECOND);
	assert_same_rows(expected, found);
	report_free(expected);
	report_free(found);
}

TEST(test_names_have_a_limit)
{
	struct cache_client *c;
	const struct report *kept;
	unsigned int i;

	begin();
	for (i = 0; i < 100; i++) {
		c = report_append(r, CACHE_CLIENTS);
		snprintf(c->name, sizeof(c->name), "client-%u", i);
		c->count = 1;
		c->max_ns = i;
	}
	past_begin(&program);
	kept = past_add(r);
	assert_int_equal(kept->rows[CACHE_CLIENTS].count, PAST_TICK_ROWS + 1);
	c = report_row(kept, CACHE_CLIENTS, PAST_TICK_ROWS);
	assert_string_equal(c->name, REPORT_OTHER);
	assert_int_equal(c->count, 100 - PAST_TICK_ROWS);
	assert_int_equal(c->max_ns, 99);
}

static void check_line(const struct report_table *table, const void *row,
		       void *context)
{
	const struct cache_slow *slow = row;
	unsigned long long *next = context;

	assert_ptr_equal(table, &cache_tables.table[CACHE_SLOW]);
	assert_int_equal(slow->end_ns, (*next)++);
}

TEST(test_lines)
{
	unsigned long long next = 11;
	struct cache_slow row;
	unsigned int i;

	past_begin(&program);
	for (i = 1; i <= PAST_LINES + 10; i++) {
		cache_slow(&row, i, i);
		past_row(&cache_tables.table[CACHE_SLOW], &row);
	}
	assert_false(past_lines(10, check_line, &next));
	assert_int_equal(next, PAST_LINES + 11);
	next = 11;
	assert_true(past_lines(11, check_line, &next));
}
