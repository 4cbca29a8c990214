/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gather.c - the rows of the lists of some seconds, such as clients, files,
 * waits and slow requests.
 *
 * There are more rows than are written, since the one that has most at the end
 * need not have most in its first second. What does not fit is still counted,
 * as that of all others. Events never come twice, so of these no more are
 * needed. A group has its own share, so that a busy one leaves rows to others.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "gather.h"
#include "pool.h"

enum { ROWS = 64 };

/* The rows of a list. */
struct rows {
	const struct page_list *list;
	const struct page_field *fields;
	size_t number;			/* of the list */
	size_t order;			/* the field by which rows are chosen */
	int group;			/* the field of the group, or -1 */
	size_t limit, most;		/* of all rows; of those of a group */
	struct page_row *rows;
	struct page_row others;
	unsigned long long num_others;
};

struct gather {
	size_t num_lists;
	struct rows lists[PAGE_LISTS];
};

#define FOR_EACH_FIELD(k, all, is)					\
	for ((k) = 0; (all)->fields[k].name != NULL; (k)++)		\
		if ((all)->fields[k].how == (is))

struct gather *gather_new(const struct page_description *page)
{
	const struct page_list *lists = page->lists;
	struct gather *g = memory_zeros(1, sizeof(*g));
	size_t i;

	for (i = 0; lists[i].key != NULL; i++) {
		g->lists[i] = (struct rows){
			.list = &lists[i], .number = i, .fields = fields_of(i),
			.order = (size_t)fields_find(i, lists[i].order),
			.group = fields_find(i, page->group.key),
			.most = lists[i].events ? PAGE_KEPT : ROWS,
		};
		g->lists[i].limit = g->lists[i].group < 0 ? g->lists[i].most :
							    PAGE_ROWS;
		g->lists[i].rows = memory_zeros(g->lists[i].limit,
						sizeof(struct page_row));
	}
	g->num_lists = i;
	return g;
}

static void drop_names(const struct rows *all, struct page_row *row)
{
	size_t k;

	FOR_EACH_FIELD(k, all, PAGE_IS_NAME) {
		pool_drop((unsigned int)row->values[k]);
		row->values[k] = 0;
	}
}

static void set_names(const struct rows *all, struct page_row *row,
		      const void *from)
{
	char buffer[PAGE_TEXT], unused[REPORT_NAME];
	const char *text;
	size_t k;

	FOR_EACH_FIELD(k, all, PAGE_IS_NAME) {
		if (all->fields[k].key == NULL)
			continue;
		text = all->list->text == NULL ? NULL :
			all->list->text(from, all->fields[k].name, buffer);
		if (text == NULL)
			text = report_key_text(all->fields[k].key, from,
					       unused);
		row->values[k] = pool_keep(text);
	}
}

static void fold(const struct report_column *column, const void *row,
		 unsigned int slots[REPORT_POWERS])
{
	unsigned long long powers[REPORT_POWERS];
	int i;

	report_fold(column, row, powers);
	for (i = 0; i < REPORT_POWERS; i++)
		slots[i] = (unsigned int)powers[i];
}

/* A row of a report but for its names. That of an event begins with its end. */
static void set_numbers(const struct rows *all, struct page_row *row,
			const void *from)
{
	const struct page_field *field = all->fields;
	unsigned long long *value = row->values;

	memset(row, 0, sizeof(*row));
	row->is_used = true;
	for (; field->name != NULL; field++, value++) {
		if (field->how == PAGE_IS_SLOTS)
			fold(field->column, from, row->slots);
		else if (field->column != NULL)
			*value = report_get(field->column, from);
		else if (field->how == PAGE_IS_END)
			memcpy(value, from, sizeof(*value));
		else if (field->how != PAGE_IS_NAME)
			*value = report_key_number(field->key, from);
	}
}

static void add(const struct rows *all, struct page_row *to,
		const struct page_row *from)
{
	size_t k;
	int i;

	FOR_EACH_FIELD(k, all, PAGE_IS_SUM)
		to->values[k] += from->values[k];
	FOR_EACH_FIELD(k, all, PAGE_IS_MOST) {
		if (from->values[k] > to->values[k])
			to->values[k] = from->values[k];
	}
	for (i = 0; i < REPORT_POWERS; i++)
		to->slots[i] += from->slots[i];
}

static bool is_same(const struct rows *all, const struct page_row *a,
		    const struct page_row *b)
{
	size_t k;

	FOR_EACH_FIELD(k, all, PAGE_IS_NAME) {
		if (a->values[k] != b->values[k])
			return false;
	}
	return a->is_used && !all->list->events;
}

/* The numbers of a row that is left out are added to those of all others. */
static void leave_out(struct rows *all, struct page_row *row)
{
	if (!row->is_used)
		return;
	add(all, &all->others, row);
	all->num_others++;
	drop_names(all, row);
}

static bool has_group_of(const struct rows *all, const struct page_row *a,
			 const struct page_row *b)
{
	return all->group < 0 || a->values[all->group] == b->values[all->group];
}

/* Empty rows have least. */
static bool has_less(const struct rows *all, const struct page_row *a,
		     const struct page_row *b)
{
	return b == NULL || (!a->is_used && b->is_used) ||
	       (a->is_used == b->is_used &&
		a->values[all->order] < b->values[all->order]);
}

/* Returns the row that is empty or has least, if its group is full of that. */
static struct page_row *find_least(const struct rows *all,
				   const struct page_row *new)
{
	struct page_row *least = NULL, *own = NULL, *row;
	size_t count = 0;

	for (row = all->rows; row < all->rows + all->limit; row++) {
		if (has_less(all, row, least))
			least = row;
		if (!row->is_used || !has_group_of(all, row, new))
			continue;
		if (has_less(all, row, own))
			own = row;
		count++;
	}
	return count < all->most ? least : own;
}

/* Puts a row where it has its names, or where there is least; or leaves it. */
static void put(struct rows *all, const void *from)
{
	/* most events are left out, and need no names before */
	const bool names_last = all->list->events && all->group < 0;
	struct page_row *least, row;
	size_t i;

	set_numbers(all, &row, from);
	if (!names_last)
		set_names(all, &row, from);
	for (i = 0; i < all->limit; i++) {
		if (is_same(all, &all->rows[i], &row)) {
			add(all, &all->rows[i], &row);
			drop_names(all, &row);
			return;
		}
	}
	least = find_least(all, &row);
	if (least->is_used &&
	    least->values[all->order] >= row.values[all->order]) {
		leave_out(all, &row);
		return;
	}
	leave_out(all, least);
	*least = row;
	if (names_last)
		set_names(all, least, from);
}

static int by_column(const void *a, const void *b, void *column)
{
	unsigned long long x = report_get(column, *(const void *const *)a);
	unsigned long long y = report_get(column, *(const void *const *)b);

	return x < y ? 1 : -(x > y);
}

/* What a report has of all that it could not keep: its other texts are "". */
static bool is_rest(const struct rows *all, const void *row)
{
	const char *wanted = REPORT_OTHER;
	char unused[REPORT_NAME];
	size_t k;

	FOR_EACH_FIELD(k, all, PAGE_IS_NAME) {
		if (all->fields[k].key == NULL)
			continue;
		if (strcmp(report_key_text(all->fields[k].key, row, unused),
			   wanted) != 0)
			return false;
		wanted = "";
	}
	return true;
}

/* Only rows that may be kept become names of the pool. */
static void gather_table(struct rows *all, const struct report *r)
{
	size_t table = all->list->table, count = r->rows[table].count, i;
	const void **sorted = memory_zeros(count + 1, sizeof(*sorted));
	struct page_row row;

	for (i = 0; i < count; i++)
		sorted[i] = report_row(r, table, i);
	qsort_r(sorted, count, sizeof(*sorted), by_column,
		(void *)all->fields[all->order].column);
	for (i = 0; i < count; i++) {
		if ((i < ROWS || all->group >= 0) && !is_rest(all, sorted[i])) {
			put(all, sorted[i]);
			continue;
		}
		set_numbers(all, &row, sorted[i]);
		leave_out(all, &row);
	}
	free(sorted);
}

void gather_report(struct gather *g, const struct report *r)
{
	size_t i;

	for (i = 0; i < g->num_lists; i++) {
		if (!g->lists[i].list->events)
			gather_table(&g->lists[i], r);
	}
}

void gather_event(struct gather *g, const void *row)
{
	size_t i;

	for (i = 0; i < g->num_lists; i++) {
		const struct page_list *list = g->lists[i].list;

		if (list->events && (list->takes == NULL || list->takes(row)))
			put(&g->lists[i], row);
	}
}

/* By the order, and then by the numbers before it; empty ones are last. */
static int by_order(const void *a, const void *b, void *all)
{
	const struct page_row *x = a, *y = b;
	size_t k = ((const struct rows *)all)->order;

	if (x->is_used != y->is_used)
		return x->is_used ? -1 : 1;
	while (x->values[k] == y->values[k] && k > 0)
		k--;
	return x->values[k] < y->values[k] ? 1 : -(x->values[k] > y->values[k]);
}

/* Returns the number of names, to which those of this row are added. */
static unsigned int list_names(const struct rows *all,
			       const struct page_row *row, unsigned int count,
			       unsigned int names[PAGE_NAMES])
{
	size_t k;

	FOR_EACH_FIELD(k, all, PAGE_IS_NAME) {
		if (row->values[k] != 0 && count < PAGE_NAMES)
			names[count++] = pool_keep(pool_name(
				(unsigned int)row->values[k]));
	}
	return count;
}

/* Of sorted rows, whether one is among the first ones of its group. */
static bool is_kept(const struct rows *all, size_t i)
{
	size_t before = 0, k;

	for (k = 0; k < i; k++)
		before += has_group_of(all, &all->rows[k], &all->rows[i]);
	return before < PAGE_KEPT;
}

static unsigned int write_rows(struct rows *all, FILE *file,
			       unsigned int count,
			       unsigned int names[PAGE_NAMES])
{
	size_t i;

	qsort_r(all->rows, all->limit, sizeof(*all->rows), by_order, all);
	fprintf(file, "\"%s\":[", all->list->key);
	for (i = 0; i < all->limit && all->rows[i].is_used; i++) {
		if (!is_kept(all, i))
			continue;
		fputs(i > 0 ? "," : "", file);
		fields_write(file, all->number, &all->rows[i]);
		count = list_names(all, &all->rows[i], count, names);
	}
	fputs("],", file);
	if (all->list->events)
		fprintf(file, "\"other_%s\":%llu,", all->list->key,
			all->num_others);
	return count;
}

static void write_others(const struct rows *all, FILE *file)
{
	struct page_row others = all->others;
	size_t i;

	for (i = 0; i < all->limit && all->rows[i].is_used; i++) {
		if (!is_kept(all, i))
			add(all, &others, &all->rows[i]);
	}
	fprintf(file, "\"%s\":", all->list->key);
	fields_write(file, all->number, &others);
}

unsigned int gather_write(struct gather *g, FILE *file,
			  unsigned int names[PAGE_NAMES])
{
	const char *before = "\"others\":{";
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < g->num_lists; i++)
		count = write_rows(&g->lists[i], file, count, names);
	for (i = 0; i < g->num_lists; i++) {
		if (g->lists[i].list->events)
			continue;
		fputs(before, file);
		write_others(&g->lists[i], file);
		before = ",";
	}
	putc('}', file);
	return count;
}

void gather_clear(struct gather *g)
{
	size_t i, k;

	for (i = 0; i < g->num_lists; i++) {
		struct rows *all = &g->lists[i];

		for (k = 0; k < all->limit; k++)
			drop_names(all, &all->rows[k]);
		memset(all->rows, 0, all->limit * sizeof(*all->rows));
		memset(&all->others, 0, sizeof(all->others));
		all->num_others = 0;
	}
}
