/* SPDX-License-Identifier: BSD-2-Clause */
/* What is served of sums, and what --privacy hides. */
#include <stdio.h>

#include "../cmocka_all.h"
#include "base/when.h"
#include "cache.h"
#include "metrics/openmetrics.h"
#include "metrics/privacy.h"
#include "metrics/series.h"

enum { MOST_ERRORS = 3, NAMES = 60 };

static bool is_wanted(const void *row)
{
	return ((const struct cache_error *)row)->code != 4;
}

static const struct metrics_table tables[] = {
	{ .table = CACHE_SERVER },
	{ .table = CACHE_COMMANDS },
	{ .table = CACHE_ERRORS, .most = MOST_ERRORS, .counts = is_wanted },
	{ .table = CACHE_CLIENTS, .way = METRICS_TOP },
	{ .table = CACHE_PAIRS, .way = METRICS_PAIRS, .most = 5,
	  .names = CACHE_CLIENTS },
	{ .table = CACHE_SPANS, .way = METRICS_TOP, .most = 1, .in_all = 2 },
};

static unsigned long long calls(const void *row)
{
	return ((const struct cache_command *)row)->count + 1;
}

static const char *is_slow(const void *row)
{
	return ((const struct cache_command *)row)->ns > 1000 ? "slow" : "fast";
}

#define SPAN_LABELS							\
	.labels = { { .name = "program" }, { .name = "provider" },	\
		    { .name = "span" }, { .name = "name" } }
#define SPAN		"{program=\"p\",provider=\"v\",span=\"s\",name="

static const struct metrics_family families[] = {
	{ .name = "cache_seconds", .help = "Time of a command.",
	  .table = CACHE_COMMANDS, .labels = { { .name = "command" } },
	  .values = { { .column = "slots" }, { .column = "count" },
		      { .column = "total_us" } } },
	{ .name = "cache_calls", .help = "Calls.", .table = CACHE_COMMANDS,
	  .labels = { { .name = "command" } }, .by = "which", .values = {
		{ .column = "count", .get = calls, .text = is_slow },
		{ .column = "errors", .label = "failed", .rare = true } } },
	{ .name = "cache_bytes", .help = "Bytes.", .table = CACHE_COMMANDS,
	  .labels = { { .name = "command" } }, .rare = "bytes",
	  .values = { { .column = "bytes" } } },
	{ .name = "cache_errors", .help = "Errors.", .table = CACHE_ERRORS,
	  .labels = { { .name = "command" }, { .name = "code" } },
	  .values = { { .column = "count" } } },
	{ .name = "cache_state_seconds", .help = "Time.", .by = "state",
	  .table = CACHE_SERVER, .group = CACHE_STATES },
	{ .name = "cache_connections", .help = "Connections.",
	  .table = CACHE_SERVER, .values = { { .column = "connections" } } },
	{ .name = "cache_client_commands", .help = "By client.",
	  .table = CACHE_CLIENTS, .labels = { { .name = "client" } },
	  .values = { { .column = "count" } } },
	{ .name = "cache_pair_seconds", .help = "By client and command.",
	  .table = CACHE_PAIRS,
	  .labels = { { .name = "client" }, { .name = "command" } },
	  .values = { { .column = "total_us" } } },
	{ .name = "cache_span_seconds", .help = "Time of a span.",
	  .exemplars = { CACHE_EVENTS, "total_us", { "pid", "arguments" } },
	  .table = CACHE_SPANS, SPAN_LABELS,
	  .values = { { .column = "slots" }, { .column = "count" },
		      { .column = "total_us" } } },
	{ .name = "cache_spans_in_progress", .help = "Spans.",
	  .table = CACHE_SPANS, SPAN_LABELS,
	  .values = { { .column = "in_progress" } } },
};
static const struct metrics_family lost = {
	.name = "tool_lost", .help = "Lost.", .table = CACHE_SERVER,
	.values = { { .column = "hits" } },
};
static const struct metrics_families all = {
	tables, ROWS(tables), families, ROWS(families), &lost,
};

static struct report report = { .tables = &cache_tables };
static const struct report_column *slots(void)
{
	return report_column_find(&cache_tables.table[CACHE_COMMANDS], "slots");
}

static void add_command(const char *name, unsigned long long count,
			unsigned long long errors, unsigned long long us)
{
	struct cache_command *row = report_append(&report, CACHE_COMMANDS);

	strcpy(row->name, name);
	row->count = count;
	row->errors = errors;
	row->bytes = 100 * errors;
	row->ns = count * us * 1000 + 7;
	report_slot_add(slots(), row, report_slot_of(slots(), us), count);
}

/* Many names, and pairs of the first ones. */
static void add_names(void)
{
	struct cache_client *row;
	struct cache_pair *pair;
	int i;

	for (i = 0; i < NAMES; i++) {
		row = report_append(&report, CACHE_CLIENTS);
		snprintf(row->name, sizeof(row->name), "%02d\"\\\n\xff", i);
		row->count = 1;
		pair = report_append(&report, CACHE_PAIRS);
		memcpy(pair->name, row->name, sizeof(pair->name));
		pair->command = (unsigned int)i % 3;
		pair->ns = 1500000000;
	}
}

static int fill(void **state)
{
	static const struct cache_error errors[] = { { 0, 1, 1 }, { 0, 4, 1 },
		{ 1, 2, 1 }, { 2, 3, 1 }, { 3, 1, 1 }, { 0, 1, 1 } };
	struct cache_server *server;
	size_t i;

	report_clear(&report);
	report.end_ns = 1000000000;
	server = report_append(&report, CACHE_SERVER);
	server->hits = 7;
	server->idle_ns = 999999999;
	server->connections = 3;
	add_command("GET", 4, 0, 20);
	add_command("SET", 1, 1, 10);
	for (i = 0; i < ROWS(errors); i++)
		*(struct cache_error *)report_append(&report, CACHE_ERRORS) =
			errors[i];
	add_names();
	return 0;
}

static char *text_of(enum metrics_format format)
{
	static const struct own_totals own = { "tool", "1", 1.5, 2.5, 3, 4 };
	static struct metrics_totals totals;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	totals_copy(&totals);
	metrics_write(out, format, &totals, &own);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void has(const char *text, const char *line)
{
	if (strstr(text, line) == NULL)
		fail_msg("%s is missing in\n%s", line, text);
}

static int count_of(const char *text, const char *what)
{
	int count = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		count++;
	return count;
}

/* What there is after two reports, as text and in the table of the test. */
TEST_WITH(test_text, fill, NULL)
{
	static const char *const lines[] = {
		"# TYPE cache_seconds histogram\n# UNIT cache_seconds seconds\n"
		"# HELP cache_seconds Time of a command.\n"
		"cache_seconds_bucket{command=\"GET\",le=\"8e-06\"} 0\n"
		"cache_seconds_bucket{command=\"GET\",le=\"1.6e-05\"} 0\n"
		"cache_seconds_bucket{command=\"GET\",le=\"3.2e-05\"} 8\n",
		"cache_seconds_bucket{command=\"GET\",le=\"+Inf\"} 8\n"
		"cache_seconds_count{command=\"GET\"} 8\n"
		"cache_seconds_sum{command=\"GET\"} 0.000160014\n"
		"cache_seconds_bucket{command=\"SET\",le=\"8e-06\"} 0\n",
		"# TYPE cache_calls counter\n# HELP cache_calls Calls.\n"
		"cache_calls_total{command=\"GET\",which=\"slow\"} 9\n"
		"cache_calls_total{command=\"SET\",which=\"slow\"} 3\n"
		"cache_calls_total{command=\"SET\",which=\"failed\"} 2\n",
		"# HELP cache_bytes Bytes.\n"
		"cache_bytes_total{command=\"SET\"} 200\n#",
		"cache_errors_total{command=\"GET\",code=\"1\"} 4\n"
		"cache_errors_total{command=\"SET\",code=\"2\"} 2\n"
		"cache_errors_total{command=\"DELETE\",code=\"3\"} 2\n#",
		"cache_state_seconds_total{state=\"idle\"} 1.999999998\n"
		"cache_state_seconds_total{state=\"busy\"} 0.000000000\n",
		"# TYPE cache_connections gauge\n"
		"# HELP cache_connections Connections.\n"
		"cache_connections 3\n",
		"cache_client_commands_total{client=\"00\\\"\\\\??\"} 2\n",
		"cache_client_commands_total{client=\"other\"} 24\n",
		"cache_pair_seconds_total{client=\"other\",command=\"GET\"} "
		"54.000000000\n",
		"# TYPE tool_build info\n# HELP tool_build The version of "
		"tool.\ntool_build_info{version=\"1\"} 1\n",
		"tool_start_time_seconds 1.500\n",
		"tool_reports_total 2\n"
		"# TYPE tool_lost counter\n# HELP tool_lost Lost.\n"
		"tool_lost_total 14\n# EOF\n",
	};
	size_t i;
	char *new, *old;

	totals_begin(&cache_tables, &all, true, SERIES_SHOWN);
	totals_add(&report);
	totals_add(&report);
	new = text_of(METRICS_OPENMETRICS);
	old = text_of(METRICS_PROMETHEUS);
	for (i = 0; i < ROWS(lines); i++)
		has(new, lines[i]);
	assert_int_equal(count_of(new, "\ncache_client_"), SERIES_SHOWN + 1);
	assert_int_equal(count_of(new, "\ncache_pair_"), 5 + 4 + 1);
	has(old, "# TYPE cache_calls_total counter\n");
	has(old, "# TYPE tool_build_info gauge\n");
	assert_int_equal(count_of(old, "# UNIT") + count_of(old, "# EOF"), 0);
	assert_int_equal(count_of(old, "\ncache_"), count_of(new, "\ncache_"));
	free(new);
	free(old);
}

/* As a service does whose configuration is read again. */
TEST_WITH(test_other_options, fill, NULL)
{
	char *text;

	assert_false(totals_begin(&cache_tables, &all, true, 5));
	totals_add(&report);
	text = text_of(METRICS_OPENMETRICS);
	assert_int_equal(count_of(text, "\ncache_client_"), 5 + 1);
	has(text, "which=\"slow\"} 13\n");
	free(text);
	assert_true(totals_begin(&cache_tables, &all, false, 5));
	text = text_of(METRICS_OPENMETRICS);
	assert_int_equal(count_of(text, "client"), 0);
	has(text, "cache_connections 0\n");
	has(text, "tool_reports_total 0\n");
	free(text);
}

/* A client has the same hash everywhere, and a key of that name another. */
TEST_WITH(test_privacy, fill, NULL)
{
	static const char name[] = "192.0.2.7";
	const struct report_table *slow = &cache_tables.table[CACHE_SLOW];
	struct cache_client like = { .count = 0 };
	struct cache_client *client;
	struct cache_pair *pair;
	struct cache_slow row;

	client = report_append(&report, CACHE_CLIENTS);
	strcpy(client->name, name);
	client->count = 11;
	pair = report_append(&report, CACHE_PAIRS);
	strcpy(pair->name, name);
	pair->count = 12;
	memset(&row, 0, sizeof(row));
	strcpy(row.client, "192.0.2.7:4711");
	strcpy(row.key, name);
	privacy_row(PRIVACY_NONE, slow, &row);
	assert_string_equal(row.key, name);
	privacy_row(PRIVACY_HASH, slow, &row);
	privacy_report(PRIVACY_HASH, &report);
	assert_int_equal(strspn(row.client, "0123456789abcdef"), 16);
	assert_int_equal(strlen(row.client), 16);
	assert_string_not_equal(row.client, row.key);
	strcpy(like.name, row.client);
	client = report_find(&report, CACHE_CLIENTS, &like);
	assert_non_null(client);
	assert_int_equal(client->count, 11);
	assert_int_equal(report.rows[CACHE_PAIRS].count, NAMES + 1);
	privacy_report(PRIVACY_OMIT, &report);
	privacy_row(PRIVACY_OMIT, slow, &row);
	assert_int_equal(report.rows[CACHE_CLIENTS].count, 0);
	assert_int_equal(report.rows[CACHE_COMMANDS].count, 2);
	assert_string_equal(row.client, "hidden");
}

/* Each limit of a bucket is one of slots: those below it are all counted. */
TEST_WITH(test_buckets_of_64_ns, fill, NULL)
{
	static const char *const lines[] = {
		"_bucket" SPAN "\"n\",le=\"8.192e-06\"} 1\n",
		"le=\"1.6384e-05\"} 2\n",
		"le=\"68.719476736\"} 2\n",
		"le=\"137.438953472\"} 3\n",
		"le=\"+Inf\"} 4\n",
		"_count" SPAN "\"n\"} 4\n",
	};
	static const unsigned long long times[] = {
		8191, 8192, 68719476736ULL, 137438953472ULL,
	};
	const struct report_column *column = report_column_find(
		&cache_tables.table[CACHE_SPANS], "slots");
	struct cache_span *row = report_append(&report, CACHE_SPANS);
	char *text;
	size_t i;

	*row = (struct cache_span){ "p", "v", "s", "n", .count = 4 };
	for (i = 0; i < ROWS(times); i++)
		report_slot_add(column, row,
				report_slot_of(column, times[i] / 64), 1);
	totals_begin(&cache_tables, &all, true, SERIES_SHOWN);
	totals_add(&report);
	text = text_of(METRICS_OPENMETRICS);
	for (i = 0; i < ROWS(lines); i++)
		has(text, lines[i]);
	assert_int_equal(count_of(text, "\ncache_span_seconds_bucket"), 26);
	free(text);
}

static void add_span(const char *name, unsigned long long in_progress)
{
	struct cache_span *row = report_append(&report, CACHE_SPANS);

	*row = (struct cache_span){ "p", "v", "s", .count = 1,
		.in_progress = in_progress };
	strcpy(row->name, name);
}

/* What is under way is that of the last report, also of names in "other". */
TEST_WITH(test_gauges_of_names, fill, NULL)
{
	char *text;

	totals_begin(&cache_tables, &all, false, SERIES_SHOWN);
	totals_begin(&cache_tables, &all, true, SERIES_SHOWN);
	add_span("a", 3);
	add_span("b", 4);
	add_span("c", 5);
	totals_add(&report);
	totals_add(&report);
	text = text_of(METRICS_OPENMETRICS);
	has(text, "cache_spans_in_progress" SPAN "\"a\"} 3\n");
	has(text, "span=\"s\",name=\"other\"} 9\n");
	free(text);
	fill(NULL);
	add_span("c", 1);
	totals_add(&report);
	text = text_of(METRICS_OPENMETRICS);
	has(text, "cache_spans_in_progress" SPAN "\"a\"} 0\n");
	has(text, "span=\"s\",name=\"other\"} 1\n");
	has(text, "_count" SPAN "\"a\"} 2\n");
	free(text);
}

static void add_event(const char *name, unsigned int pid,
		      const char *arguments, unsigned long long ns)
{
	struct cache_event row = { .end_ns = 5000000007, .program = "p",
		.provider = "v", .span = "s", .pid = pid, .ns = ns };

	strcpy(row.name, name);
	strcpy(row.arguments, arguments);
	totals_event(&cache_tables.table[CACHE_EVENTS], &row);
}

/* An event is beside its bucket, and the last one of the bucket stays. */
TEST_WITH(test_exemplars, fill, NULL)
{
	static const char *const lines[] = {
		"name=\"a\",le=\"8.192e-06\"} 0 # {pid=\"1\"} "
		"0.000008191 5.000000007\n",
		"name=\"a\",le=\"1.6384e-05\"} 0 # {pid=\"2\"} "
		"0.000008192 5.000000007\n",
		"name=\"a\",le=\"0.268435456\"} 0 # {pid=\"4\","
		"arguments=\"path=\\\"\\\\?\"} 0.200000000 5.000000007\n",
		"name=\"a\",le=\"+Inf\"} 1 # {pid=\"5\"} "
		"200.000000000 5.000000007\n",
		"name=\"other\",le=\"0.268435456\"} 0 # {pid=\"6\"} "
		"0.150000000 5.000000007\n",
	};
	char many[201] = { 0 }, cut[201] = { 0 };
	char *text;
	size_t i;

	when_recorded();
	totals_begin(&cache_tables, &all, false, SERIES_SHOWN);
	totals_begin(&cache_tables, &all, true, SERIES_SHOWN);
	add_span("a", 0);
	add_span("b", 0);
	totals_add(&report);
	add_event("a", 1, "", 8191);
	add_event("a", 2, "", 8192);
	add_event("a", 3, "", 250000000);
	add_event("a", 4, "path=\"\\\n", 200000000);
	add_event("a", 5, "", 200000000000ULL);
	add_event("b", 6, "", 150000000);
	memset(many, 'x', sizeof(many) - 1);
	memset(cut, 'x', 128 - strlen("pid") - 1 - strlen("arguments"));
	add_event("a", 7, many, 2000000);
	text = text_of(METRICS_OPENMETRICS);
	for (i = 0; i < ROWS(lines); i++)
		has(text, lines[i]);
	assert_int_equal(count_of(text, " # {"), ROWS(lines) + 1);
	assert_null(strstr(text, many));
	has(strstr(text, "pid=\"7\",arguments=\"x"), cut);
	free(text);
	text = text_of(METRICS_PROMETHEUS);
	assert_int_equal(count_of(text, " # {"), 0);
	free(text);
}

/* More events than are remembered: the first ones make room. */
TEST_WITH(test_many_exemplars, fill, NULL)
{
	unsigned int i;
	char name[8];
	char *text;

	totals_begin(&cache_tables, &all, false, SERIES_SHOWN);
	totals_begin(&cache_tables, &all, true, SERIES_SHOWN);
	add_span("a", 0);
	totals_add(&report);
	add_event("a", 1, "", 100000000);
	add_event("a", 2, "", 100000000);
	text = text_of(METRICS_OPENMETRICS);
	assert_int_equal(count_of(text, "{pid=\"1\""), 0);
	assert_int_equal(count_of(text, "{pid=\"2\""), 1);
	free(text);
	for (i = 0; i < EXEMPLARS; i++) {
		snprintf(name, sizeof(name), "%u", i);
		add_event(name, 3, "", 100000000);
	}
	text = text_of(METRICS_OPENMETRICS);
	assert_int_equal(count_of(text, "{pid="), 0);
	free(text);
}
