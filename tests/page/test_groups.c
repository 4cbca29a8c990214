/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A page of groups, whose rows have several keys, about programs that do not
 * exist: one is busy, one is quiet, and the texts of one are hostile.
 *
 * A process has one page, so a child makes it. With SDTKIT_PAGE=FILE the page
 * stays, for tests/services/test_groups.py.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "page/html.h"
#include "page/pool.h"
#include "page/store.h"
#include "slots/slots.h"
#include "../cmocka_all.h"

enum { SECONDS = 120, BUSY = 300, LONG = 64 << 10, MANY = 60 };

enum { SPANS, NAMES, SLOW, PARTS };

struct span {
	char program[64], pod[64], provider[64], span[64], name[64];
	unsigned long long count, errors, ns, max_ns;
	unsigned long long slots[SLOTS_FINE];
};

struct slow {
	unsigned long long end_ns;
	char program[64], provider[64], span[64], arguments[200];
	unsigned long long total_ns, running_ns;
};

static const struct report_tables tables;

static unsigned long long p99(const void *row)
{
	return (unsigned long long)(report_quantile(tables.table, row, 0.99) *
				    0.064);
}

static const struct report_column span_columns[] = {
	REPORT_NUMBER(struct span, count, 0, COUNTER, COUNT, "count", "Count",
		      8, "spans that ended"),
	REPORT_NUMBER(struct span, errors, 0, COUNTER, COUNT, "errors",
		      "Errors", 8, "those that failed"),
	REPORT_NUMBER(struct span, ns, 0, COUNTER, NS, "total_us", "Total", 8,
		      "their time"),
	REPORT_NUMBER(struct span, max_ns, 0, MOST, NS, "max_us", "Max", 8,
		      "the longest one"),
	{ .key = "p99_us", .kind = REPORT_DERIVED, .unit = REPORT_US,
	  .derive = p99 },
	{ .key = "slots", .kind = REPORT_SLOTS, .slots = SLOTS_FINE,
	  .eighths = 1, .slots_ns = 64,
	  .offset = offsetof(struct span, slots) },
};
static const struct report_column slow_columns[] = {
	REPORT_NUMBER(struct slow, total_ns, 0, COUNTER, NS, "total_us",
		      "Total", 8, "its time"),
	REPORT_NUMBER(struct slow, running_ns, 0, COUNTER, NS, "running_us",
		      "Running", 8, "on a CPU"),
};
static const struct report_key span_keys[] = {
	REPORT_TEXT(struct span, program, "program", ""),
	{ .key = "pod", .offset = offsetof(struct span, pod),
	  .size = sizeof(((struct span *)NULL)->pod), .optional = true },
	REPORT_TEXT(struct span, provider, "provider", ""),
	REPORT_TEXT(struct span, span, "span", ""),
	REPORT_TEXT(struct span, name, "name", ""),
};
static const struct report_key slow_keys[] = {
	REPORT_TEXT(struct slow, program, "program", ""),
	REPORT_TEXT(struct slow, provider, "provider", ""),
	REPORT_TEXT(struct slow, span, "span", ""),
	REPORT_TEXT(struct slow, arguments, "arguments", ""),
};
static const struct report_group groups[] = { { .object = NULL } };

#define TABLE(name_, type, of, keys_)					\
	.name = name_, .row_size = sizeof(type), .keys = of##_keys,	\
	.num_keys = keys_, .columns = of##_columns, .groups = groups,	\
	.num_columns = ROWS(of##_columns), .num_groups = 1
static const struct report_tables tables = { (const struct report_table[]){
	[SPANS] = { TABLE("spans", struct span, span, 4) },
	[NAMES] = { TABLE("names", struct span, span, 5), .by_name = true },
	[SLOW] = { TABLE("slow", struct slow, slow, 4),
		.shape = REPORT_HIDDEN },
	[PARTS] = { TABLE("parts", struct span, span, 5) },
}, 4 };

#define ITEMS(...)	(const struct page_item[]){			\
	__VA_ARGS__, { .key = NULL } }
#define ITEM(key_, title_, form_)	{				\
	.key = key_, .title = title_, .form = form_ }

static const struct page_series no_series[] = { { .key = NULL } };
static const struct page_list lists[] = {
	{ .key = "names", .table = NAMES, .title = "Name", .many = "Names",
	  .fields = { "program", "provider", "span", "name", "count",
		"total_us", "max_us", "slots" }, .order = "total_us" },
	{ .key = "slow", .table = SLOW, .title = "Span", .events = true,
	  .row = "span", .order = "total_us",
	  .fields = { "program", "provider", "span", "arguments", "end_ms",
		"total_us", "running_us" } },
	{ .key = NULL },
};
static const struct page_section sections[] = {
	{ "now", "Now", PAGE_TILES, .bars = ITEMS({ .key = NULL }),
	  .items = ITEMS({ .key = "count", .title = "Spans",
			   .column = "count" }, { .key = "p99" }) },
	{ "charts", "Rates", PAGE_CHARTS, .items = ITEMS(
		{ .key = "count", .title = "Spans", .column = "count",
		  .unit = "per second", .stacked = true },
		{ .key = "errors", .title = "Errors", .column = "errors",
		  .unit = "per second", .stacked = true }) },
	{ "heat", "Latency", PAGE_HEAT, .lists = 1, .items = ITEMS(
		ITEM("name", NULL, PAGE_NAME),
		ITEM("inside", "In these latencies", PAGE_NUMBER)) },
	{ "spans", "Spans", PAGE_TABLE, "Since the start", .none = "None.",
	  .member = "spans", .order = "count", .items = ITEMS(
		ITEM("span", "Span", PAGE_NAME),
		ITEM("count", "Count", PAGE_NUMBER),
		ITEM("p99_us", "p99", PAGE_MS)) },
	{ "parts", "Parts", PAGE_PARTS, "Their time", "Parts of spans",
	  "None.", .part = "Span", .member = "parts", .sum = "spans",
	  .order = "total_us",
	  .bars = ITEMS({ .key = "max_us", .title = "itself", .color = "f7" }),
	  .items = ITEMS(ITEM("span", "Span", PAGE_NAME),
			 ITEM("name", "Part", PAGE_NAME),
			 ITEM("total_us", "Time", PAGE_MS)) },
	{ "slow", "Slow spans", PAGE_SLOW, .lists = 2, .rows = 50,
	  .since = "The slowest spans", .none = "None.",
	  .bars = ITEMS({ .key = "running_us", .title = "Running",
			  .color = "f0" }),
	  .items = ITEMS(ITEM("end_ms", "Time", PAGE_CLOCK),
			 ITEM("span", "Span", PAGE_WORD),
			 ITEM("total_us", "Total", PAGE_MS),
			 ITEM("bars", "Parts", PAGE_BARS),
			 ITEM("arguments", "Arguments", PAGE_NAME)) },
	{ "names", "Names", PAGE_RANKED, .lists = 1, .rows = 12,
	  .since = "Most time", .none = "None.", .items = ITEMS(
		ITEM("name", NULL, PAGE_NAME),
		ITEM("count", "Count", PAGE_NUMBER),
		ITEM("total_us", "Time", PAGE_MS)) },
	{ .key = NULL },
};

static bool filtered(const void *options)
{
	return false;
}

static double slow_ms(const void *options)
{
	return 0;
}

static const struct page_description page = {
	.server = "Programs", .footer = "", .lists = lists,
	.series = no_series, .sections = sections,
	.keyed = { .key = "spans_of", .columns = { "count", "errors",
		"total_us" } },
	.group = { .key = "program", .title = "Program", .many = "Programs" },
	.filtered = filtered, .slow_ms = slow_ms,
};

static json_t *to_json(const void *options, const struct report *report)
{
	json_t *object = json_object();

	json_object_set_new(object, "elapsed_us", json_integer(1));
	json_object_set_new(object, "time", json_string("now"));
	report_to_json(report, &(struct report_view){ .lines = 0 }, object);
	return object;
}

static void sort(const void *options, struct report *report)
{
	report_sort(report, SPANS, NULL);
}

static const struct report_heat heat = { .table = SPANS, .column = "slots",
	.row = "kind", .noun = "span" };
static const struct report_program program = { .name = "serve",
	.version = "1", .tables = &tables, .page = &page, .json = to_json,
	.heat = &heat, .sort = sort };
static const struct sink_setup setup = { .program = &program };

static char hostile[LONG] = "</script><img src=x onerror=alert(1)>\"'&";

static void set_key(const struct report_key *keys, void *row, size_t number,
		    const char *text)
{
	report_key_copy(&keys[number], row, text != NULL ? text : hostile);
}

/* Spans of a second, of which the longest took so many nanoseconds. */
static void add_span(struct report *r, const char *program_name,
		     const char *span, unsigned int count,
		     unsigned long long ns)
{
	struct span row = { .count = count, .errors = count / 50,
		.ns = count * ns / 2, .max_ns = ns };
	unsigned int i;

	set_key(span_keys, &row, 0, program_name);
	set_key(span_keys, &row, 2, program_name);
	set_key(span_keys, &row, 3, span);
	for (i = 1; i <= count; i++)
		row.slots[slots_slot(ns / 64 * i / count)]++;
	*(struct span *)report_append(r, SPANS) = row;
	set_key(span_keys, &row, 4, span);
	*(struct span *)report_append(r, NAMES) = row;
}

static void add_slow(unsigned long long end_ns, const char *program_name,
		     const char *span, unsigned int ms)
{
	struct slow row = { .end_ns = end_ns, .total_ns = ms * 1000000ULL,
		.running_ns = ms * 400000ULL };

	set_key(slow_keys, &row, 0, program_name);
	set_key(slow_keys, &row, 1, program_name);
	set_key(slow_keys, &row, 2, span);
	set_key(slow_keys, &row, 3, span);
	store_event(&row);
}

/* A part of a span, which took so many nanoseconds. */
static void add_part(struct report *r, const char *program_name,
		     const char *span, const char *part,
		     unsigned long long ns)
{
	struct span row = { .count = 1, .ns = ns };

	set_key(span_keys, &row, 0, program_name);
	set_key(span_keys, &row, 2, program_name);
	set_key(span_keys, &row, 3, span);
	set_key(span_keys, &row, 4, part);
	*(struct span *)report_append(r, PARTS) = row;
}

static void take_second(struct report *r, unsigned int second)
{
	static const char *const busy[] = { "query", "execute", "sort", "scan",
		"commit", "fetch", "lock", "vacuum", "checkpoint" };
	char name[16];
	unsigned int i;

	report_clear(r);
	r->elapsed_ns = 1000000000;
	r->end_ns = 1000020000000 + second * 1000000000ULL;
	for (i = 0; i < ROWS(busy); i++)
		add_span(r, "postgresql", busy[i], (10 - i) * 100,
			 (100ULL << i * 2) * 1000 / (1 + second % 7));
	for (i = 0; i < BUSY; i++)
		add_slow(r->end_ns - i, "postgresql", "query", 200 + i);
	if (second % 10 == 3) {
		add_span(r, "smbd", "read", 1, 60000000);
		add_slow(r->end_ns, "smbd", "read", 60);
		add_part(r, "smbd", "read", "wait", 5000000);
		add_part(r, "smbd", "read", "disk", 10000000);
	}
	add_span(r, NULL, NULL, 3, 900000);
	add_slow(r->end_ns, NULL, NULL, 70);
	add_part(r, NULL, NULL, NULL, 100000000);
	for (i = 0; i < MANY && second == SECONDS - 1; i++) {
		snprintf(name, sizeof(name), "Z%u", i);
		add_span(r, "zoo", name, 1, 1000);
	}
	store_take(r);
}

static void write_page(const char *path)
{
	struct report *r = report_new(&tables);
	struct page_view view;
	FILE *file = fopen(path, "w");
	unsigned int i;

	memset(hostile + strlen(hostile), '\'', LONG - strlen(hostile) - 1);
	store_open(&program);
	for (i = 0; i < SECONDS; i++)
		take_second(r, i);
	view_begin(&view, &setup, 0);
	html_write(file, &view, NULL, NULL);
	view_end(&view);
	_exit(file == NULL || fclose(file) != 0);
}

static json_t *data_in(const char *path)
{
	static const char begin[] = "id=\"data\">";
	FILE *file = fopen(path, "r");
	char *line = NULL;
	const char *data = NULL;
	json_t *object;
	size_t size;

	assert_non_null(file);
	while (data == NULL && getline(&line, &size, file) > 0)
		data = strstr(line, begin);
	assert_non_null(data);
	object = json_loads(data + strlen(begin), JSON_DISABLE_EOF_CHECK, NULL);
	assert_non_null(object);
	fclose(file);
	free(line);
	return object;
}

static json_t *make_data(void)
{
	char path[] = "/tmp/test_groups.XXXXXX";
	const char *kept = getenv("SDTKIT_PAGE");
	json_t *object;
	pid_t child;
	int status;

	close(mkstemp(path));
	child = fork();
	if (child == 0)
		write_page(kept != NULL ? kept : path);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	object = data_in(kept != NULL ? kept : path);
	unlink(path);
	return object;
}

static const char *text_of(const json_t *row, const char *key)
{
	return json_string_value(json_object_get(row, key));
}

/* How many rows a list of the data has with the text of a group. */
static size_t count_rows(const json_t *data, const json_t *rows,
			 const char *group)
{
	const json_t *names = json_object_get(data, "names"), *row;
	size_t count = 0, i;

	json_array_foreach((json_t *)rows, i, row)
		count += strcmp(group, json_string_value(json_array_get(
			names, (size_t)json_integer_value(json_array_get(
				row, 0))))) == 0;
	return count;
}

/* It is the first test of the room: no page may have been opened. */
TEST(test_rows_of_groups)
{
	json_t *data = make_data();
	const json_t *span = json_array_get(json_object_get(data, "spans"), 0);
	const json_t *rows = json_object_get(span, "spans_of");
	const json_t *details = json_object_get(span, "details"), *detail, *row;
	const json_t *read = json_array_get(rows, 10);
	size_t i;

	/* what lies beyond is the last one */
	assert_int_equal(json_array_size(rows), PAGE_KEYS);
	row = json_array_get(rows, PAGE_KEYS - 1);
	assert_string_equal(text_of(row, "program"), REPORT_OTHER);
	assert_string_equal(text_of(row, "span"), "");
	assert_int_equal(json_integer_value(json_array_get(json_object_get(
		row, "count"), SECONDS - 1)), 11 + MANY - PAGE_KEYS + 1);
	/* each row has the text of all its keys, though cut */
	row = json_array_get(rows, 9);
	assert_int_equal(strlen(text_of(row, "span")), 63);
	assert_int_equal(strncmp(text_of(row, "program"), hostile,
				 strlen(hostile)), 0);
	assert_string_equal(text_of(read, "program"), "smbd");
	assert_string_equal(text_of(read, "span"), "read");
	assert_int_equal(json_integer_value(json_array_get(json_object_get(
		read, "count"), 3)), 1);
	/* the busy program leaves the quiet one its rows */
	json_array_foreach(details, i, detail) {
		rows = json_object_get(detail, "slow");
		assert_int_equal(count_rows(data, rows, "smbd"), 1);
		assert_int_equal(count_rows(data, rows, "postgresql"),
				 PAGE_KEPT);
		/* those of a second come before its report does */
		if (i > 0 && i + 1 < json_array_size(details))
			assert_int_equal(json_integer_value(json_object_get(
				detail, "other_slow")), 10 * BUSY + 2 -
				PAGE_KEPT);
	}
	assert_int_equal(json_array_size(details), SECONDS / 10);
	json_decref(data);
}
