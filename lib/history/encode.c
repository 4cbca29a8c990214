/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * encode.c - a report as bytes: numbers that are 0 take one byte or none.
 *
 *	type | part | part | ...	part: tag, length, contents
 */
#include <string.h>

#include "history/add.h"
#include "history/codec.h"
#include "history/parts.h"

/* Writes the numbers that these point to. */
static void pack_fields(struct pack *p,
			const unsigned long long *const *fields, int count)
{
	unsigned long long values[MAX_NUMBERS];
	int i;

	for (i = 0; i < count; i++)
		values[i] = *fields[i];
	pack_numbers(p, values, count);
}

static void code_time(struct pack *p, unsigned int type,
		      const struct history_time *time)
{
	size_t part;

	pack_number(p, type);
	part = pack_begin(p, PART_TIME);
	pack_number(p, time->wall_ns);
	pack_number(p, time->mono_ns);
	pack_number(p, time->elapsed_ns);
	pack_number(p, time->mono_ns - time->begin_ns);
	pack_end(p, part);
}

static void code_processes(struct pack *p, const struct tally *t)
{
	const unsigned long long *const numbers[] = PROCESSES_NUMBERS(t);
	size_t part = pack_begin(p, PART_PROCESSES);

	pack_fields(p, numbers, NUM_PROCESSES);
	pack_numbers(p, t->phase_ns, TSMBD_PHASES);
	pack_end(p, part);
}

static void code_operation(struct pack *p, unsigned int opcode,
			   const struct tsmbd_op *op,
			   const struct tsmbd_extreme *x)
{
	const unsigned long long *const numbers[] = OPERATION_NUMBERS(op, x);

	pack_number(p, opcode);
	pack_fields(p, numbers, NUM_OPERATION);
	pack_slots(p, op->slots, SLOTS_FINE);
}

static void code_operations(struct pack *p, const struct counters *c)
{
	size_t part = pack_begin(p, PART_OPERATIONS);
	unsigned int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		if (c->ops[op].count > 0)
			code_operation(p, op, &c->ops[op], &c->extremes[op]);
	}
	pack_end(p, part);
}

/* Returns how many errors are not written. */
static unsigned long long code_errors(struct pack *p, const struct counters *c,
				      int limit)
{
	unsigned long long left = 0;
	size_t part;
	int i;

	if (c->num_errors == 0)
		return 0;
	part = pack_begin(p, PART_ERRORS);
	for (i = 0; i < c->num_errors; i++) {
		if (i >= limit) {
			left += c->errors[i].count;
			continue;
		}
		pack_number(p, c->errors[i].opcode);
		pack_number(p, c->errors[i].status);
		pack_number(p, c->errors[i].count);
	}
	pack_end(p, part);
	return left;
}

static void code_disk(struct pack *p, const struct counters *c)
{
	size_t part;
	int i;

	if (c->disk[0].count + c->disk[1].count == 0)
		return;
	part = pack_begin(p, PART_DISK);
	for (i = 0; i < 2; i++) {
		pack_number(p, c->disk[i].count);
		pack_number(p, c->disk[i].ns);
		pack_slots(p, c->disk[i].slots, SLOTS_POWERS);
	}
	pack_end(p, part);
}

static void code_sizes(struct pack *p, const struct counters *c)
{
	size_t part;
	int i;

	if (c->sizes[0].count + c->sizes[1].count == 0)
		return;
	part = pack_begin(p, PART_SIZES);
	for (i = 0; i < 2; i++) {
		pack_number(p, c->sizes[i].count);
		pack_number(p, c->sizes[i].sequential);
		pack_slots(p, c->sizes[i].slots, SLOTS_POWERS);
	}
	pack_end(p, part);
}

static void code_calls(struct pack *p, const struct counters *c)
{
	size_t part = pack_begin(p, PART_CALLS);
	unsigned int i;

	for (i = 0; i < TSMBD_SYSCALLS; i++) {
		if (c->calls[i].count == 0)
			continue;
		pack_number(p, i);
		pack_number(p, c->calls[i].count);
		pack_number(p, c->calls[i].ns);
	}
	pack_end(p, part);
}

/* What was counted, and what was left out here. */
static void code_lost(struct pack *p, const struct counters *c,
		      unsigned long long more_errors)
{
	unsigned long long lost[TSMBD_LOST_KINDS];
	size_t part;

	memcpy(lost, c->lost, sizeof(lost));
	lost[TSMBD_LOST_ERRORS] += more_errors;
	part = pack_begin(p, PART_LOST);
	pack_numbers(p, lost, TSMBD_LOST_KINDS);
	pack_end(p, part);
}

static void code_name(struct pack *p, const struct top_row *row)
{
	const struct tsmbd_top_value *v = &row->value;
	const unsigned long long *const numbers[] = NAME_NUMBERS(v);
	unsigned long long slots[SLOTS_COARSE];
	int i;

	for (i = 0; i < SLOTS_COARSE; i++)
		slots[i] = v->slots[i];
	pack_text(p, row->share);
	pack_text(p, row->name);
	pack_fields(p, numbers, NUM_NAME);
	pack_slots(p, slots, SLOTS_COARSE);
}

static void code_names(struct pack *p, const struct top *top, int kind,
		       int limit)
{
	size_t part = pack_begin(p, PART_NAMES);
	int i;

	pack_number(p, (unsigned int)kind);
	for (i = 0; i < top->count && i < limit; i++)
		code_name(p, &top->rows[i]);
	pack_end(p, part);
}

static void code_wait(struct pack *p, const struct waited *w)
{
	const unsigned long long *const numbers[] = WAIT_NUMBERS(w);

	pack_text(p, w->client);
	pack_text(p, w->holder);
	pack_text(p, w->share);
	pack_text(p, w->file);
	pack_number(p, w->holder_pid);
	pack_fields(p, numbers, NUM_WAIT);
}

/* Those that are beyond the limit become one row. */
static void code_waits(struct pack *p, const struct smbd_report *r, int limit)
{
	struct waited other = { .client = ADD_OTHER };
	size_t part;
	int i;

	if (r->num_waits == 0)
		return;
	part = pack_begin(p, PART_WAITS);
	for (i = 0; i < r->num_waits; i++) {
		const struct waited *w = &r->waits[i];

		if (i < limit) {
			code_wait(p, w);
			continue;
		}
		other.count += w->count;
		other.ns += w->ns;
		other.max = w->max > other.max ? w->max : other.max;
	}
	if (other.count > 0)
		code_wait(p, &other);
	pack_end(p, part);
}

static void code_node(struct pack *p, const struct smbd_report *r)
{
	size_t part;

	if (r->vnn == 0)
		return;
	part = pack_begin(p, PART_NODE);
	pack_number(p, r->vnn);
	pack_end(p, part);
}

void code_report(struct pack *p, const struct history_time *time,
		 const struct smbd_report *r, const struct code_limits *limits)
{
	const struct counters *c = &r->counters;
	unsigned long long errors;
	int kind;

	code_time(p, HISTORY_REPORT, time);
	code_processes(p, &r->tally);
	code_operations(p, c);
	errors = code_errors(p, c, limits->errors);
	code_disk(p, c);
	code_sizes(p, c);
	code_calls(p, c);
	for (kind = 0; limits->names && kind < TSMBD_KINDS; kind++)
		code_names(p, &r->tops[kind], kind, limits->rows);
	code_waits(p, r, limits->waits);
	code_node(p, r);
	code_lost(p, c, errors);
}

void code_request(struct pack *p, const struct history_time *time,
		  const struct tsmbd_request_event *e, const char *client)
{
	const struct tsmbd_request *r = &e->request;
	const struct tsmbd_detail *d = &e->detail;
	const unsigned long long *const numbers[] = REQUEST_NUMBERS(r, d);
	size_t length = d->raw == TSMBD_RAW_NONE ?
		strnlen(d->file, TSMBD_FILE - 1) : d->file_length;
	size_t part;

	code_time(p, HISTORY_REQUEST, time);
	part = pack_begin(p, PART_REQUEST);
	pack_number(p, e->event.kind);
	pack_number(p, e->event.pid);
	pack_number(p, r->opcode);
	pack_number(p, r->status);
	pack_number(p, e->event.time - r->start);
	pack_fields(p, numbers, NUM_REQUEST);
	pack_text(p, client);
	pack_text(p, d->user);
	pack_text(p, d->share);
	pack_number(p, d->raw);
	pack_number(p, d->file_length);
	pack_bytes(p, d->file, length < TSMBD_FILE ? length : TSMBD_FILE);
	pack_end(p, part);
}
