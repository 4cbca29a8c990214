/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * order.c - sorts rows, and finds the first ones of many.
 *
 * Who wants a few rows of thousands need not sort them: they are divided into
 * larger and smaller ones again and again, in which two numbers decide.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/order.h"

/* What qsort_r() compares by. */
struct sorting {
	const struct report_table *table;
	const struct report_column *orders[REPORT_ORDERS + 1];
	size_t num_orders;
	bool grouped;
};

static int compare(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;
	unsigned long long x, y;
	int order;
	size_t i;

	order = s->grouped ?
		report_compare_key(&s->table->keys[0], a, b) : 0;
	if (order != 0)
		return order;
	for (i = 0; i < s->num_orders; i++) {
		x = report_get(s->orders[i], a);
		y = report_get(s->orders[i], b);
		if (x != y)
			return x < y ? 1 : -1;
	}
	return report_compare(s->table, a, b);
}

static void sort_by(struct sorting *s, const char *key)
{
	const struct report_column *column =
		key == NULL ? NULL : report_column_find(s->table, key);

	if (column != NULL)
		s->orders[s->num_orders++] = column;
}

enum { TIES = 2 };	/* orders by which equal rows are sorted, before keys */

/* By a column, and those that are equal by the first orders of the table. */
static void sort_by_all(struct sorting *s, const char *key)
{
	size_t i;

	sort_by(s, key);
	for (i = 0; i < TIES && key != NULL; i++)
		sort_by(s, s->table->orders[i]);
}

void order_sort(const struct report_table *table, void *rows, size_t count,
		const char *key, bool grouped)
{
	struct sorting s = { .table = table, .grouped = grouped };

	sort_by_all(&s, key);
	if (count > 1)
		qsort_r(rows, count, table->row_size, compare, &s);
}

/* A row, by the numbers that decide first. */
struct item {
	unsigned long long value;
	unsigned long long next;	/* of those with the same value */
	const void *row;
};

static bool is_before(const struct item *a, const struct item *b,
		      struct sorting *s)
{
	if (a->value != b->value)
		return a->value > b->value;
	if (a->next != b->next)
		return a->next > b->next;
	return compare(a->row, b->row, s) < 0;
}

static void swap(struct item *a, struct item *b)
{
	struct item c = *a;

	*a = *b;
	*b = c;
}

/* Moves those before the last one to the front; returns its new place. */
static size_t divide(struct item *items, size_t count, struct sorting *s)
{
	size_t i, front = 0;

	swap(&items[count / 2], &items[count - 1]);
	for (i = 0; i + 1 < count; i++) {
		if (is_before(&items[i], &items[count - 1], s))
			swap(&items[front++], &items[i]);
	}
	swap(&items[front], &items[count - 1]);
	return front;
}

/* Moves the first ones to the front, in any order. */
static void find_first(struct item *items, size_t count, size_t first,
		       struct sorting *s)
{
	size_t at;

	while (first > 0 && first < count) {
		at = divide(items, count, s);
		if (at >= first) {
			count = at;
			continue;
		}
		items += at + 1;
		count -= at + 1;
		first -= at + 1;
	}
}

/* Takes those that are not kept yet; returns how many there are. */
static size_t fill_items(struct sorting *s, const char *rows, size_t num_rows,
			 const void *other, const bool *kept,
			 struct item *items)
{
	const struct report_column *next =
		s->orders[s->num_orders > 1 && s->orders[1] == s->orders[0] ?
			  2 : 1];
	size_t i, count = 0;

	for (i = 0; i < num_rows; i++) {
		const void *row = rows + i * s->table->row_size;

		if (kept[i] || report_compare(s->table, row, other) == 0)
			continue;
		items[count] = (struct item){ .row = row };
		if (!s->grouped) {
			items[count].value = report_get(s->orders[0], row);
			items[count].next = next == NULL ? 0 :
				report_get(next, row);
		}
		count++;
	}
	return count;
}

void order_choose(const struct report_table *table, const void *rows,
		  size_t count, size_t first, const void *other, bool *kept)
{
	size_t order, num_orders = 0, i, found, want, num_kept = 0;
	struct item *items = memory_zeros(count + 1, sizeof(*items));

	while (num_orders < REPORT_ORDERS && table->orders[num_orders] != NULL)
		num_orders++;
	for (order = 0; order < num_orders; order++) {
		struct sorting s = {
			.table = table, .grouped = table->grouped,
		};

		sort_by_all(&s, table->orders[order]);
		found = fill_items(&s, rows, count, other, kept, items);
		want = first * (order + 1) / num_orders - num_kept;
		want = want < found ? want : found;
		find_first(items, found, want, &s);
		for (i = 0; i < want; i++)
			kept[(size_t)((const char *)items[i].row -
				      (const char *)rows) /
			     table->row_size] = true;
		num_kept += want;
	}
	free(items);
}
