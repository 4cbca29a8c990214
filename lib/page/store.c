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

#include "base/memory.h"
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

static void open_span(struct page_span *span)
{
	unsigned int i;

	span->points = memory_zeros(span->num_points, sizeof(*span->points));
	for (i = 0; i < span->num_points; i++)
		span->points[i].values = memory_zeros(
			points_keyed(points_keys(), 0),
			sizeof(unsigned long long));
	span->lists = memory_zeros(span->num_lists, sizeof(*span->lists));
	span->gather = gather_new(store.page);
	span->step = report_new(store.program->tables);
}

/* A table that has one row always has it, before the first report too. */
static void open_sum(struct page_store *s)
{
	size_t t;

	s->sum = report_new(s->program->tables);
	for (t = 0; t < s->sum->tables->count; t++) {
		if (report_table(s->sum, t)->shape == REPORT_INLINE)
			report_append(s->sum, t);
	}
}

void store_open(const struct report_program *program)
{
	struct page_store *s = &store;
	size_t i;

	if (s->program != NULL)
		return;
	s->program = program;
	s->page = program->page;
	points_open(program);
	pool_keep("");		/* a name of number 0, for rows without any */
	fields_open(program->tables, s->page->lists);
	s->gather = gather_new(store.page);
	open_sum(s);
	for (i = 0; i < PAGE_SPANS; i++)
		open_span(&s->spans[i]);
}

struct page_store *page_store(void)
{
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

/* Returns the bytes that it had. */
static size_t drop_lists(struct page_lists *lists)
{
	size_t size = lists->text == NULL ? 0 : strlen(lists->text);

	while (lists->num_names > 0)
		pool_drop(lists->names[--lists->num_names]);
	free(lists->names);
	free(lists->text);
	memset(lists, 0, sizeof(*lists));
	return size;
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
			span->used -= drop_lists(lists);
		span->whole = number + 1;
	}
}

static FILE *begin_text(char **text, size_t *size)
{
	FILE *file = memory_of(open_memstream(text, size));

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

static void settle_point(struct page_span *span)
{
	struct page_point *p = point_of(span, span->last);
	FILE *file;

	if (span->last == 0)
		return;
	drop_heat(span, p);
	file = begin_text(&p->heat, &p->heat_size);
	points_settle(span->step, p->values, file);
	end_text(file, &p->heat, &p->heat_size);
	span->used += p->heat_size;
}

/* Makes lists anew from the rows that were gathered for them. */
static void make_lists(struct page_lists *lists, struct gather *gather)
{
	unsigned int names[PAGE_NAMES];
	size_t size;
	FILE *file = begin_text(&lists->text, &size);

	lists->num_names = gather_write(gather, file, names);
	end_text(file, &lists->text, &size);
	lists->names = memory_zeros(lists->num_names + 1, sizeof(names[0]));
	memcpy(lists->names, names, lists->num_names * sizeof(names[0]));
}

static void settle_lists(struct page_span *span)
{
	struct page_lists *lists;

	if (span->gathered == 0)
		return;
	lists = lists_of(span, span->gathered);
	span->used -= drop_lists(lists);
	make_lists(lists, span->gather);
	lists->number = span->gathered;
	lists->steps = (unsigned int)(span->gathered * span->steps + 1 -
				      span->since);
	span->used += strlen(lists->text);
}

static void settle(struct page_span *span)
{
	settle_point(span);
	settle_lists(span);
	drop_oldest(span);
}

void store_settle(void)
{
	struct page_store *s = page_store();
	int i;

	for (i = 0; i < PAGE_SPANS; i++)
		settle(&s->spans[i]);
	drop_lists(&s->overall);
	make_lists(&s->overall, s->gather);
}

static void begin_point(struct page_span *span, unsigned long long number)
{
	struct page_point *p = point_of(span, number);

	settle_point(span);
	drop_oldest(span);
	drop_heat(span, p);
	memset(p->values, 0, points_keyed(points_keys(), 0) *
	       sizeof(*p->values));
	report_clear(span->step);
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
static void gather(struct page_span *span, const struct report *r,
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
static void take(struct page_span *span, const struct report *r,
		 const struct page_past *past)
{
	unsigned long long number = number_at(span, past->end_ns,
					      r->elapsed_ns);

	if (number == 0 || number < span->last)
		return;
	if (number > span->last)
		begin_point(span, number);
	point_of(span, number)->values[PAGE_ELAPSED] += r->elapsed_ns;
	points_add(span->step, r);
	if (past->lists)
		gather(span, r, past, number);
}

static void begin_at(const struct report *r, unsigned long long end_ns)
{
	struct page_store *s = page_store();

	if (s->origin_ns == 0)
		s->origin_ns = end_ns - r->elapsed_ns;
}

void store_take_past(const struct report *r, const struct page_past *past)
{
	struct page_store *s = page_store();
	int i;

	begin_at(r, past->end_ns);
	for (i = 0; i < PAGE_SPANS; i++) {
		if (past->spans & 1U << i)
			take(&s->spans[i], r, past);
	}
}

static bool is_list(size_t table)
{
	const struct page_list *list = store.page->lists;

	while (list->key != NULL && list->table != table)
		list++;
	return list->key != NULL;
}

/* Sums of tables that JSON has, but for those of lists: they have a limit. */
void store_sum(const struct report *r)
{
	struct page_store *s = page_store();
	size_t t;

	if (s->begin_ns == 0)
		s->begin_ns = r->end_ns - r->elapsed_ns;
	s->end_ns = s->sum->end_ns = r->end_ns;
	s->sum->elapsed_ns += r->elapsed_ns;
	memcpy(s->sum->hosts, r->hosts, sizeof(r->hosts));
	for (t = 0; t < r->tables->count; t++) {
		if (report_table(r, t)->shape != REPORT_HIDDEN && !is_list(t))
			report_add_table(s->sum, r, t);
	}
	gather_report(s->gather, r);
}

void store_take(const struct report *r)
{
	const struct page_past now = { .end_ns = r->end_ns, .lists = true };
	struct page_store *s = page_store();
	int i;

	begin_at(r, r->end_ns);
	for (i = 0; i < PAGE_SPANS; i++)
		take(&s->spans[i], r, &now);
	store_sum(r);
}

void store_event_past(const void *row, unsigned int spans)
{
	struct page_store *s = page_store();
	int i;

	for (i = 0; i < PAGE_SPANS; i++) {
		if (spans & 1U << i)
			gather_event(s->spans[i].gather, row);
	}
}

/* Rows come before the report of their second. */
void store_event(const void *row)
{
	store_event_past(row, ~0U);
	gather_event(page_store()->gather, row);
}
