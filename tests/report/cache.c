/* SPDX-License-Identifier: BSD-2-Clause */
/* cache.c - see cache.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cache.h"

enum { NUM_COMMANDS = 4 };
static const char *const commands[NUM_COMMANDS] = { "GET", "SET", "DELETE",
	"FLUSH" };

static const char *command_name(unsigned long long number,
				char buffer[REPORT_NAME])
{
	snprintf(buffer, REPORT_NAME, "%s",
		 number < NUM_COMMANDS ? commands[number] : "OTHER");
	return buffer;
}

#define COUNT_OF(array)	(sizeof(array) / sizeof((array)[0]))
#define NUMBER		REPORT_NUMBER
#define SLOTS(type, count_, eighths_) {					\
	.key = "slots", .kind = REPORT_SLOTS, .slots = count_,		\
	.eighths = eighths_, .offset = offsetof(type, slots),		\
	.narrow = sizeof(((type *)NULL)->slots[0]) == sizeof(int) }

static const struct report_column server_columns[] = {
	NUMBER(struct cache_server, hits, CACHE_TRAFFIC, COUNTER, EVENTS,
	       "hits", "Hits", 0, "answers from the cache"),
	NUMBER(struct cache_server, bytes, CACHE_TRAFFIC, COUNTER, BYTES,
	       "bytes", "Bytes sent", 0, "bytes of all answers"),
	NUMBER(struct cache_server, node, CACHE_TRAFFIC, ID, COUNT, "node",
	       NULL, 0, "the number of the node"),
	NUMBER(struct cache_server, idle_ns, CACHE_STATES, COUNTER, NS, "idle",
	       "Time idle", 0, "waiting"),
	NUMBER(struct cache_server, busy_ns, CACHE_STATES, COUNTER, NS, "busy",
	       "Time busy", 0, "working"),
	{ .key = "clients", .title = "Clients", .kind = REPORT_POPULATION,
	  .doc = "clients that were connected at any time",
	  .offset = offsetof(struct cache_server, clients),
	  .gauge = offsetof(struct cache_server, connections) },
	NUMBER(struct cache_server, connections, CACHE_NOW, GAUGE, COUNT,
	       "connections", "Connections", 0, "connections at the end"),
};

static const struct report_group server_groups[CACHE_SERVER_GROUPS] = {
	[CACHE_STATES] = { .object = "states_us" },
	[CACHE_NOW] = { .object = "now" },
};

static unsigned long long command_p99(const void *row)
{
	return (unsigned long long)(0.5 + report_quantile(
		&cache_tables.table[CACHE_COMMANDS], row, 0.99));
}

static const struct report_column command_columns[] = {
	NUMBER(struct cache_command, count, 0, COUNTER, COUNT, "count",
	       "Count", 8, "commands that ended"),
	NUMBER(struct cache_command, errors, 0, COUNTER, COUNT, "errors",
	       "Errors", 8, "those that failed"),
	NUMBER(struct cache_command, ns, 0, COUNTER, NS, "total_us",
	       "Total us", 8, "the time of all"),
	NUMBER(struct cache_command, bytes, 0, COUNTER, BYTES, "bytes",
	       "Bytes", 8, "bytes of their answers"),
	NUMBER(struct cache_command, min_ns, 0, LEAST, NS, "min_us", "Min us",
	       8, "the shortest one"),
	NUMBER(struct cache_command, max_ns, 0, MOST, NS, "max_us", "Max us",
	       8, "the longest one"),
	{ .key = "p99_us", .title = "p99 us", .width = 8, .unit = REPORT_US,
	  .kind = REPORT_DERIVED, .derive = command_p99,
	  .doc = "99 of 100 took no longer" },
	SLOTS(struct cache_command, SLOTS_FINE, 1),
};

static const struct report_column error_columns[] = {
	NUMBER(struct cache_error, count, 0, COUNTER, COUNT, "count", "Count",
	       8, "errors with this code"),
};

static const struct report_column client_columns[] = {
	NUMBER(struct cache_client, count, 0, COUNTER, COUNT, "count",
	       "Count", 8, "commands that ended"),
	NUMBER(struct cache_client, errors, 0, COUNTER, COUNT, "errors",
	       "Errors", 8, "those that failed"),
	NUMBER(struct cache_client, bytes, 0, COUNTER, BYTES, "bytes",
	       "Bytes", 8, "bytes of their answers"),
	NUMBER(struct cache_client, ns, 0, COUNTER, NS, "total_us",
	       "Total us", 8, "the time of all"),
	NUMBER(struct cache_client, max_ns, 0, MOST, NS, "max_us", "Max us",
	       8, "the longest one"),
	SLOTS(struct cache_client, SLOTS_COARSE, 2),
};

static const struct report_column slow_columns[] = {
	NUMBER(struct cache_slow, total_ns, 0, COUNTER, NS, "total_us", "MS",
	       8, "the time of the command"),
	NUMBER(struct cache_slow, disk_ns, 0, COUNTER, NS, "disk_us", "DISK",
	       8, "the part that waited for the disk"),
};

static const struct report_column pair_columns[] = {
	NUMBER(struct cache_pair, count, 0, COUNTER, COUNT, "count", "Count",
	       8, "commands that ended"),
	NUMBER(struct cache_pair, ns, 0, COUNTER, NS, "total_us", "Total us",
	       8, "the time of all"),
};

static const struct report_column span_columns[] = {
	NUMBER(struct cache_span, count, 0, COUNTER, COUNT, "count", "Count",
	       8, "spans that ended"),
	NUMBER(struct cache_span, errors, 0, COUNTER, COUNT, "errors",
	       "Errors", 8, "those that failed"),
	NUMBER(struct cache_span, ns, 0, COUNTER, NS, "total_us", "Total us",
	       8, "the time of all"),
	NUMBER(struct cache_span, in_progress, 0, GAUGE, COUNT, "in_progress",
	       "Now", 8, "those that have not ended"),
	{ .key = "slots", .kind = REPORT_SLOTS, .slots = SLOTS_FINE,
	  .eighths = 1, .slots_ns = 64,
	  .offset = offsetof(struct cache_span, slots) },
};

static const struct report_column sum_columns[] = {
	NUMBER(struct cache_sum, sum, 0, COUNTER, COUNT, "sum", "Sum", 8,
	       "the sum of the argument"),
};

static const struct report_column event_columns[] = {
	NUMBER(struct cache_event, ns, 0, COUNTER, NS, "total_us", "MS", 8,
	       "the time of the span"),
};

static const struct report_key command_keys[] = {
	REPORT_TEXT(struct cache_command, name, "name", "the command"),
};
#define COMMAND(type) {							\
	.key = "command", .name_key = "name", .name = command_name,	\
	.offset = offsetof(type, command), .most = NUM_COMMANDS,	\
	.other = NUM_COMMANDS }
static const struct report_key error_keys[] = {
	COMMAND(struct cache_error),
	{ .key = "code", .offset = offsetof(struct cache_error, code),
	  .most = 9999, .other = 9999 },
};
static const struct report_key client_keys[] = {
	REPORT_PRIVATE(struct cache_client, name, "name", 'c'),
};
static void cut_port(char *name)
{
	name[strcspn(name, ":")] = '\0';
}
static const struct report_key slow_keys[] = {
	{ .key = "client", .private = 'c', .shorten = cut_port,
	  .offset = offsetof(struct cache_slow, client),
	  .size = sizeof(((struct cache_slow *)NULL)->client) },
	REPORT_PRIVATE(struct cache_slow, key, "key", 'k'),
	COMMAND(struct cache_slow),
};
static const struct report_key pair_keys[] = {
	REPORT_PRIVATE(struct cache_pair, name, "name", 'c'),
	COMMAND(struct cache_pair),
};

#define SPAN(type)							\
	REPORT_TEXT(type, program, "program", "the program"),		\
	REPORT_TEXT(type, provider, "provider", "its part"),		\
	REPORT_TEXT(type, span, "span", "what it does"),		\
	REPORT_TEXT(type, name, "name", "for what")
static const struct report_key span_keys[] = { SPAN(struct cache_span) };
static const struct report_key sum_keys[] = {
	SPAN(struct cache_sum),
	REPORT_TEXT(struct cache_sum, argument, "argument", "the argument"),
};
static const struct report_key event_keys[] = {
	SPAN(struct cache_event),
	{ .key = "pid", .offset = offsetof(struct cache_event, pid) },
	REPORT_TEXT(struct cache_event, arguments, "arguments", "all of them"),
};

static const struct report_group plain_groups[] = { { .object = NULL } };

#define DESCRIBED(type, of)						\
	.row_size = sizeof(type), .keys = of##_keys,			\
	.num_keys = COUNT_OF(of##_keys), .columns = of##_columns,	\
	.num_columns = COUNT_OF(of##_columns), .groups = plain_groups,	\
	.num_groups = 1

static const struct report_table tables[CACHE_TABLES] = {
	[CACHE_SERVER] = { .name = "server", .shape = REPORT_INLINE,
		.row_size = sizeof(struct cache_server),
		.columns = server_columns,
		.num_columns = COUNT_OF(server_columns),
		.groups = server_groups, .num_groups = CACHE_SERVER_GROUPS },
	[CACHE_COMMANDS] = { .name = "commands",
		DESCRIBED(struct cache_command, command) },
	[CACHE_ERRORS] = { .name = "errors",
		DESCRIBED(struct cache_error, error), .limit = 64,
		.orders = { "count" } },
	[CACHE_CLIENTS] = { .name = "clients", .within = "top",
		.optional = true, .by_name = true,
		DESCRIBED(struct cache_client, client),
		.limit = 64,
		.orders = { "count", "bytes", "total_us", "errors" } },
	[CACHE_SLOW] = { .name = "slow", .shape = REPORT_HIDDEN,
		DESCRIBED(struct cache_slow, slow) },
	[CACHE_PAIRS] = { .name = "client_commands", .shape = REPORT_HIDDEN,
		DESCRIBED(struct cache_pair, pair) },
	[CACHE_SPANS] = { .name = "spans", .shape = REPORT_HIDDEN,
		DESCRIBED(struct cache_span, span) },
	[CACHE_SUMS] = { .name = "sums", .shape = REPORT_HIDDEN,
		DESCRIBED(struct cache_sum, sum) },
	[CACHE_EVENTS] = { .name = "events", .shape = REPORT_HIDDEN,
		DESCRIBED(struct cache_event, event) },
};

const struct report_tables cache_tables = { tables, CACHE_TABLES };

static unsigned long long number(unsigned int *state, unsigned long long below)
{
	*state = *state * 1103515245U + 12345U;
	return (*state >> 8) % below;
}

static void fill_commands(struct report *r, unsigned int *state)
{
	const struct report_column *slots = report_column_find(
		&tables[CACHE_COMMANDS], "slots");
	struct cache_command *c;
	unsigned int i, j;

	for (i = 0; i < NUM_COMMANDS; i++) {
		if (number(state, 4) == 0)
			continue;
		c = report_append(r, CACHE_COMMANDS);
		strcpy(c->name, commands[i]);
		c->count = 1 + number(state, 20);
		c->errors = number(state, c->count);
		c->bytes = number(state, 100000);
		for (j = 0; j < c->count; j++) {
			unsigned long long us = 1 + number(state, 50000);

			c->ns += us * 1000;
			if (c->min_ns == 0 || us * 1000 < c->min_ns)
				c->min_ns = us * 1000;
			if (us * 1000 > c->max_ns)
				c->max_ns = us * 1000;
			report_slot_add(slots, c, report_slot_of(slots, us), 1);
		}
	}
}

static void fill_clients(struct report *r, unsigned int *state)
{
	const struct report_column *slots = report_column_find(
		&tables[CACHE_CLIENTS], "slots");
	unsigned int i;

	for (i = 0; i < 10; i++) {
		struct cache_client like = { .count = 0 }, *c;
		unsigned long long us = 1 + number(state, 9000);

		snprintf(like.name, sizeof(like.name), "192.0.2.%llu",
			 number(state, 20));
		c = report_want(r, CACHE_CLIENTS, &like);
		c->count++;
		c->bytes += number(state, 5000);
		c->ns += us * 1000;
		if (us * 1000 > c->max_ns)
			c->max_ns = us * 1000;
		report_slot_add(slots, c, report_slot_of(slots, us), 1);
	}
}

void cache_report(struct report *r, unsigned int seed,
		  unsigned long long end_ns)
{
	unsigned int state = seed * 2654435761U + 1;
	struct cache_server *s;
	struct cache_error *e;
	unsigned int i;

	report_clear(r);
	r->end_ns = end_ns;
	r->elapsed_ns = 1000000000;
	s = report_append(r, CACHE_SERVER);
	s->hits = number(&state, 1000);
	s->bytes = number(&state, 1000000);
	s->idle_ns = 1000 * number(&state, 1000000);
	s->busy_ns = 1000000000 - s->idle_ns;
	s->connections = 1 + number(&state, 5);
	s->clients = s->connections + number(&state, 3);
	fill_commands(r, &state);
	for (i = 0; i < NUM_COMMANDS; i++) {
		e = report_append(r, CACHE_ERRORS);
		e->command = i;
		e->code = (unsigned int)number(&state, 5);
		e->count = 1 + number(&state, 9);
	}
	fill_clients(r, &state);
}

void cache_slow(struct cache_slow *row, unsigned int seed,
		unsigned long long end_ns)
{
	unsigned int state = seed * 2654435761U + 1;

	memset(row, 0, sizeof(*row));
	row->end_ns = end_ns;
	snprintf(row->client, sizeof(row->client), "192.0.2.%llu",
		 number(&state, 20));
	snprintf(row->key, sizeof(row->key), "key-%u", seed);
	row->command = (unsigned int)number(&state, NUM_COMMANDS);
	row->total_ns = 1000000 * (100 + number(&state, 900));
	row->disk_ns = row->total_ns / 2;
}

static void assert_same_row(const struct report_table *table, const void *a,
			    const void *b)
{
	unsigned int slot;
	size_t i;

	for (i = 0; i < table->num_columns; i++) {
		const struct report_column *column = &table->columns[i];

		if (column->kind != REPORT_SLOTS &&
		    report_get(column, a) != report_get(column, b))
			fail_msg("%s: %s: %llu and %llu", table->name,
				 column->key, report_get(column, a),
				 report_get(column, b));
		for (slot = 0; slot < column->slots; slot++)
			assert_int_equal(report_slot(column, a, slot),
					 report_slot(column, b, slot));
	}
}

void assert_same_rows(const struct report *a, const struct report *b)
{
	const void *other;
	size_t t, i;

	for (t = 0; t < a->tables->count; t++) {
		if (a->rows[t].count != b->rows[t].count)
			fail_msg("%s: %zu and %zu rows",
				 report_table(a, t)->name, a->rows[t].count,
				 b->rows[t].count);
		for (i = 0; i < a->rows[t].count; i++) {
			const void *row = report_row(a, t, i);

			other = report_find((struct report *)b, t, row);
			if (other == NULL)
				fail_msg("%s: a row is missing",
					 report_table(a, t)->name);
			else
				assert_same_row(report_table(a, t), row, other);
		}
	}
}
