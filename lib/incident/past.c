/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * past.c - rings of reports, of numbers for the heat map, and of rows of events.
 *
 * Reports are kept as bytes: the name of a file takes as many as it has, and
 * not the 1024 that it may have.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "past.h"

struct line {
	const struct report_table *table;
	void *row;
};

/*
 * Rings: number n is at n % size; the last one is num - 1. The last report is
 * in none of them yet.
 */
static const struct report_program *program;
static struct report_layout *layout;
static struct report *last;
static struct report_bytes ticks[PAST_BEFORE];
static unsigned int num_ticks;
static struct moment moments[PAST_MOMENTS];
static unsigned int num_moments;
static struct line lines[PAST_LINES];
static unsigned int num_lines;
static unsigned long long dropped_ns;	/* of the last line overwritten */

static void *resize(void *old, size_t count, size_t size)
{
	return memory_of(reallocarray(old, count, size));
}

void past_begin(const struct report_program *of)
{
	program = of;
	report_layout_free(layout);
	report_free(last);
	layout = report_layout_new(program->tables);
	last = report_new(program->tables);
	num_ticks = num_moments = num_lines = 0;
	dropped_ns = 0;
}

/* Most names of a busy server are left out, which are many megabytes. */
static void copy(struct report *to, const struct report *from)
{
	const struct report_table *table;
	size_t t;

	report_clear(to);
	memcpy(to->hosts, from->hosts, sizeof(to->hosts));
	to->end_ns = from->end_ns;
	to->elapsed_ns = from->elapsed_ns;
	for (t = 0; t < from->tables->count; t++) {
		table = report_table(from, t);
		if (table->shape != REPORT_HIDDEN)
			report_copy_rows(to, from, t, table->optional &&
					 table->limit > 0 ? PAST_TICK_ROWS :
					 from->rows[t].count);
	}
}

/* Puts what was the last report so far into the ring. */
static void keep_last(void)
{
	struct report_bytes *tick = &ticks[num_ticks++ % PAST_BEFORE];

	tick->length = 0;
	report_pack(layout, last, ~0U, tick);
}

const struct report *past_add(const struct report *report)
{
	struct moment *m = &moments[num_moments % PAST_MOMENTS];

	if (num_moments++ > 0)
		keep_last();
	copy(last, report);
	m->begin_ns = report->end_ns - report->elapsed_ns;
	m->end_ns = report->end_ns;
	m->heat.length = 0;
	report_pack(layout, last, 1U << program->heat->table, &m->heat);
	return last;
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

void past_heat(const struct moment *m, struct report *report)
{
	report_clear(report);
	report_unpack(layout, m->heat.bytes, m->heat.length, report);
}

void past_add_to(struct report *sum, const struct report *tick)
{
	size_t t;

	report_add(sum, tick);
	for (t = 0; t < sum->tables->count; t++) {
		if (report_table(sum, t)->within != NULL)
			report_shrink(sum, t, PAST_ROWS);
	}
}

void past_sum(struct report *sum)
{
	unsigned int i = num_ticks < PAST_BEFORE ? 0 : num_ticks - PAST_BEFORE;
	struct report *report = report_new(program->tables);
	const struct report_bytes *tick;

	for (; i != num_ticks; i++) {
		tick = &ticks[i % PAST_BEFORE];
		if (report_unpack(layout, tick->bytes, tick->length, report))
			past_add_to(sum, report);
		report_clear(report);
	}
	report_free(report);
}

static unsigned long long time_of(const struct line *line)
{
	return *(const unsigned long long *)line->row;
}

void past_row(const struct report_table *table, const void *row)
{
	struct line *line = &lines[num_lines % PAST_LINES];

	if (num_lines++ >= PAST_LINES)
		dropped_ns = time_of(line);
	if (line->table != table)
		line->row = resize(line->row, 1, table->row_size);
	line->table = table;
	memcpy(line->row, row, table->row_size);
}

bool past_lines(unsigned long long from,
		void (*call)(const struct report_table *table, const void *row,
			     void *context),
		void *context)
{
	unsigned int i = num_lines < PAST_LINES ? 0 : num_lines - PAST_LINES;

	for (; i != num_lines; i++) {
		const struct line *line = &lines[i % PAST_LINES];

		if (time_of(line) >= from)
			call(line->table, line->row, context);
	}
	return dropped_ns < from;
}
