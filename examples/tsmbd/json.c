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
#include "report.h"
#include "text.h"
#include "waits.h"
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

static json_t *requests(const struct counters *c)
{
	json_t *list = json_array();
	int i;

	for (i = 0; i < TSMBD_OPS; i++) {
		const struct tsmbd_op *o = &c->ops[i];

		if (o->count == 0)
			continue;
		json_array_append_new(list, json_pack(
			"{si ss so so so so so so so so so so so}",
			"opcode", i, "name", name_of_op((unsigned int)i),
			"count", number(o->count),
			"total_us", micro(o->total_ns),
			"min_us", micro(c->extremes[i].min),
			"max_us", micro(c->extremes[i].max),
			"running_us", micro(o->run_ns),
			"ctdb_us", micro(o->ctdb_ns),
			"oplock_us", micro(o->oplock_ns),
			"errors", number(o->errors),
			"bytes_in", number(o->bytes_in),
			"bytes_out", number(o->bytes_out),
			"distribution", slots_of(o->slots)));
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

		if (e->count == 0)
			continue;
		json_array_append_new(list, json_pack(
			"{si so ss so sb}", "opcode", (int)e->key.opcode,
			"status", number(e->key.status), "name",
			name_of_status(e->key.status, buffer),
			"count", number(e->count), "benign",
			status_is_benign(e->key.opcode, e->key.status)));
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

static json_t *top(const struct report *r)
{
	json_t *list = json_array();
	int i;

	for (i = 0; i < r->num_top; i++) {
		const struct client *c = &r->top[i];

		json_array_append_new(list, json_pack(
			"{so so so so}", "name", text_json(c->name),
			"requests", number(c->value.requests),
			"bytes", number(c->value.bytes),
			"total_us", micro(c->value.ns)));
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
	const struct tally *t = &r->tally;
	char when[WHEN_SIZE];
	json_t *object;

	object = json_pack(
		"{ss so so so so so so so so so so so so so so so}",
		"time", when_json(r->end_ns, when),
		"elapsed_us", micro(r->elapsed_ns),
		"processes", number(t->processes),
		"process_us", micro(t->elapsed_ns),
		"phases_us", phases(t), "sum_us", micro(t->sum_ns),
		"events", number(t->events),
		"requests", number(t->requests),
		"ctdb_requests", number(t->ctdb_requests),
		"bytes_in", number(t->bytes_in),
		"bytes_out", number(t->bytes_out),
		"operations", requests(&r->counters),
		"errors", errors(&r->counters),
		"read", disk(&r->counters.disk[0]),
		"write", disk(&r->counters.disk[1]),
		"lost", lost(&r->counters));
	if (object != NULL && options->calls) {
		json_object_set_new(object, "syscalls_us",
				    micro(t->syscall_ns));
		json_object_set_new(object, "syscalls", calls(r));
	}
	if (object != NULL && options->top_by != TSMBD_TOP_NONE)
		json_object_set_new(object, "top", top(r));
	if (object != NULL && options->oplocks)
		json_object_set_new(object, "waits", waits_json());
	if (object == NULL)
		errx(1, "no memory");
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}
