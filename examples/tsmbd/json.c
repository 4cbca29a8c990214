/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - the report as one JSON object on one line.
 *
 * Times are in microseconds, as integers. The keys are those of tsmbd(1).
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "names.h"
#include "quantile.h"
#include "report.h"
#include "text.h"
#include "when.h"

static const char *const phase_names[TSMBD_PHASES] = {
	[TSMBD_WAIT] = "wait", [TSMBD_RECEIVE] = "receive",
	[TSMBD_PARSE] = "parse", [TSMBD_RUN] = "run", [TSMBD_SEND] = "send",
	[TSMBD_CTDB] = "ctdb", [TSMBD_OTHER] = "other",
};

static const char *const lost_names[TSMBD_LOST_KINDS] = {
	[TSMBD_LOST_PROCESSES] = "processes",
	[TSMBD_LOST_REQUESTS] = "requests", [TSMBD_LOST_DETAILS] = "details",
	[TSMBD_LOST_ERRORS] = "errors", [TSMBD_LOST_TOP] = "top",
	[TSMBD_LOST_WAITS] = "waits",
	[TSMBD_LOST_LINES] = "lines", [TSMBD_LOST_SAMPLES] = "samples",
};

static json_t *number(unsigned long long value)
{
	return json_integer((json_int_t)value);
}

static json_t *micro(unsigned long long ns)
{
	return number((ns + 500) / 1000);
}

static json_t *slots_of(const unsigned long long *slots)
{
	json_t *object = json_object();
	char from[24];
	int i;

	for (i = 0; i < TSMBD_SLOTS; i++) {
		if (slots[i] == 0)
			continue;
		snprintf(from, sizeof(from), "%llu", i == 0 ? 0 : 1ULL << i);
		json_object_set_new(object, from, number(slots[i]));
	}
	return object;
}

static json_t *phases(const struct tally *t)
{
	json_t *object = json_object();
	int i;

	for (i = 0; i < TSMBD_PHASES; i++)
		json_object_set_new(object, phase_names[i],
				    micro(t->phase_ns[i]));
	return object;
}

static json_t *part_us(const unsigned long long *slots, double part,
		       const struct tsmbd_extreme *extreme)
{
	return number((unsigned long long)
		      (quantile_fine(slots, part, extreme) + 0.5));
}

static json_t *request(const struct counters *c, int op)
{
	const struct tsmbd_extreme *x = &c->extremes[op];
	const struct tsmbd_op *o = &c->ops[op];
	unsigned long long slots[TSMBD_SLOTS];

	quantile_fold(o->slots, slots);
	return json_pack(
		"{si ss so so so so so so so so so so so ss so so so so}",
		"opcode", op, "name", name_of_op((unsigned int)op),
		"count", number(o->count), "total_us", micro(o->total_ns),
		"min_us", micro(x->min), "max_us", micro(x->max),
		"p50_us", part_us(o->slots, 0.5, x),
		"p95_us", part_us(o->slots, 0.95, x),
		"p99_us", part_us(o->slots, 0.99, x),
		"running_us", micro(o->run_ns), "ctdb_us", micro(o->ctdb_ns),
		"oplock_us", micro(o->oplock_ns),
		"waited_us", micro(o->waited_ns),
		"waited_for", name_of_wait((unsigned int)op),
		"errors", number(o->errors), "bytes_in", number(o->bytes_in),
		"bytes_out", number(o->bytes_out),
		"distribution", slots_of(slots));
}

static json_t *requests(const struct counters *c)
{
	json_t *list = json_array();
	int i;

	for (i = 0; i < TSMBD_OPS; i++) {
		if (c->ops[i].count > 0)
			json_array_append_new(list, request(c, i));
	}
	return list;
}

static json_t *errors(const struct counters *c)
{
	json_t *list = json_array();
	char buffer[NAME_SIZE];
	int i;

	for (i = 0; i < c->num_errors; i++) {
		const struct error_count *e = &c->errors[i];

		json_array_append_new(list, json_pack(
			"{si ss so ss so sb}", "opcode", (int)e->opcode,
			"command", name_of_op(e->opcode),
			"status", number(e->status), "name",
			name_of_status(e->status, buffer),
			"count", number(e->count), "benign",
			!tsmbd_is_failure(e->opcode, e->status)));
	}
	return list;
}

static json_t *calls(const struct report *r)
{
	json_t *list = json_array();
	char buffer[NAME_SIZE];
	unsigned int i;

	for (i = 0; i < TSMBD_SYSCALLS; i++) {
		const struct tsmbd_call *call = &r->counters.calls[i];

		if (call->count == 0)
			continue;
		json_array_append_new(list, json_pack(
			"{ss so so}", "name", name_of_call(i, buffer),
			"count", number(call->count),
			"total_us", micro(call->ns)));
	}
	return list;
}

static json_t *disk(const struct tsmbd_io *io)
{
	return json_pack("{so so so}", "count", number(io->count), "total_us",
			 micro(io->ns), "distribution", slots_of(io->slots));
}

static json_t *size(const struct tsmbd_size *size)
{
	return json_pack("{so so so}", "count", number(size->count),
			 "sequential", number(size->sequential),
			 "distribution", slots_of(size->slots));
}

static json_t *now(const struct tally *t)
{
	return json_pack("{so so so so so}",
			 "processes", number(t->connected),
			 "sessions", number(t->sessions),
			 "open_files", number(t->opens),
			 "requests", number(t->under_way),
			 "notifies", number(t->notifies));
}

static json_t *top_row(const struct top_row *row, int kind)
{
	const struct tsmbd_top_value *v = &row->value;
	json_t *object;

	object = json_pack(
		"{so so so so so so so so}", "name", text_json(row->name),
		"requests", number(v->requests), "errors", number(v->errors),
		"bytes", number(v->bytes), "total_us", micro(v->ns),
		"p50_us", number((unsigned long long)
				 quantile_coarse(v->slots, 0.5, v->max)),
		"p99_us", number((unsigned long long)
				 quantile_coarse(v->slots, 0.99, v->max)),
		"max_us", micro(v->max));
	if (kind == TSMBD_FILES)
		json_object_set_new(object, "share", text_json(row->share));
	return object;
}

static json_t *tops(const struct options *options, const struct report *r)
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

static json_t *waits(const struct report *r)
{
	json_t *list = json_array();
	int i;

	for (i = 0; i < r->num_waits; i++) {
		const struct waited *w = &r->waits[i];

		json_array_append_new(list, json_pack(
			"{so so so so so so so}",
			"client", text_json(w->client),
			"holder", text_json(w->holder),
			"share", text_json(w->share),
			"file", text_json(w->file),
			"count", number(w->count), "total_us", micro(w->ns),
			"max_us", micro(w->max)));
	}
	return list;
}

static json_t *lost(const struct counters *c)
{
	json_t *object = json_object();
	int i;

	for (i = 0; i < TSMBD_LOST_KINDS; i++)
		json_object_set_new(object, lost_names[i],
				    number(c->lost[i]));
	return object;
}

void report_json(const struct options *options, const struct report *r)
{
	struct totals totals = report_totals(r);
	const struct tally *t = &r->tally;
	char when[WHEN_SIZE];
	json_t *object;

	object = json_pack(
		"{ss so so so so so so so so so so so so so so so so}",
		"time", when_json(r->end_ns, when),
		"elapsed_us", micro(r->elapsed_ns),
		"processes", number(t->processes),
		"process_us", micro(t->elapsed_ns),
		"phases_us", phases(t), "sum_us", micro(t->sum_ns),
		"events", number(t->events),
		"requests", number(totals.requests),
		"ctdb_requests", number(t->ctdb_requests),
		"bytes_in", number(totals.bytes_in),
		"bytes_out", number(totals.bytes_out),
		"now", now(t),
		"operations", requests(&r->counters),
		"errors", errors(&r->counters),
		"read", disk(&r->counters.disk[0]),
		"write", disk(&r->counters.disk[1]),
		"lost", lost(&r->counters));
	if (object != NULL && options_filter(options))
		json_object_set_new(object, "filters", filters(options));
	if (object != NULL && options->calls) {
		json_object_set_new(object, "syscalls_us",
				    micro(t->syscall_ns));
		json_object_set_new(object, "syscalls", calls(r));
	}
	if (object != NULL && options->distributions) {
		json_object_set_new(object, "read_sizes",
				    size(&r->counters.sizes[0]));
		json_object_set_new(object, "write_sizes",
				    size(&r->counters.sizes[1]));
	}
	if (object != NULL && options->tops != 0)
		json_object_set_new(object, "top", tops(options, r));
	if (object != NULL && options->oplocks)
		json_object_set_new(object, "waits", waits(r));
	if (object == NULL)
		errx(1, "no memory");
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}
