/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.c - keeps reports of a second for the page, in memory of fixed size.
 *
 *	span      step    points    a detail (gather.h)
 *	minutes   1 s     600       10 s
 *	hours     1 min   360       1 min
 *
 * A step without a report stays empty: the page shows a gap, and not a zero.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "../history/add.h"
#include "../quantile.h"
#include "pool.h"
#include "store.h"

#define SECOND 1000000000ULL

static struct page_store store = {
	.spans = {
		[PAGE_MINUTES] = { .name = "minutes", .step_ns = SECOND,
			.num_points = 600, .steps = 10, .num_details = 60 },
		[PAGE_HOURS] = { .name = "hours", .step_ns = 60 * SECOND,
			.num_points = 360, .steps = 1, .num_details = 360 },
	},
};

static void *zeroed(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (memory == NULL)
		err(1, NULL);
	return memory;
}

struct page_store *page_store(void)
{
	int i;

	if (store.gather != NULL)
		return &store;
	pool_keep("");		/* a name of number 0, for rows without any */
	store.gather = gather_new();
	for (i = 0; i < PAGE_SPANS; i++) {
		struct page_span *span = &store.spans[i];

		span->points = zeroed(span->num_points,
				      sizeof(*span->points));
		span->details = zeroed(span->num_details,
				       sizeof(*span->details));
		span->gather = gather_new();
	}
	return &store;
}

/*
 * The step in the middle of a report: reports end a little after their second,
 * and none of them may be counted in the next one.
 */
static unsigned long long number_at(const struct page_span *span,
				    unsigned long long end_ns,
				    unsigned long long elapsed_ns)
{
	unsigned long long middle = end_ns - elapsed_ns / 2 - store.begin_ns;

	return middle / span->step_ns + 1;
}

unsigned long long store_last(const struct page_span *span)
{
	unsigned long long last = 0;
	unsigned int i;

	for (i = 0; i < span->num_points; i++) {
		if (span->points[i].number > last)
			last = span->points[i].number;
	}
	return last;
}

static void add_ops(struct page_point *p, const struct counters *c)
{
	unsigned long long slots[TSMBD_SLOTS];
	int op, i;

	for (op = 0; op < TSMBD_OPS; op++) {
		const struct tsmbd_op *from = &c->ops[op];
		struct page_op *to = &p->ops[op];

		if (from->count == 0)
			continue;
		to->count += (unsigned int)from->count;
		to->errors += (unsigned int)from->errors;
		to->ns += from->total_ns;
		quantile_fold(from->slots, slots);
		for (i = 0; i < TSMBD_SLOTS; i++)
			to->slots[i] += (unsigned int)slots[i];
	}
}

static void add_point(struct page_point *p, const struct report *r)
{
	int i;

	p->elapsed_ns += r->elapsed_ns;
	p->bytes_in += r->totals.bytes_in;
	p->bytes_out += r->totals.bytes_out;
	for (i = 0; i < TSMBD_PHASES; i++)
		p->phase_ns[i] += r->tally.phase_ns[i];
	for (i = 0; i < TSMBD_LOST_KINDS; i++)
		p->lost += r->counters.lost[i];
	p->connections = (unsigned int)r->tally.connected;
	p->sessions = (unsigned int)r->tally.sessions;
	p->open_files = (unsigned int)r->tally.opens;
	p->under_way = (unsigned int)r->tally.under_way;
	add_ops(p, &r->counters);
}

static struct page_detail *detail_of(struct page_span *span,
				     unsigned long long number)
{
	return &span->details[(number - 1) % span->num_details];
}

static void settle(struct page_span *span)
{
	struct page_detail *detail;

	if (span->gathered == 0)
		return;
	detail = detail_of(span, span->gathered);
	gather_keep(span->gather, detail);
	detail->number = span->gathered;
}

void store_settle(void)
{
	struct page_store *s = page_store();
	int i;

	for (i = 0; i < PAGE_SPANS; i++)
		settle(&s->spans[i]);
	gather_keep(s->gather, &s->overall);
	s->overall.number = 1;
}

static void take(struct page_span *span, const struct report *r)
{
	unsigned long long number = number_at(span, r->end_ns, r->elapsed_ns);
	unsigned long long detail = (number - 1) / span->steps + 1;
	struct page_point *p = &span->points[(number - 1) % span->num_points];

	if (p->number != number) {
		memset(p, 0, sizeof(*p));
		p->number = number;
	}
	add_point(p, r);
	if (span->gathered != 0 && span->gathered != detail) {
		settle(span);
		gather_clear(span->gather);
	}
	span->gathered = detail;
	gather_report(span->gather, r);
}

void store_take(const struct report *r)
{
	struct report *tick = zeroed(1, sizeof(*tick));
	struct page_store *s = page_store();
	int i;

	if (s->begin_ns == 0)
		s->begin_ns = r->end_ns - r->elapsed_ns;
	s->end_ns = r->end_ns;
	for (i = 0; i < PAGE_SPANS; i++)
		take(&s->spans[i], r);
	gather_report(s->gather, r);
	*tick = *r;
	memset(tick->tops, 0, sizeof(tick->tops));
	tick->waits = NULL;
	tick->num_waits = 0;
	report_add(&s->sum, tick);
	free(tick);
}

/* Requests come before the report of their second. */
void store_event(const struct tsmbd_event *event)
{
	struct page_store *s = page_store();
	int i;

	if (event->kind != TSMBD_EVENT_SLOW)
		return;
	for (i = 0; i < PAGE_SPANS; i++)
		gather_slow(s->spans[i].gather, (const void *)event);
	gather_slow(s->gather, (const void *)event);
}
