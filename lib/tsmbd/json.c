/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - the report as one JSON object on one line.
 *
 * Times are in microseconds, as integers. The keys are those of tsmbd(1).
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "base/text.h"
#include "base/when.h"
#include "slots/slots.h"
#include "columns.h"
#include "names.h"
#include "report.h"

static json_t *number(unsigned long long value)
{
	return json_integer((json_int_t)value);
}

/* Slots by their least value, as slots_fine() of lib/slots makes them. */
static json_t *fine_slots(const unsigned long long *slots, int count,
			  int eighths)
{
	json_t *object = json_object();
	char from[24];
	int i;

	for (i = 0; i < count; i++) {
		if (slots[i] == 0)
			continue;
		snprintf(from, sizeof(from), "%llu",
			 slots_least(eighths * i));
		json_object_set_new(object, from, number(slots[i]));
	}
	return object;
}

static json_t *slots_of(const unsigned long long *slots)
{
	json_t *object = json_object();
	char from[24];
	int i;

	for (i = 0; i < SLOTS_POWERS; i++) {
		if (slots[i] == 0)
			continue;
		snprintf(from, sizeof(from), "%llu", i == 0 ? 0 : 1ULL << i);
		json_object_set_new(object, from, number(slots[i]));
	}
	return object;
}

/* Adds the columns of a group to an object. */
static void add_columns(json_t *object, enum column_group group,
			const void *row)
{
	const struct column *column;

	FOR_EACH_COLUMN(column, group) {
		if (column->key != NULL)
			json_object_set_new(object, column->key,
					    number(column_get(column, row)));
	}
}

/* The same, unless all of them are 0. */
static void add_columns_if_any(json_t *object, enum column_group group,
			       const void *row)
{
	if (column_any(group, row))
		add_columns(object, group, row);
}

/* Returns an object with the columns of a group. */
static json_t *columns_of(enum column_group group, const void *row)
{
	json_t *object = json_object();

	add_columns(object, group, row);
	return object;
}

static json_t *request(const struct operation *row)
{
	unsigned long long slots[SLOTS_POWERS];
	json_t *object;

	object = json_pack("{si ss}", "opcode", (int)row->opcode, "name",
			   name_of_op(row->opcode));
	add_columns(object, COLUMNS_REQUESTS, row);
	add_columns(object, COLUMNS_REQUEST_TIMES, row);
	json_object_set_new(object, "waited_for",
			    json_string(name_of_wait(row->opcode)));
	add_columns_if_any(object, COLUMNS_LIMITS, row);
	add_columns_if_any(object, COLUMNS_KEPT, row);
	add_columns(object, COLUMNS_REQUEST_SIZES, row);
	slots_fold(row->op->slots, slots);
	json_object_set_new(object, "distribution", slots_of(slots));
	json_object_set_new(object, "slots",
			    fine_slots(row->op->slots, SLOTS_FINE, 1));
	return object;
}

static json_t *requests(const struct counters *c)
{
	json_t *list = json_array();
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		const struct operation row = operation_of(c, op);

		if (row.op->count > 0)
			json_array_append_new(list, request(&row));
	}
	return list;
}

static json_t *error(const struct error_count *e)
{
	char buffer[NAME_SIZE];
	json_t *object;

	object = json_pack("{si ss so ss}", "opcode", (int)e->opcode,
			   "command", name_of_op(e->opcode),
			   "status", number(e->status),
			   "name", name_of_status(e->status, buffer));
	add_columns(object, COLUMNS_ERRORS, e);
	json_object_set_new(object, "benign",
			    json_boolean(!tsmbd_is_failure(e->opcode,
							   e->status)));
	return object;
}

static json_t *errors(const struct counters *c)
{
	json_t *list = json_array();
	int i;

	for (i = 0; i < c->num_errors; i++)
		json_array_append_new(list, error(&c->errors[i]));
	return list;
}

static json_t *calls(const struct counters *c)
{
	json_t *list = json_array();
	struct call_count row;
	char buffer[NAME_SIZE];
	json_t *object;

	for (row.number = 0; row.number < TSMBD_SYSCALLS; row.number++) {
		row.call = c->calls[row.number];
		if (row.call.count == 0)
			continue;
		object = json_pack("{ss}", "name",
				   name_of_call(row.number, buffer));
		add_columns(object, COLUMNS_CALLS, &row);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *disk(const struct tsmbd_io *io)
{
	json_t *object = columns_of(COLUMNS_DISK, io);

	json_object_set_new(object, "distribution", slots_of(io->slots));
	return object;
}

static json_t *size(const struct tsmbd_size *size)
{
	json_t *object = columns_of(COLUMNS_SIZES, size);

	json_object_set_new(object, "distribution", slots_of(size->slots));
	return object;
}

static json_t *top_row(const struct top_row *row, int kind)
{
	json_t *object = json_pack("{so}", "name", text_json(row->name));
	unsigned long long slots[SLOTS_COARSE];
	int i;

	add_columns(object, COLUMNS_TOP, &row->value);
	add_columns_if_any(object, COLUMNS_TOP_LIMITS, &row->value);
	add_columns_if_any(object, COLUMNS_TOP_KEPT, &row->value);
	for (i = 0; i < SLOTS_COARSE; i++)
		slots[i] = row->value.slots[i];
	json_object_set_new(object, "slots",
			    fine_slots(slots, SLOTS_COARSE, 2));
	if (kind == TSMBD_FILES)
		json_object_set_new(object, "share", text_json(row->share));
	return object;
}

static json_t *tops(const struct options *options, const struct smbd_report *r)
{
	static const char *const names[TSMBD_KINDS] = {
		[TSMBD_CLIENTS] = "clients", [TSMBD_USERS] = "users",
		[TSMBD_SHARES] = "shares", [TSMBD_FILES] = "files",
	};
	json_t *object = json_object();
	json_t *list;
	int kind, i;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		const struct top *top = &r->tops[kind];

		if (!(options->tops & 1U << kind))
			continue;
		list = json_array();
		for (i = 0; i < top->count && i < (int)options->top_lines; i++)
			json_array_append_new(list,
					      top_row(&top->rows[i], kind));
		json_object_set_new(object, names[kind], list);
	}
	return object;
}

static json_t *names(const struct filter *filter)
{
	json_t *list = json_array();
	int i;

	for (i = 0; i < filter->count; i++)
		json_array_append_new(list, text_json(filter->names[i]));
	return list;
}

static json_t *filters(const struct options *o)
{
	json_t *commands = json_array();
	unsigned int op;

	for (op = 0; op < TSMBD_OPS && o->commands != ~0U; op++) {
		if (o->commands & 1U << op)
			json_array_append_new(commands,
					      json_string(name_of_op(op)));
	}
	return json_pack("{so so so so}",
			 "shares", names(&o->filters[TSMBD_SHARES]),
			 "clients", names(&o->filters[TSMBD_CLIENTS]),
			 "users", names(&o->filters[TSMBD_USERS]),
			 "commands", commands);
}

static json_t *waits(const struct smbd_report *r)
{
	json_t *list = json_array();
	json_t *object;
	int i;

	for (i = 0; i < r->num_waits; i++) {
		const struct waited *w = &r->waits[i];

		object = json_pack("{so so so so}",
				   "client", text_json(w->client),
				   "holder", text_json(w->holder),
				   "share", text_json(w->share),
				   "file", text_json(w->file));
		add_columns(object, COLUMNS_WAITS, w);
		if (w->holder_vnn != 0)
			json_object_set_new(object, "holder_vnn", json_integer(
				(json_int_t)w->holder_vnn - 1));
		if (w->holder_node[0] != '\0')
			json_object_set_new(object, "holder_node",
					    text_json(w->holder_node));
		if (w->node[0] != '\0')
			json_object_set_new(object, "node",
					    text_json(w->node));
		json_array_append_new(list, object);
	}
	return list;
}

static void add_options(json_t *object, const struct options *options,
			const struct smbd_report *r)
{
	const struct counters *c = &r->counters;

	if (options_filter(options))
		json_object_set_new(object, "filters", filters(options));
	if (options->calls) {
		add_columns(object, COLUMNS_CALL_TIME, r);
		json_object_set_new(object, "syscalls", calls(c));
	}
	if (options->distributions) {
		json_object_set_new(object, "read_sizes", size(&c->sizes[0]));
		json_object_set_new(object, "write_sizes",
				    size(&c->sizes[1]));
	}
	if (options->tops != 0)
		json_object_set_new(object, "top", tops(options, r));
	if (options->oplocks)
		json_object_set_new(object, "waits", waits(r));
}

json_t *smbd_report_object(const struct options *options, const struct smbd_report *r)
{
	const struct counters *c = &r->counters;
	char when[WHEN_SIZE];
	char host[SMBD_HOSTS] = "";
	json_t *object;

	if (r->hosts[0] == '\0')
		gethostname(host, sizeof(host) - 1);
	object = json_pack("{ss so}", "time", when_json(r->end_ns, when),
			   "host", text_json(r->hosts[0] != '\0' ? r->hosts :
					     host));
	if (object == NULL)
		errx(1, "no memory");
	if (r->vnn != 0)
		json_object_set_new(object, "vnn",
				    json_integer((json_int_t)r->vnn - 1));
	add_columns(object, COLUMNS_ELAPSED, r);
	add_columns(object, COLUMNS_PROCESSES, r);
	json_object_set_new(object, "phases_us",
			    columns_of(COLUMNS_PHASES, r));
	add_columns(object, COLUMNS_SUM, r);
	add_columns(object, COLUMNS_TRAFFIC, r);
	json_object_set_new(object, "now", columns_of(COLUMNS_NOW, r));
	json_object_set_new(object, "operations", requests(c));
	json_object_set_new(object, "errors", errors(c));
	json_object_set_new(object, "read", disk(&c->disk[0]));
	json_object_set_new(object, "write", disk(&c->disk[1]));
	json_object_set_new(object, "lost", columns_of(COLUMNS_LOST, c));
	add_options(object, options, r);
	return object;
}

void smbd_report_json(FILE *out, const struct options *options,
		 const struct smbd_report *r)
{
	json_t *object = smbd_report_object(options, r);

	json_dumpf(object, out, JSON_COMPACT);
	putc('\n', out);
	json_decref(object);
}
