/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decode.c - bytes of a record to a report.
 *
 * The bytes have passed a CRC, but whoever can write the file can choose them:
 * nothing is read beyond their end, and tables have a limit. Parts that are not
 * known here come from a later version, and are skipped.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "history/add.h"
#include "history/codec.h"
#include "history/parts.h"

/* Adds what was written to the numbers that these point to. */
static void unpack_fields(struct unpack *u, unsigned long long *const *fields,
			  int count)
{
	unsigned long long values[MAX_NUMBERS];
	int i;

	unpack_numbers(u, values, count);
	for (i = 0; i < count; i++)
		*fields[i] = values[i];
}

static void decode_processes(struct unpack *u, struct tally *t)
{
	unsigned long long *const numbers[] = PROCESSES_NUMBERS(t);
	int i;

	unpack_fields(u, numbers, NUM_PROCESSES);
	unpack_numbers(u, t->phase_ns, TSMBD_PHASES);
	t->sum_ns = 0;
	for (i = 0; i < TSMBD_PHASES; i++)
		t->sum_ns += t->phase_ns[i];
}

static void decode_operations(struct unpack *u, struct counters *c)
{
	unsigned long long opcode;

	while (u->at < u->end && !u->bad) {
		opcode = unpack_number(u);
		if (opcode >= TSMBD_OPS)
			opcode = TSMBD_UNKNOWN;
		struct tsmbd_op *op = &c->ops[opcode];
		struct tsmbd_extreme *x = &c->extremes[opcode];
		unsigned long long *const numbers[] = OPERATION_NUMBERS(op, x);

		unpack_fields(u, numbers, NUM_OPERATION);
		unpack_slots(u, op->slots, SLOTS_FINE);
	}
}

static void decode_errors(struct unpack *u, struct counters *c)
{
	struct error_count *e;

	while (u->at < u->end && !u->bad) {
		if (c->num_errors == TSMBD_MAX_ERRORS) {
			u->bad = true;
			return;
		}
		e = &c->errors[c->num_errors++];
		e->opcode = (unsigned int)unpack_number(u);
		e->status = (unsigned int)unpack_number(u);
		e->count = unpack_number(u);
		if (e->opcode >= TSMBD_OPS)
			e->opcode = TSMBD_UNKNOWN;
	}
}

static void decode_disk(struct unpack *u, struct counters *c)
{
	int i;

	for (i = 0; i < 2; i++) {
		c->disk[i].count = unpack_number(u);
		c->disk[i].ns = unpack_number(u);
		unpack_slots(u, c->disk[i].slots, SLOTS_POWERS);
	}
}

static void decode_sizes(struct unpack *u, struct counters *c)
{
	int i;

	for (i = 0; i < 2; i++) {
		c->sizes[i].count = unpack_number(u);
		c->sizes[i].sequential = unpack_number(u);
		unpack_slots(u, c->sizes[i].slots, SLOTS_POWERS);
	}
}

static void decode_calls(struct unpack *u, struct counters *c)
{
	unsigned long long number;

	while (u->at < u->end && !u->bad) {
		number = unpack_number(u);
		if (number >= TSMBD_SYSCALLS) {
			u->bad = true;
			return;
		}
		c->calls[number].count = unpack_number(u);
		c->calls[number].ns = unpack_number(u);
	}
}

static void decode_name(struct unpack *u, struct top_row *row)
{
	struct tsmbd_top_value *v = &row->value;
	unsigned long long *const numbers[] = NAME_NUMBERS(v);
	unsigned long long slots[SLOTS_COARSE];
	int i;

	unpack_text(u, row->share, sizeof(row->share));
	unpack_text(u, row->name, sizeof(row->name));
	unpack_fields(u, numbers, NUM_NAME);
	unpack_slots(u, slots, SLOTS_COARSE);
	for (i = 0; i < SLOTS_COARSE; i++)
		v->slots[i] = (unsigned int)slots[i];
}

static void decode_names(struct unpack *u, struct smbd_report *r,
			 unsigned int *names)
{
	unsigned long long kind = unpack_number(u);

	if (kind >= TSMBD_KINDS)
		return;
	*names |= 1U << kind;
	while (u->at < u->end && !u->bad) {
		if (r->tops[kind].count == ADD_ROWS) {
			u->bad = true;
			return;
		}
		decode_name(u, top_new_row(&r->tops[kind]));
	}
}

static void decode_waits(struct unpack *u, struct smbd_report *r)
{
	if (r->waits == NULL)
		r->waits = calloc(ADD_WAITS, sizeof(*r->waits));
	if (r->waits == NULL)
		err(1, NULL);
	while (u->at < u->end && !u->bad) {
		if (r->num_waits == ADD_WAITS) {
			u->bad = true;
			return;
		}
		struct waited *w = &r->waits[r->num_waits++];
		unsigned long long *const numbers[] = WAIT_NUMBERS(w);

		unpack_text(u, w->client, sizeof(w->client));
		unpack_text(u, w->holder, sizeof(w->holder));
		unpack_text(u, w->share, sizeof(w->share));
		unpack_text(u, w->file, sizeof(w->file));
		w->holder_pid = (unsigned int)unpack_number(u);
		unpack_fields(u, numbers, NUM_WAIT);
	}
}

static void decode_part(struct unpack *u, unsigned int tag, struct smbd_report *r,
			unsigned int *names)
{
	switch (tag) {
	case PART_PROCESSES:
		decode_processes(u, &r->tally);
		return;
	case PART_OPERATIONS:
		decode_operations(u, &r->counters);
		return;
	case PART_ERRORS:
		decode_errors(u, &r->counters);
		return;
	case PART_DISK:
		decode_disk(u, &r->counters);
		return;
	case PART_SIZES:
		decode_sizes(u, &r->counters);
		return;
	case PART_CALLS:
		decode_calls(u, &r->counters);
		return;
	case PART_LOST:
		unpack_numbers(u, r->counters.lost, TSMBD_LOST_KINDS);
		return;
	case PART_NAMES:
		decode_names(u, r, names);
		return;
	case PART_WAITS:
		decode_waits(u, r);
		return;
	case PART_NODE:
		r->vnn = unpack_number(u);
		return;
	default:
		return;
	}
}

bool decode_time(const unsigned char *bytes, size_t length, unsigned int *type,
		 struct history_time *time)
{
	struct unpack u = { .at = bytes, .end = bytes + length };
	struct unpack part;
	unsigned int tag;

	*type = (unsigned int)unpack_number(&u);
	if (!unpack_part(&u, &tag, &part) || tag != PART_TIME)
		return false;
	time->wall_ns = unpack_number(&part);
	time->mono_ns = unpack_number(&part);
	time->elapsed_ns = unpack_number(&part);
	time->begin_ns = time->mono_ns - unpack_number(&part);
	return !part.bad;
}

bool decode_report(const unsigned char *bytes, size_t length, struct smbd_report *r,
		   unsigned int *names)
{
	struct unpack u = { .at = bytes, .end = bytes + length };
	struct history_time time;
	struct unpack part;
	unsigned int type, tag;

	*names = 0;
	if (!decode_time(bytes, length, &type, &time) ||
	    type != HISTORY_REPORT)
		return false;
	r->end_ns = time.wall_ns;
	r->elapsed_ns = time.elapsed_ns;
	unpack_number(&u);
	while (unpack_part(&u, &tag, &part)) {
		decode_part(&part, tag, r, names);
		u.bad |= part.bad;
	}
	smbd_report_add_up(r);
	return !u.bad;
}

static void decode_file(struct unpack *u, struct tsmbd_detail *d)
{
	size_t length;

	d->raw = (unsigned int)unpack_number(u);
	d->file_length = (unsigned int)unpack_number(u);
	length = (size_t)(u->end - u->at);
	if (d->raw > TSMBD_RAW_USER || length > TSMBD_FILE ||
	    d->file_length > TSMBD_FILE ||
	    (d->raw != TSMBD_RAW_NONE && d->file_length > length)) {
		u->bad = true;
		return;
	}
	memcpy(d->file, u->at, length);
	if (d->raw == TSMBD_RAW_NONE)
		d->file[length < TSMBD_FILE ? length : TSMBD_FILE - 1] = '\0';
}

bool decode_request(const unsigned char *bytes, size_t length,
		    struct tsmbd_request_event *e)
{
	struct tsmbd_request *r = &e->request;
	struct tsmbd_detail *d = &e->detail;
	unsigned long long *const numbers[] = REQUEST_NUMBERS(r, d);
	struct unpack u = { .at = bytes, .end = bytes + length };
	struct history_time time;
	struct unpack part;
	unsigned int type, tag;

	memset(e, 0, sizeof(*e));
	if (!decode_time(bytes, length, &type, &time) ||
	    type != HISTORY_REQUEST)
		return false;
	unpack_number(&u);
	unpack_part(&u, &tag, &part);
	if (!unpack_part(&u, &tag, &part) || tag != PART_REQUEST)
		return false;
	e->event.kind = (unsigned int)unpack_number(&part);
	e->event.pid = (unsigned int)unpack_number(&part);
	r->opcode = (unsigned int)unpack_number(&part);
	r->status = (unsigned int)unpack_number(&part);
	e->event.time = time.wall_ns;
	r->start = time.wall_ns - unpack_number(&part);
	unpack_fields(&part, numbers, NUM_REQUEST);
	unpack_text(&part, e->event.remote, sizeof(e->event.remote));
	unpack_text(&part, d->user, sizeof(d->user));
	unpack_text(&part, d->share, sizeof(d->share));
	decode_file(&part, d);
	return !part.bad && (e->event.kind == TSMBD_EVENT_SLOW ||
			     e->event.kind == TSMBD_EVENT_ERROR);
}
