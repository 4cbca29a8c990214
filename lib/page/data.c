/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * data.c - what the page shows as one JSON object.
 *
 * Rows are arrays, and series are arrays by step, since there are thousands of
 * them: their order is that of page_list. A name is its number in "names".
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/when.h"
#include "data.h"
#include "describe.h"
#include "pool.h"
#include "tree.h"
#include "write.h"

enum { FORMAT = 3 };

static void put_key(FILE *file, const char *key)
{
	fprintf(file, ",\"%s\":", key);
}

static void put(FILE *file, const char *key, unsigned long long value)
{
	put_key(file, key);
	write_number(file, value);
}

/* Clocks may be set to a time before 1970. */
static void put_ms(FILE *file, const char *key, unsigned long long ns)
{
	long long ms = when_epoch_ms(ns);

	put(file, key, ms > 0 ? (unsigned long long)ms : 0);
}

/* The steps of a span that are shown; a step without a report is zeros. */
struct shown {
	const struct page_span *span;
	unsigned long long first, last;	/* numbers; last is 0 if none */
	unsigned long long whole;	/* the first one with cells and lists */
};

static struct shown shown_of(const struct page_view *v, int i)
{
	const struct page_span *span = &v->store->spans[i];
	struct shown s = { .span = span, .last = span->last };
	unsigned int k;

	s.first = s.last;
	for (k = 0; k < span->num_points; k++) {
		unsigned long long number = span->points[k].number;

		if (number != 0 && number < s.first &&
		    number + span->num_points > s.last)
			s.first = number;
	}
	s.whole = v->first[i] > s.first ? v->first[i] : s.first;
	if (span->whole > s.whole)
		s.whole = span->whole;
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

/* The lists that end with a step, or with the last one; NULL: none. */
static const struct page_lists *lists_at(const struct shown *s,
					 unsigned long long step)
{
	unsigned long long number = (step - 1) / s->span->steps + 1;
	const struct page_lists *lists =
		&s->span->lists[(number - 1) % s->span->num_lists];

	if (step % s->span->steps != 0 && step != s->last)
		return NULL;
	return lists->number == number && lists->text != NULL ? lists : NULL;
}

/* The values of all steps that have an index; NS: as microseconds. */
static void put_values(FILE *file, const struct shown *s, size_t index,
		       enum report_unit unit)
{
	unsigned long long number, value;
	char before = '[';

	for (number = s->first; number <= s->last && s->last > 0; number++) {
		const struct page_point *p = point_at(s, number);

		putc_unlocked(before, file);
		value = p->number == 0 ? 0 : p->values[index];
		write_number(file, unit == REPORT_NS ? (value + 500) / 1000 :
						       value);
		before = ',';
	}
	fputs(before == '[' ? "[]" : "]", file);
}

static void put_series(FILE *file, const struct shown *s,
		       const struct page_series *series, size_t index)
{
	const struct report_column *column = points_column(series, 0);
	size_t k;

	put_key(file, series->key);
	if (!series->each) {
		put_values(file, s, index, column->unit);
		return;
	}
	for (k = 0; column != NULL; column = points_column(series, ++k)) {
		fprintf(file, "%c\"%s\":", k == 0 ? '{' : ',', column->key);
		put_values(file, s, index + k, column->unit);
	}
	putc('}', file);
}

static void put_members(FILE *file, const struct page_view *v,
			const struct shown *s)
{
	const struct page_series *series = v->store->page->series;
	size_t at = PAGE_FIRST;

	put_key(file, "elapsed_us");
	put_values(file, s, PAGE_ELAPSED, REPORT_NS);
	for (; series->key != NULL; at += points_count(series++))
		put_series(file, s, series, at);
}

static void put_heat(FILE *file, const struct shown *s, size_t key)
{
	unsigned long long number;
	char before = '[';

	for (number = s->first; number <= s->last; number++) {
		putc_unlocked(before, file);
		fputs(number < s->whole ? "[]" :
		      points_heat(point_at(s, number)->heat, key), file);
		before = ',';
	}
	putc(']', file);
}

static bool has_key(const struct shown *s, size_t key)
{
	unsigned long long number;

	for (number = s->first; number <= s->last && s->last > 0; number++) {
		const struct page_point *p = point_at(s, number);

		if (p->number != 0 && p->values[points_keyed(key, 0)] > 0)
			return true;
	}
	return false;
}

static const struct report_table *keyed_table(const struct page_view *v)
{
	const struct report_program *program = v->store->program;

	return &program->tables->table[program->heat->table];
}

/* What tells a row from others: its keys, as in the report. */
static void put_identity(FILE *file, const struct page_view *v, size_t number)
{
	const struct report_table *table = keyed_table(v);
	const void *row = points_row(number);
	const char *other = REPORT_OTHER;
	char buffer[REPORT_NAME];
	size_t i;

	for (i = 0; i < table->num_keys; i++, other = "") {
		const struct report_key *key = &table->keys[i];

		fputs(i > 0 ? "," : "", file);
		if (key->size == 0 && key->key != NULL)
			fprintf(file, "\"%s\":%llu,", key->key, row == NULL ?
				key->other : report_key_number(key, row));
		fprintf(file, "\"%s\":", describe_label(key));
		write_string(file, row == NULL ? other :
				   report_key_text(key, row, buffer));
	}
}

static void put_keyed(FILE *file, const struct page_view *v,
		      const struct shown *s, size_t number)
{
	const struct page_keyed *keyed = &v->store->page->keyed;
	size_t i;

	putc('{', file);
	put_identity(file, v, number);
	for (i = 0; keyed->columns[i] != NULL; i++) {
		put_key(file, keyed->columns[i]);
		put_values(file, s, points_keyed(number, i), report_column_find(
			keyed_table(v), keyed->columns[i])->unit);
	}
	put_key(file, "heat");
	put_heat(file, s, number);
	putc('}', file);
}

static void put_all_keyed(FILE *file, const struct page_view *v,
			  const struct shown *s)
{
	char before = '[';
	size_t key;

	put_key(file, v->store->page->keyed.key);
	for (key = 0; key < points_keys(); key++) {
		if (!has_key(s, key))
			continue;
		putc(before, file);
		put_keyed(file, v, s, key);
		before = ',';
	}
	fputs(before == '[' ? "[]" : "]", file);
}

static unsigned long long end_of(const struct page_view *v,
				 const struct page_span *span,
				 unsigned long long number)
{
	return v->store->origin_ns + number * span->step_ns;
}

static void put_lists(FILE *file, const struct page_view *v,
		      const struct shown *s)
{
	unsigned long long number;
	char before = '[';

	put_key(file, "details");
	for (number = s->whole; number <= s->last && s->last > 0; number++) {
		const struct page_lists *lists = lists_at(s, number);

		if (lists == NULL)
			continue;
		fprintf(file, "%c{%s", before, lists->text);
		put_ms(file, "end_ms", end_of(v, s->span, lists->number *
					      s->span->steps));
		if (lists->steps != s->span->steps)
			put(file, "ms", s->span->step_ns / 1000000 *
			    lists->steps);
		putc('}', file);
		before = ',';
	}
	fputs(before == '[' ? "[]" : "]", file);
}

static void put_span(FILE *file, const struct page_view *v, int i)
{
	const struct shown s = shown_of(v, i);
	unsigned long long step_ms = s.span->step_ns / 1000000;

	fprintf(file, "{\"name\":\"%s\"", s.span->name);
	put(file, "step_ms", step_ms);
	put(file, "detail_ms", step_ms * s.span->steps);
	if (s.last == 0)
		put(file, "end_ms", 0);
	else
		put_ms(file, "end_ms", end_of(v, s.span, s.last));
	if (s.whole > s.first)
		put_ms(file, "whole_ms", end_of(v, s.span, s.whole - 1));
	else
		put(file, "whole_ms", 0);
	put_members(file, v, &s);
	put_all_keyed(file, v, &s);
	put_lists(file, v, &s);
	putc('}', file);
}

/* Those that are not used are empty. */
static void put_names(FILE *file, const struct page_view *v)
{
	unsigned int end = pool_end();
	unsigned int number;

	while (end > 1 && !v->used[end - 1])
		end--;
	put_key(file, "names");
	for (number = 0; number < end; number++) {
		putc_unlocked(number == 0 ? '[' : ',', file);
		write_string(file, v->used[number] ? pool_name(number) : "");
	}
	putc(']', file);
}

/* How the page is drawn never changes. */
static const char *description(const struct report_program *program)
{
	static char *text;
	json_t *object;
	size_t size;
	FILE *file;

	if (text != NULL)
		return text;
	file = open_memstream(&text, &size);
	object = page_describe(program);
	if (file == NULL || object == NULL)
		err(1, NULL);
	write_json(file, object);
	json_decref(object);
	fclose(file);
	return text;
}

void data_write(FILE *file, const struct page_view *v)
{
	const struct page_description *page = v->store->page;
	const void *options = v->setup->options;
	int i;

	fprintf(file, "{\"format\":%d,\"program\":\"%s\",\"version\":\"%s\"",
		FORMAT, v->store->program->name, v->store->program->version);
	put_key(file, "host");
	write_string(file, v->host);
	put(file, "refresh_s", (unsigned long long)v->refresh_s);
	put_ms(file, "begin_ms", v->store->begin_ns);
	put_ms(file, "end_ms", v->store->end_ns);
	fprintf(file, ",\"options\":{\"filtered\":%s,\"slow_ms\":%g}",
		page->filtered(options) ? "true" : "false",
		page->slow_ms(options));
	put_key(file, "page");
	fputs(description(v->store->program), file);
	put_key(file, "report");
	write_json(file, v->report);
	put_key(file, "spans");
	for (i = 0; i < PAGE_SPANS; i++) {
		putc(i == 0 ? '[' : ',', file);
		put_span(file, v, i);
	}
	fprintf(file, "],\"overall\":{%s},\"flame\":", v->store->overall.text);
	fputs(v->flame != NULL ? v->flame->json : "null", file);
	put_names(file, v);
	putc('}', file);
}

/* Marks names as used; returns the most bytes that new ones take. */
static size_t use_names(struct page_view *v, const unsigned int *names,
			unsigned int count)
{
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!v->used[names[i]])
			size += write_most(pool_name(names[i]));
		v->used[names[i]] = 1;
	}
	return size;
}

/* The most bytes that the cells and the lists of a step take. */
static size_t size_of_step(struct page_view *v, const struct shown *s,
			   unsigned long long number)
{
	enum { MORE = 64 };		/* of lists: their time */
	const struct page_lists *lists = lists_at(s, number);
	size_t size = point_at(s, number)->heat_size;

	if (lists != NULL)
		size += strlen(lists->text) + MORE +
			use_names(v, lists->names, lists->num_names);
	return size;
}

static ssize_t count(void *size, const char *text, size_t length)
{
	(void)text;
	*(size_t *)size += length;
	return (ssize_t)length;
}

/* The bytes of all that is never left out. */
static size_t size_of_rest(const struct page_view *v)
{
	size_t size = 0;
	FILE *file = fopencookie(&size, "w",
				 (cookie_io_functions_t){ .write = count });

	if (file == NULL)
		err(1, NULL);
	data_write(file, v);
	fclose(file);
	return size;
}

static void use_overall(struct page_view *v)
{
	use_names(v, v->store->overall.names, v->store->overall.num_names);
}

/* Those of what is not left out. */
static void use_all(struct page_view *v)
{
	int i;

	memset(v->used, 0, pool_end());
	use_overall(v);
	for (i = 0; i < PAGE_SPANS; i++) {
		const struct shown s = shown_of(v, i);
		unsigned long long number = s.whole;

		for (; number <= s.last && s.last > 0; number++)
			size_of_step(v, &s, number);
	}
}

/* Leaves out what does not fit: the oldest, and of the hours first. */
static void choose(struct page_view *v)
{
	size_t size;
	int i;

	for (i = 0; i < PAGE_SPANS; i++)
		v->first[i] = v->store->spans[i].last + 1;
	use_overall(v);
	/* and the names that are not used: quotes and a comma */
	size = size_of_rest(v) + 3 * (size_t)pool_end();
	for (i = 0; i < PAGE_SPANS; i++) {
		unsigned long long first = v->first[i];
		struct shown s;

		v->first[i] = 0;
		s = shown_of(v, i);
		for (; first > s.whole && s.last > 0; first--) {
			size += size_of_step(v, &s, first - 1);
			if (size > PAGE_DATA_LIMIT)
				break;
		}
		v->first[i] = first;
	}
	use_all(v);
}

/* As --json prints it, but for lists of names. */
static json_t *report_of(const struct sink_setup *setup)
{
	const struct page_list *list = page_store()->page->lists;
	struct report *sum = page_store()->sum;
	json_t *object;

	setup->program->sort(setup->options, sum);
	object = setup->program->json(setup->options, sum);
	for (; list->key != NULL; list++) {
		const struct report_table *table = report_table(sum,
								list->table);

		json_object_del(object, table->within != NULL ? table->within :
								table->name);
	}
	return object;
}

static void find_host(struct page_view *v)
{
	const char *hosts = v->store->sum->hosts;

	if (hosts[0] != '\0')
		snprintf(v->host, sizeof(v->host), "%.*s",
			 (int)sizeof(v->host) - 1, hosts);
	else
		gethostname(v->host, sizeof(v->host) - 1);
}

void view_begin(struct page_view *v, const struct sink_setup *setup,
		int refresh_s)
{
	store_settle();
	*v = (struct page_view){
		.setup = setup, .refresh_s = refresh_s,
		.store = page_store(), .report = report_of(setup),
		.used = calloc(1, pool_end() + 1),
	};
	if (v->used == NULL || v->report == NULL)
		errx(1, "no memory");
	find_host(v);
	choose(v);
}

void view_end(struct page_view *v)
{
	json_decref(v->report);
	free(v->used);
}
