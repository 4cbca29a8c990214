/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * data.c - what the page shows as one JSON object.
 *
 * Rows are arrays, and series are arrays by step, since there are thousands of
 * them: their order is that of the schema. A name is its number in "names".
 */
#include <err.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../columns.h"
#include "../names.h"
#include "../text.h"
#include "../when.h"
#include "data.h"
#include "pool.h"
#include "store.h"

enum { FORMAT = 1 };

static const char *const kinds[TSMBD_KINDS] = {
	[TSMBD_CLIENTS] = "clients", [TSMBD_USERS] = "users",
	[TSMBD_SHARES] = "shares", [TSMBD_FILES] = "files",
};

static const char *const phases[TSMBD_PHASES] = {
	[TSMBD_WAIT] = "wait", [TSMBD_RECEIVE] = "receive",
	[TSMBD_PARSE] = "parse", [TSMBD_RUN] = "run", [TSMBD_SEND] = "send",
	[TSMBD_CTDB] = "ctdb", [TSMBD_OTHER] = "other",
};

static void append(json_t *list, unsigned long long value)
{
	json_array_append_new(list, json_integer((json_int_t)value));
}

static unsigned long long us(unsigned long long ns)
{
	return (ns + 500) / 1000;
}

/* slot, number, slot, number... of those that are not 0 */
static json_t *slots_of(const unsigned int *slots)
{
	json_t *list = json_array();
	unsigned int i;

	for (i = 0; i < TSMBD_SLOTS; i++) {
		if (slots[i] == 0)
			continue;
		append(list, i);
		append(list, slots[i]);
	}
	return list;
}

static json_t *top_row(const struct page_top *row)
{
	json_t *list = json_array();

	append(list, row->name);
	append(list, row->share);
	append(list, row->requests);
	append(list, row->errors);
	append(list, row->bytes);
	append(list, us(row->ns));
	append(list, us(row->max));
	json_array_append_new(list, slots_of(row->slots));
	return list;
}

static json_t *wait_row(const struct page_wait *row)
{
	json_t *list = json_array();

	append(list, row->client);
	append(list, row->holder);
	append(list, row->share);
	append(list, row->file);
	append(list, row->count);
	append(list, us(row->ns));
	append(list, us(row->max));
	return list;
}

static json_t *slow_row(const struct page_slow *row)
{
	char status[NAME_SIZE];
	json_t *list = json_array();
	int i;

	append(list, row->client);
	append(list, row->user);
	append(list, row->share);
	append(list, row->file);
	append(list, row->opcode);
	json_array_append_new(list, json_string(name_of_status(row->status,
							       status)));
	append(list, when_epoch_ms(row->end_ns));
	for (i = 0; i < PAGE_TIMES; i++)
		append(list, row->ns[i] / 1000);
	return list;
}

static json_t *detail_of(const struct page_detail *d)
{
	json_t *object = json_object();
	json_t *others = json_object();
	json_t *list;
	int kind, i;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		list = json_array();
		for (i = 0; i < PAGE_TOP && d->tops[kind][i].requests > 0; i++)
			json_array_append_new(list,
					      top_row(&d->tops[kind][i]));
		json_object_set_new(object, kinds[kind], list);
		json_object_set_new(others, kinds[kind],
				    top_row(&d->others[kind]));
	}
	json_object_set_new(object, "others", others);
	list = json_array();
	for (i = 0; i < PAGE_WAITS && d->waits[i].count > 0; i++)
		json_array_append_new(list, wait_row(&d->waits[i]));
	json_object_set_new(object, "waits", list);
	json_object_set_new(object, "other_waits", wait_row(&d->other_waits));
	list = json_array();
	for (i = 0; i < PAGE_SLOW && d->slow[i].end_ns != 0; i++)
		json_array_append_new(list, slow_row(&d->slow[i]));
	json_object_set_new(object, "slow", list);
	json_object_set_new(object, "other_slow",
			    json_integer((json_int_t)d->other_slow));
	return object;
}

/* The steps of a span that are shown; a step without a report is zeros. */
struct shown {
	const struct page_span *span;
	unsigned long long first, last;	/* numbers; last is 0 if none */
};

static struct shown shown_of(const struct page_span *span)
{
	struct shown s = { .span = span, .last = store_last(span) };
	unsigned int i;

	s.first = s.last;
	for (i = 0; i < span->num_points; i++) {
		unsigned long long number = span->points[i].number;

		if (number != 0 && number < s.first &&
		    number + span->num_points > s.last)
			s.first = number;
	}
	return s;
}

static const struct page_point *point_at(const struct shown *s,
					 unsigned long long number)
{
	static const struct page_point none;
	const struct page_point *p =
		&s->span->points[(number - 1) % s->span->num_points];

	return p->number == number ? p : &none;
}

/* The members of a point that are series as they are. */
static const struct {
	const char *key;
	size_t offset;
	bool is_wide;
} members[] = {
	{ "bytes_in", offsetof(struct page_point, bytes_in), true },
	{ "bytes_out", offsetof(struct page_point, bytes_out), true },
	{ "lost", offsetof(struct page_point, lost), true },
	{ "connections", offsetof(struct page_point, connections), false },
	{ "sessions", offsetof(struct page_point, sessions), false },
	{ "open_files", offsetof(struct page_point, open_files), false },
	{ "under_way", offsetof(struct page_point, under_way), false },
};

static json_t *series(const struct shown *s, size_t offset, bool is_wide)
{
	json_t *list = json_array();
	unsigned long long number;

	for (number = s->first; number <= s->last && s->last > 0; number++) {
		const char *p = (const char *)point_at(s, number) + offset;

		append(list, is_wide ? *(const unsigned long long *)p :
		       *(const unsigned int *)p);
	}
	return list;
}

static json_t *series_us(const struct shown *s, size_t offset)
{
	json_t *list = json_array();
	unsigned long long number;

	for (number = s->first; number <= s->last && s->last > 0; number++) {
		const char *p = (const char *)point_at(s, number) + offset;

		append(list, us(*(const unsigned long long *)p));
	}
	return list;
}

static void add_members(json_t *object, const struct shown *s)
{
	json_t *times = json_object();
	size_t i;

	json_object_set_new(object, "elapsed_us", series_us(
		s, offsetof(struct page_point, elapsed_ns)));
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		json_object_set_new(object, members[i].key, series(
			s, members[i].offset, members[i].is_wide));
	for (i = 0; i < TSMBD_PHASES; i++)
		json_object_set_new(times, phases[i], series_us(
			s, offsetof(struct page_point, phase_ns[i])));
	json_object_set_new(object, "phases_us", times);
}

/* step, slot, number, step, slot, number... */
static json_t *heat_of(const struct shown *s, int op)
{
	json_t *list = json_array();
	unsigned long long number;
	unsigned int slot;

	for (number = s->first; number <= s->last; number++) {
		const struct page_op *o = &point_at(s, number)->ops[op];

		for (slot = 0; slot < TSMBD_SLOTS && o->count > 0; slot++) {
			if (o->slots[slot] == 0)
				continue;
			append(list, number - s->first);
			append(list, slot);
			append(list, o->slots[slot]);
		}
	}
	return list;
}

static bool has_op(const struct shown *s, int op)
{
	unsigned long long number;

	for (number = s->first; number <= s->last && s->last > 0; number++) {
		if (point_at(s, number)->ops[op].count > 0)
			return true;
	}
	return false;
}

static json_t *commands_of(const struct shown *s)
{
	json_t *list = json_array();
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		size_t at = offsetof(struct page_point, ops) +
			(size_t)op * sizeof(struct page_op);

		if (!has_op(s, op))
			continue;
		json_array_append_new(list, json_pack(
			"{si ss so so so so}", "opcode", op,
			"name", name_of_op((unsigned int)op),
			"count", series(s, at + offsetof(struct page_op,
							 count), false),
			"errors", series(s, at + offsetof(struct page_op,
							  errors), false),
			"total_us", series_us(s, at + offsetof(struct page_op,
							       ns)),
			"heat", heat_of(s, op)));
	}
	return list;
}

static unsigned long long end_of(const struct page_span *span,
				 unsigned long long number)
{
	return page_store()->begin_ns + number * span->step_ns;
}

/* The last ones; what is older than the points is not shown. */
static json_t *details_of(const struct shown *s, unsigned int limit)
{
	const struct page_span *span = s->span;
	unsigned long long last = (s->last + span->steps - 1) / span->steps;
	unsigned long long number = last > limit ? last - limit + 1 : 1;
	json_t *list = json_array();
	json_t *object;

	for (; number <= last; number++) {
		const struct page_detail *d =
			&span->details[(number - 1) % span->num_details];

		if (d->number != number)
			continue;
		object = detail_of(d);
		json_object_set_new(object, "end_ms", json_integer(
			(json_int_t)when_epoch_ms(end_of(
				span, number * span->steps))));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *span_of(const struct page_span *span, unsigned int part)
{
	struct shown s = shown_of(span);
	json_t *object;

	object = json_pack("{ss sI sI sI}", "name", span->name,
			   "step_ms", (json_int_t)(span->step_ns / 1000000),
			   "detail_ms", (json_int_t)(span->step_ns / 1000000 *
						     span->steps),
			   "end_ms", s.last == 0 ? 0 : (json_int_t)
			   when_epoch_ms(end_of(span, s.last)));
	if (object == NULL)
		errx(1, "no memory");
	add_members(object, &s);
	json_object_set_new(object, "commands", commands_of(&s));
	json_object_set_new(object, "details",
			    details_of(&s, span->num_details / part));
	return object;
}

static json_t *names(void)
{
	json_t *list = json_array();
	unsigned int number;

	for (number = 0; number < pool_end(); number++)
		json_array_append_new(list, text_json(pool_name(number)));
	return list;
}

static json_t *slow_times(void)
{
	json_t *list = json_array();
	const struct column *column;

	FOR_EACH_COLUMN(column, COLUMNS_LINE) {
		if (column->unit == UNIT_NS)
			json_array_append_new(list, json_string(column->key));
	}
	return list;
}

/* The sums since the start, as --json prints them, but for lists of names. */
static json_t *report_of(const struct options *options)
{
	struct report *sum = &page_store()->sum;
	json_t *object;

	report_add_up(sum);
	object = report_object(options, sum);
	json_object_del(object, "top");
	json_object_del(object, "waits");
	return object;
}

/* What is not shown: requests of others, and those that are not slow. */
static json_t *asked(const struct options *o)
{
	return json_pack("{sb sf}", "filtered", options_filter(o),
			 "slow_ms", options_slow_ms(o));
}

/* Only 1 / part of the details. */
static json_t *make(const struct options *options, int refresh_s,
		    unsigned int part)
{
	struct page_store *store = page_store();
	char host[HOST_NAME_MAX + 1] = "";
	json_t *spans = json_array();
	json_t *object;
	int i;

	gethostname(host, sizeof(host) - 1);
	for (i = 0; i < PAGE_SPANS; i++)
		json_array_append_new(spans, span_of(&store->spans[i], part));
	object = json_pack("{si ss so si sI sI so so so so so}",
		"format", FORMAT, "version", TSMBD_VERSION,
		"host", text_json(host), "refresh_s", refresh_s,
		"begin_ms", (json_int_t)when_epoch_ms(store->begin_ns),
		"end_ms", (json_int_t)when_epoch_ms(store->end_ns),
		"options", asked(options), "report", report_of(options),
		"slow_times", slow_times(), "spans", spans,
		"overall", detail_of(&store->overall));
	if (object == NULL)
		errx(1, "no memory");
	json_object_set_new(object, "details_part",
			    json_real(1.0 / (double)part));
	json_object_set_new(object, "flame", page_flame(options));
	json_object_set_new(object, "names", names());
	return object;
}

json_t *page_data(const struct options *options, int refresh_s, char **text)
{
	unsigned int part = 1;
	json_t *data;

	store_settle();
	for (;;) {
		data = make(options, refresh_s, part);
		*text = json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII);
		if (*text == NULL)
			errx(1, "no memory");
		if (strlen(*text) <= PAGE_DATA_LIMIT || part > 64)
			return data;
		free(*text);
		json_decref(data);
		part *= 2;
	}
}
