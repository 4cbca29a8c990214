/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * past.c - rings of reports, of numbers for the heat map, and of lines.
 *
 * Reports are kept as bytes, as in the history: the name of a file takes as
 * many as it has, and not the 1024 that it may have.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "slots/slots.h"
#include "past.h"
#include "history/add.h"
#include "history/codec.h"

union line {
	struct tsmbd_event event;
	struct tsmbd_request_event request;
	struct tsmbd_wait_event wait;
	struct tsmbd_text_event text;
};

/*
 * Rings: number n is at n % size; the last one is num - 1. The last report is
 * in none of them yet.
 */
static struct smbd_report last;
static struct pack ticks[PAST_BEFORE];
static unsigned int num_ticks;
static struct moment *moments;
static unsigned int num_moments;
static union line *lines;
static unsigned int num_lines;
static unsigned long long dropped_ns;	/* of the last line overwritten */

static void *grown(void *old, size_t count, size_t size)
{
	void *new = old != NULL ? old : calloc(count, size);

	if (new == NULL)
		err(1, NULL);
	return new;
}

/* Copies the first rows, and makes one of the others. */
static void copy_top(struct top *to, const struct top *from)
{
	bool more = from->count > PAST_TICK_ROWS;
	int count = more ? PAST_TICK_ROWS : from->count;
	int i;

	if (count == 0)
		return;
	to->rows = grown(NULL, (size_t)count + 1, sizeof(*to->rows));
	to->capacity = count + 1;
	to->count = count + more;
	memcpy(to->rows, from->rows, (size_t)count * sizeof(*to->rows));
	if (more)
		strcpy(to->rows[count].name, ADD_OTHER);
	for (i = count; i < from->count; i++)
		top_add_row(&to->rows[count], &from->rows[i]);
}

static void add_wait(struct waited *to, const struct waited *from)
{
	to->count += from->count;
	to->ns += from->ns;
	if (from->max > to->max)
		to->max = from->max;
}

static void copy_waits(struct smbd_report *to, const struct smbd_report *from)
{
	bool more = from->num_waits > PAST_TICK_ROWS;
	int count = more ? PAST_TICK_ROWS : from->num_waits;
	int i;

	if (count == 0)
		return;
	to->waits = grown(NULL, (size_t)count + 1, sizeof(*to->waits));
	to->num_waits = count + more;
	memcpy(to->waits, from->waits, (size_t)count * sizeof(*to->waits));
	if (more)
		strcpy(to->waits[count].client, ADD_OTHER);
	for (i = count; i < from->num_waits; i++)
		add_wait(&to->waits[count], &from->waits[i]);
}

/*
 * Copies a report without most of its names. smbd_report_add() would need room for
 * all of them first, which a busy server has many megabytes of.
 */
static void copy(struct smbd_report *to, const struct smbd_report *from)
{
	static struct smbd_report bare;
	int kind;

	smbd_report_clear(to);
	bare = *from;
	memset(bare.tops, 0, sizeof(bare.tops));
	memset(&bare.share_commands, 0, sizeof(bare.share_commands));
	bare.waits = NULL;
	bare.num_waits = 0;
	smbd_report_add(to, &bare);
	for (kind = 0; kind < TSMBD_KINDS; kind++)
		copy_top(&to->tops[kind], &from->tops[kind]);
	copy_waits(to, from);
}

/* Puts what was the last report so far into the ring. */
static void keep_last(void)
{
	static const struct code_limits limits = {
		.names = true,
		.rows = PAST_TICK_ROWS + 1,
		.errors = TSMBD_MAX_ERRORS,
		.waits = PAST_TICK_ROWS + 1,
	};
	struct history_time time = {
		.begin_ns = last.end_ns - last.elapsed_ns,
		.wall_ns = last.end_ns,
		.mono_ns = last.end_ns,
		.elapsed_ns = last.elapsed_ns,
	};
	struct pack *tick = &ticks[num_ticks++ % PAST_BEFORE];

	tick->length = 0;
	code_report(tick, &time, &last, &limits);
}

static void fill_moment(struct moment *m, const struct smbd_report *r)
{
	unsigned long long slots[SLOTS_POWERS];
	int op, i;

	memset(m, 0, sizeof(*m));
	m->begin_ns = r->end_ns - r->elapsed_ns;
	m->end_ns = r->end_ns;
	for (op = 0; op < TSMBD_OPS; op++) {
		slots_fold(r->counters.ops[op].slots, slots);
		for (i = 0; i < SLOTS_POWERS; i++)
			m->slots[op][i] = (unsigned int)slots[i];
	}
}

const struct smbd_report *past_add(const struct smbd_report *report)
{
	if (num_moments > 0)
		keep_last();
	copy(&last, report);
	moments = grown(moments, PAST_MOMENTS, sizeof(*moments));
	fill_moment(&moments[num_moments++ % PAST_MOMENTS], report);
	return &last;
}

struct moment *past_moment(void)
{
	return &moments[(num_moments - 1) % PAST_MOMENTS];
}

const struct moment *past_after(unsigned long long ns)
{
	unsigned int i = num_moments < PAST_MOMENTS ? 0 :
		num_moments - PAST_MOMENTS;

	for (; i != num_moments; i++) {
		if (moments[i % PAST_MOMENTS].end_ns > ns)
			return &moments[i % PAST_MOMENTS];
	}
	return NULL;
}

void past_add_to(struct smbd_report *sum, const struct smbd_report *tick)
{
	int kind;

	smbd_report_add(sum, tick);
	for (kind = 0; kind < TSMBD_KINDS; kind++)
		top_shrink(&sum->tops[kind], PAST_ROWS);
}

void past_sum(struct smbd_report *sum)
{
	unsigned int i = num_ticks < PAST_BEFORE ? 0 : num_ticks - PAST_BEFORE;
	static struct smbd_report report;
	const struct pack *tick;
	unsigned int names;

	for (; i != num_ticks; i++) {
		tick = &ticks[i % PAST_BEFORE];
		if (decode_report(tick->bytes, tick->length, &report, &names))
			past_add_to(sum, &report);
		smbd_report_clear(&report);
	}
}

static size_t size_of(const struct tsmbd_event *event)
{
	switch (event->kind) {
	case TSMBD_EVENT_SLOW:
	case TSMBD_EVENT_ERROR:
	case TSMBD_EVENT_KILLED:
		return sizeof(struct tsmbd_request_event);
	case TSMBD_EVENT_WAITED:
		return sizeof(struct tsmbd_wait_event);
	case TSMBD_EVENT_TERMINATE:
	case TSMBD_EVENT_DISCONNECT:
	case TSMBD_EVENT_EXIT:
	case TSMBD_EVENT_OPLOCK_BREAK:
	case TSMBD_EVENT_OPLOCK_ACK:
	case TSMBD_EVENT_TIMEOUT:
		return sizeof(struct tsmbd_text_event);
	default:
		return sizeof(struct tsmbd_event);
	}
}

void past_event(const struct tsmbd_event *event)
{
	union line *line;

	if (event->kind == TSMBD_EVENT_GONE)
		return;
	lines = grown(lines, PAST_LINES, sizeof(*lines));
	line = &lines[num_lines % PAST_LINES];
	if (num_lines >= PAST_LINES)
		dropped_ns = line->event.time;
	memcpy(line, event, size_of(event));
	num_lines++;
}

bool past_lines(unsigned long long from,
		void (*call)(const struct tsmbd_event *event, void *context),
		void *context)
{
	unsigned int i = num_lines < PAST_LINES ? 0 : num_lines - PAST_LINES;

	for (; i != num_lines; i++) {
		const struct tsmbd_event *event;

		event = &lines[i % PAST_LINES].event;
		if (event->time >= from)
			call(event, context);
	}
	return dropped_ns < from;
}
