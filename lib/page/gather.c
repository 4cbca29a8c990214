/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gather.c - the clients, files, waits and slow requests of some seconds.
 *
 * There are more rows than are kept, since the one that has most at the end
 * need not have most in its first second. What does not fit is still counted,
 * as that of all others.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "slots/slots.h"
#include "tsmbd/rows.h"
#include "gather.h"
#include "pool.h"

enum { TOP_ROWS = 64, WAIT_ROWS = 64 };

struct gather {
	struct page_top tops[TSMBD_KINDS][TOP_ROWS];
	struct page_top others[TSMBD_KINDS];
	struct page_wait waits[WAIT_ROWS];
	struct page_wait other_waits;
	struct page_slow slow[PAGE_SLOW];
	unsigned long long other_slow;
};

struct gather *gather_new(void)
{
	struct gather *g = calloc(1, sizeof(*g));

	if (g == NULL)
		err(1, NULL);
	return g;
}

static void drop_top(struct page_top *row)
{
	if (row->requests == 0)
		return;
	pool_drop(row->name);
	pool_drop(row->share);
	memset(row, 0, sizeof(*row));
}

static void drop_wait(struct page_wait *row)
{
	if (row->count == 0)
		return;
	pool_drop(row->client);
	pool_drop(row->holder);
	pool_drop(row->share);
	pool_drop(row->file);
	memset(row, 0, sizeof(*row));
}

static void drop_slow(struct page_slow *row)
{
	if (row->end_ns == 0)
		return;
	pool_drop(row->client);
	pool_drop(row->user);
	pool_drop(row->share);
	pool_drop(row->file);
	memset(row, 0, sizeof(*row));
}

static void add_top(struct page_top *to, const struct page_top *from)
{
	int i;

	to->requests += from->requests;
	to->errors += from->errors;
	to->bytes += from->bytes;
	to->ns += from->ns;
	if (from->max > to->max)
		to->max = from->max;
	for (i = 0; i < SLOTS_POWERS; i++)
		to->slots[i] += from->slots[i];
}

static void add_wait(struct page_wait *to, const struct page_wait *from)
{
	to->count += from->count;
	to->ns += from->ns;
	if (from->max > to->max)
		to->max = from->max;
}

/* Quarters of powers of two become powers of two: 0 and 1, 2 and 3, 4... */
static void fold(const unsigned int *coarse, unsigned int *slots)
{
	unsigned long long fine[SLOTS_FINE] = { 0 };
	unsigned long long folded[SLOTS_POWERS];
	int i;

	for (i = 0; i < SLOTS_COARSE; i++)
		fine[2 * i] = coarse[i];
	slots_fold(fine, folded);
	for (i = 0; i < SLOTS_POWERS; i++)
		slots[i] = (unsigned int)folded[i];
}

static struct page_top top_of(const struct top_row *row)
{
	const struct tsmbd_top_value *v = &row->value;
	struct page_top top = {
		.requests = v->requests, .errors = v->errors,
		.bytes = v->bytes, .ns = v->ns, .max = v->max,
	};

	fold(v->slots, top.slots);
	return top;
}

/* Puts a row where it has its name, or where there is least; else to others. */
static void put_top(struct gather *g, int kind, struct page_top *row)
{
	struct page_top *rows = g->tops[kind];
	struct page_top *least = &rows[0];
	int i;

	for (i = 0; i < TOP_ROWS; i++) {
		if (rows[i].requests > 0 && rows[i].name == row->name &&
		    rows[i].share == row->share) {
			add_top(&rows[i], row);
			drop_top(row);
			return;
		}
		if (rows[i].ns < least->ns || rows[i].requests == 0)
			least = least->requests == 0 ? least : &rows[i];
	}
	if (least->requests > 0 && least->ns >= row->ns) {
		add_top(&g->others[kind], row);
		drop_top(row);
		return;
	}
	add_top(&g->others[kind], least);
	drop_top(least);
	*least = *row;
}

static int by_time(const void *a, const void *b)
{
	const struct top_row *x = *(const struct top_row *const *)a;
	const struct top_row *y = *(const struct top_row *const *)b;

	return x->value.ns < y->value.ns ? 1 : -(x->value.ns > y->value.ns);
}

/* What a history has of all that were not the busiest ones. */
static bool is_rest(const struct top_row *row)
{
	return row->share[0] == '\0' && strcmp(row->name, REPORT_OTHER) == 0;
}

/* Only rows that may be kept become names of the pool. */
static void gather_tops(struct gather *g, int kind, const struct top *top)
{
	const struct top_row **order;
	struct page_top row;
	int i;

	if (top->count == 0)
		return;
	order = calloc((size_t)top->count, sizeof(struct top_row *));
	if (order == NULL)
		err(1, NULL);
	for (i = 0; i < top->count; i++)
		order[i] = &top->rows[i];
	qsort(order, (size_t)top->count, sizeof(order[0]), by_time);
	for (i = 0; i < top->count; i++) {
		row = top_of(order[i]);
		if (i >= TOP_ROWS || is_rest(order[i])) {
			add_top(&g->others[kind], &row);
			continue;
		}
		row.name = pool_keep(order[i]->name);
		row.share = pool_keep(order[i]->share);
		put_top(g, kind, &row);
	}
	free(order);
}

static void put_wait(struct gather *g, struct page_wait *row)
{
	struct page_wait *least = &g->waits[0];
	int i;

	for (i = 0; i < WAIT_ROWS; i++) {
		struct page_wait *w = &g->waits[i];

		if (w->count > 0 && w->client == row->client &&
		    w->holder == row->holder && w->share == row->share &&
		    w->file == row->file) {
			add_wait(w, row);
			drop_wait(row);
			return;
		}
		if (w->ns < least->ns || w->count == 0)
			least = least->count == 0 ? least : w;
	}
	if (least->count > 0 && least->ns >= row->ns) {
		add_wait(&g->other_waits, row);
		drop_wait(row);
		return;
	}
	add_wait(&g->other_waits, least);
	drop_wait(least);
	*least = *row;
}

/* The list has the longest waits first. */
static void gather_waits(struct gather *g, const struct smbd_report *r)
{
	char holder[WAITS_HOLDER];
	int i;

	for (i = 0; i < r->num_waits; i++) {
		const struct waited *w = &r->waits[i];
		struct page_wait row = {
			.count = w->count, .ns = w->ns, .max = w->max,
		};

		if (i >= WAIT_ROWS || strcmp(w->client, REPORT_OTHER) == 0) {
			add_wait(&g->other_waits, &row);
			continue;
		}
		row.client = pool_keep(w->client);
		row.holder = pool_keep(waits_holder(w, holder));
		row.share = pool_keep(w->share);
		row.file = pool_keep(w->file);
		put_wait(g, &row);
	}
}

void gather_report(struct gather *g, const struct smbd_report *r)
{
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++)
		gather_tops(g, kind, &r->tops[kind]);
	gather_waits(g, r);
}

static void take_times(struct page_slow *row, const struct slow_row *slow)
{
	const struct report_column *column;
	int i = 0;

	REPORT_FOR_EACH(column, &smbd_tables.table[SMBD_SLOW], SLOW_TIMES) {
		if (column->unit == REPORT_NS && i < PAGE_TIMES)
			row->ns[i++] = report_get(column, slow);
	}
}

void gather_slow(struct gather *g, const struct tsmbd_request_event *event)
{
	struct page_slow *least = &g->slow[0];
	char client[TSMBD_NAME];
	struct slow_row slow;
	struct page_slow row;
	int i;

	client_name(event->event.pid, event->event.remote, client);
	rows_slow(&slow, event, client);
	row = (struct page_slow){
		.opcode = slow.opcode, .status = slow.status,
		.end_ns = slow.end_ns, .limit_ns = slow.limit_ns,
	};
	take_times(&row, &slow);
	for (i = 1; i < PAGE_SLOW; i++) {
		if (g->slow[i].ns[0] < least->ns[0])
			least = &g->slow[i];
	}
	if (least->end_ns != 0) {
		g->other_slow++;
		if (least->ns[0] >= row.ns[0])
			return;
	}
	drop_slow(least);
	row.client = pool_keep(slow.client);
	row.user = pool_keep(slow.user);
	row.share = pool_keep(slow.share);
	row.file = pool_keep(slow.file);
	*least = row;
}

static int top_by_time(const void *a, const void *b)
{
	const struct page_top *x = a;
	const struct page_top *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->requests < y->requests ? 1 : -(x->requests > y->requests);
}

static int wait_by_time(const void *a, const void *b)
{
	const struct page_wait *x = a;
	const struct page_wait *y = b;

	return x->ns < y->ns ? 1 : -(x->ns > y->ns);
}

static int slow_by_time(const void *a, const void *b)
{
	const struct page_slow *x = a;
	const struct page_slow *y = b;

	return x->ns[0] < y->ns[0] ? 1 : -(x->ns[0] > y->ns[0]);
}

static void keep_tops(const struct gather *g, int kind, struct page_detail *d)
{
	struct page_top rows[TOP_ROWS];
	struct page_top *top = d->tops[kind];
	int i;

	memcpy(rows, g->tops[kind], sizeof(rows));
	qsort(rows, TOP_ROWS, sizeof(rows[0]), top_by_time);
	d->others[kind] = g->others[kind];
	for (i = 0; i < TOP_ROWS; i++) {
		if (rows[i].requests == 0)
			continue;
		if (i >= PAGE_TOP) {
			add_top(&d->others[kind], &rows[i]);
			continue;
		}
		top[i] = rows[i];
		top[i].name = pool_keep(pool_name(rows[i].name));
		top[i].share = pool_keep(pool_name(rows[i].share));
	}
}

static void keep_waits(const struct gather *g, struct page_detail *d)
{
	struct page_wait rows[WAIT_ROWS];
	int i;

	memcpy(rows, g->waits, sizeof(rows));
	qsort(rows, WAIT_ROWS, sizeof(rows[0]), wait_by_time);
	d->other_waits = g->other_waits;
	for (i = 0; i < WAIT_ROWS; i++) {
		if (rows[i].count == 0)
			continue;
		if (i >= PAGE_WAITS) {
			add_wait(&d->other_waits, &rows[i]);
			continue;
		}
		d->waits[i] = rows[i];
		d->waits[i].client = pool_keep(pool_name(rows[i].client));
		d->waits[i].holder = pool_keep(pool_name(rows[i].holder));
		d->waits[i].share = pool_keep(pool_name(rows[i].share));
		d->waits[i].file = pool_keep(pool_name(rows[i].file));
	}
}

static void keep_slow(const struct gather *g, struct page_detail *d)
{
	int i;

	memcpy(d->slow, g->slow, sizeof(d->slow));
	qsort(d->slow, PAGE_SLOW, sizeof(d->slow[0]), slow_by_time);
	d->other_slow = g->other_slow;
	for (i = 0; i < PAGE_SLOW; i++) {
		struct page_slow *s = &d->slow[i];

		if (s->end_ns == 0)
			continue;
		s->client = pool_keep(pool_name(s->client));
		s->user = pool_keep(pool_name(s->user));
		s->share = pool_keep(pool_name(s->share));
		s->file = pool_keep(pool_name(s->file));
	}
}

void gather_keep(const struct gather *g, struct page_detail *d)
{
	int kind;

	gather_drop(d);
	for (kind = 0; kind < TSMBD_KINDS; kind++)
		keep_tops(g, kind, d);
	keep_waits(g, d);
	keep_slow(g, d);
}

void gather_clear(struct gather *g)
{
	int kind, i;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		for (i = 0; i < TOP_ROWS; i++)
			drop_top(&g->tops[kind][i]);
	}
	for (i = 0; i < WAIT_ROWS; i++)
		drop_wait(&g->waits[i]);
	for (i = 0; i < PAGE_SLOW; i++)
		drop_slow(&g->slow[i]);
	memset(g, 0, sizeof(*g));
}

static unsigned int list_names(unsigned int names[PAGE_NAMES],
			       unsigned int count, const unsigned int *from,
			       unsigned int length)
{
	unsigned int i;

	for (i = 0; i < length; i++) {
		if (from[i] != 0)
			names[count++] = from[i];
	}
	return count;
}

/* An empty row has no names. */
unsigned int gather_names(const struct page_detail *d,
			  unsigned int names[PAGE_NAMES])
{
	unsigned int count = 0;
	int kind, i;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		for (i = 0; i < PAGE_TOP; i++) {
			const struct page_top *t = &d->tops[kind][i];

			count = list_names(names, count, (unsigned int []){
				t->name, t->share }, 2);
		}
	}
	for (i = 0; i < PAGE_WAITS; i++) {
		const struct page_wait *w = &d->waits[i];

		count = list_names(names, count, (unsigned int []){
			w->client, w->holder, w->share, w->file }, 4);
	}
	for (i = 0; i < PAGE_SLOW; i++) {
		const struct page_slow *s = &d->slow[i];

		count = list_names(names, count, (unsigned int []){
			s->client, s->user, s->share, s->file }, 4);
	}
	return count;
}

void gather_drop(struct page_detail *d)
{
	unsigned int names[PAGE_NAMES];
	unsigned int count = gather_names(d, names);

	while (count > 0)
		pool_drop(names[--count]);
	memset(d, 0, sizeof(*d));
}
