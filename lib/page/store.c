/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.c - keeps reports of a second for the page, in memory of fixed size.
 *
 *	span      step    points    lists (gather.h)
 *	minutes   1 s     600       10 s
 *	hours     1 min   360       1 min
 *
 * A step without a report stays empty: the page shows a gap, and not a zero.
 *
 * What is complete does not change any more, and is kept as the text that the
 * page has of it. If the texts of a span do not fit into its room, the oldest
 * ones are dropped; numbers of charts stay.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "slots/slots.h"
#include "history/add.h"
#include "detail.h"
#include "pool.h"
#include "store.h"
#include "write.h"

#define SECOND 1000000000ULL

static struct page_store store = {
	.spans = {
		[PAGE_MINUTES] = { .name = "minutes", .step_ns = SECOND,
			.num_points = 600, .steps = 10, .num_lists = 60,
			.room = 3 << 18 },
		[PAGE_HOURS] = { .name = "hours", .step_ns = 60 * SECOND,
			.num_points = 360, .steps = 1, .num_lists = 360,
			.room = 5 << 18 },
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
		span->lists = zeroed(span->num_lists, sizeof(*span->lists));
		span->gather = gather_new();
	}
	return &store;
}

/*
 * The step in the middle of a report: reports end a little after their second,
 * and none of them may be counted in the next one. 0: it is before the first.
 */
static unsigned long long number_at(const struct page_span *span,
				    unsigned long long end_ns,
				    unsigned long long elapsed_ns)
{
	unsigned long long middle = end_ns - elapsed_ns / 2 - store.origin_ns;

	return (long long)middle < 0 ? 0 : middle / span->step_ns + 1;
}

static struct page_point *point_of(struct page_span *span,
				   unsigned long long number)
{
	return &span->points[(number - 1) % span->num_points];
}

static struct page_lists *lists_of(struct page_span *span,
				   unsigned long long number)
{
	return &span->lists[(number - 1) % span->num_lists];
}

static void drop_heat(struct page_span *span, struct page_point *p)
{
	span->used -= p->heat_size;
	free(p->heat);
	p->heat = NULL;
	p->heat_size = 0;
}

static void drop_lists(struct page_span *span, struct page_lists *lists)
{
	if (lists->text != NULL)
		span->used -= strlen(lists->text);
	while (lists->num_names > 0)
		pool_drop(lists->names[--lists->num_names]);
	free(lists->names);
	free(lists->text);
	memset(lists, 0, sizeof(*lists));
}

/* Makes room for the newest texts. */
static void drop_oldest(struct page_span *span)
{
	unsigned long long number = span->whole;

	if (number + span->num_points <= span->last)
		number = span->last - span->num_points + 1;
	for (; span->used > span->room && number < span->last; number++) {
		struct page_point *p = point_of(span, number);
		struct page_lists *lists = lists_of(span,
						    number / span->steps);

		if (p->number <= number)
			drop_heat(span, p);
		if (number % span->steps == 0 &&
		    lists->number <= number / span->steps)
			drop_lists(span, lists);
		span->whole = number + 1;
	}
}

static FILE *begin_text(char **text, size_t *size)
{
	FILE *file = open_memstream(text, size);

	if (file == NULL)
		err(1, NULL);
	return file;
}

/* Gives back what the text does not need. */
static void end_text(FILE *file, char **text, const size_t *size)
{
	char *fitting;

	if (fclose(file) != 0)
		err(1, NULL);
	fitting = realloc(*text, *size + 1);
	if (fitting != NULL)
		*text = fitting;
}

/* For each command its number plus 1 as a byte, and a text; at the end a 0. */
static void settle_heat(struct page_span *span)
{
	struct page_point *p = point_of(span, span->last);
	FILE *file;
	int op;

	if (span->last == 0)
		return;
	drop_heat(span, p);
	file = begin_text(&p->heat, &p->heat_size);
	for (op = 0; op < TSMBD_OPS; op++) {
		if (p->ops[op].count == 0)
			continue;
		putc(op + 1, file);
		write_slots(file, span->slots[op]);
		putc('\0', file);
	}
	end_text(file, &p->heat, &p->heat_size);
	span->used += p->heat_size;
}

const char *store_heat(const struct page_point *p, int op)
{
	const char *at = p->heat;

	while (at != NULL && *at != '\0') {
		if (*at == op + 1)
			return at + 1;
		at += strlen(at) + 1;
	}
	return "[]";
}

static void settle_lists(struct page_span *span)
{
	static struct page_detail detail;
	unsigned int names[PAGE_NAMES];
	struct page_lists *lists;
	size_t size;
	FILE *file;

	if (span->gathered == 0)
		return;
	lists = lists_of(span, span->gathered);
	drop_lists(span, lists);
	gather_keep(span->gather, &detail);
	file = begin_text(&lists->text, &size);
	detail_write(file, &detail);
	end_text(file, &lists->text, &size);
	lists->num_names = gather_names(&detail, names);
	lists->names = zeroed(lists->num_names + 1, sizeof(names[0]));
	memcpy(lists->names, names, lists->num_names * sizeof(names[0]));
	memset(&detail, 0, sizeof(detail));	/* its names are kept */
	lists->number = span->gathered;
	lists->steps = (unsigned int)(span->gathered * span->steps + 1 -
				      span->since);
	span->used += size;
}

static void settle(struct page_span *span)
{
	settle_heat(span);
	settle_lists(span);
	drop_oldest(span);
}

void store_settle(void)
{
	struct page_store *s = page_store();
	int i;

	for (i = 0; i < PAGE_SPANS; i++)
		settle(&s->spans[i]);
	gather_keep(s->gather, &s->overall);
}

static void add_ops(struct page_span *span, struct page_point *p,
		    const struct counters *c)
{
	unsigned long long slots[SLOTS_POWERS];
	int op, i;

	for (op = 0; op < TSMBD_OPS; op++) {
		const struct tsmbd_op *from = &c->ops[op];
		struct page_op *to = &p->ops[op];

		if (from->count == 0)
			continue;
		to->count += (unsigned int)from->count;
		to->errors += (unsigned int)from->errors;
		to->ns += from->total_ns;
		slots_fold(from->slots, slots);
		for (i = 0; i < SLOTS_POWERS; i++)
			span->slots[op][i] += (unsigned int)slots[i];
	}
}

static void add_point(struct page_point *p, const struct smbd_report *r)
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
}

static void begin_point(struct page_span *span, unsigned long long number)
{
	struct page_point *p = point_of(span, number);

	settle_heat(span);
	drop_oldest(span);
	drop_heat(span, p);
	memset(p, 0, sizeof(*p));
	memset(span->slots, 0, sizeof(span->slots));
	p->number = number;
	span->last = number;
}

static void end_lists(struct page_span *span)
{
	settle_lists(span);
	drop_oldest(span);
	gather_clear(span->gather);
	span->gathered = 0;
	span->has_names = false;
}

/*
 * Lists end with their steps; those of a history when the names of their minute
 * have come.
 */
static void gather(struct page_span *span, const struct smbd_report *r,
		   const struct page_past *past, unsigned long long number)
{
	unsigned long long lists = (number - 1) / span->steps + 1;
	bool by_minute = past->spans != 0 && span->steps > 1;

	if (span->gathered != 0 && span->gathered != lists &&
	    (!by_minute || span->has_names))
		end_lists(span);
	if (span->gathered == 0)
		span->since = (lists - 1) * span->steps + 1;
	span->gathered = lists;
	gather_report(span->gather, r);
	span->has_names |= past->has_names;
}

/* Time that goes back is that of another boot, or of a clock that was set. */
static void take(struct page_span *span, const struct smbd_report *r,
		 const struct page_past *past)
{
	unsigned long long number = number_at(span, past->end_ns,
					      r->elapsed_ns);
	struct page_point *p;

	if (number == 0 || number < span->last)
		return;
	if (number > span->last)
		begin_point(span, number);
	p = point_of(span, number);
	add_point(p, r);
	add_ops(span, p, &r->counters);
	if (past->lists)
		gather(span, r, past, number);
}

static void begin_at(const struct smbd_report *r, unsigned long long end_ns)
{
	struct page_store *s = page_store();

	if (s->origin_ns == 0)
		s->origin_ns = end_ns - r->elapsed_ns;
}

void store_take_past(const struct smbd_report *r, const struct page_past *past)
{
	struct page_store *s = page_store();
	int i;

	begin_at(r, past->end_ns);
	for (i = 0; i < PAGE_SPANS; i++) {
		if (past->spans & 1U << i)
			take(&s->spans[i], r, past);
	}
}

void store_sum(const struct smbd_report *r)
{
	struct smbd_report *tick = zeroed(1, sizeof(*tick));
	struct page_store *s = page_store();

	if (s->begin_ns == 0)
		s->begin_ns = r->end_ns - r->elapsed_ns;
	s->end_ns = r->end_ns;
	gather_report(s->gather, r);
	*tick = *r;
	memset(tick->tops, 0, sizeof(tick->tops));
	tick->waits = NULL;
	tick->num_waits = 0;
	smbd_report_add(&s->sum, tick);
	free(tick);
}

void store_take(const struct smbd_report *r)
{
	const struct page_past now = { .end_ns = r->end_ns, .lists = true };
	struct page_store *s = page_store();
	int i;

	begin_at(r, r->end_ns);
	for (i = 0; i < PAGE_SPANS; i++)
		take(&s->spans[i], r, &now);
	store_sum(r);
}

void store_sum_event(const struct tsmbd_event *event)
{
	if (event->kind == TSMBD_EVENT_SLOW)
		gather_slow(page_store()->gather, (const void *)event);
}

void store_event_past(const struct tsmbd_event *event, unsigned int spans)
{
	struct page_store *s = page_store();
	int i;

	for (i = 0; i < PAGE_SPANS && event->kind == TSMBD_EVENT_SLOW; i++) {
		if (spans & 1U << i)
			gather_slow(s->spans[i].gather, (const void *)event);
	}
}

/* Requests come before the report of their second. */
void store_event(const struct tsmbd_event *event)
{
	store_event_past(event, ~0U);
	store_sum_event(event);
}
