/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rows of a table are shown, in which order, see order.h. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "top/order.h"

/* What qsort_r() hands to the comparison. */
struct comparison {
	const struct table_column *column;
	/* 1, or -1 for descending. */
	int sign;
};

static int compare_text(const struct table_column *column, const void *a,
			const void *b)
{
	char first[TABLE_CELL], second[TABLE_CELL];

	column->print(column, a, first, sizeof(first));
	column->print(column, b, second, sizeof(second));
	return strcmp(first, second);
}

static int compare_values(const struct table_column *column, const void *a,
			  const void *b)
{
	double first = column->value(column, a);
	double second = column->value(column, b);

	return (first > second) - (first < second);
}

static int compare(const void *a, const void *b, void *context)
{
	const struct comparison *by = context;
	const struct ordered_row *first = a, *second = b;
	int sign;

	if (by->column->is_text)
		sign = compare_text(by->column, first->row, second->row);
	else
		sign = compare_values(by->column, first->row, second->row);
	if (sign != 0)
		return sign * by->sign;
	return first->index < second->index ? -1 : 1;
}

static bool matches(const struct table *table, const void *row,
		    const char *filter)
{
	char cell[TABLE_CELL];
	size_t i;

	if (filter[0] == '\0')
		return true;
	for (i = 0; i < table->num_columns; i++) {
		const struct table_column *column = &table->columns[i];

		if (!column->is_text)
			continue;
		column->print(column, row, cell, sizeof(cell));
		if (strcasestr(cell, filter) != NULL)
			return true;
	}
	return false;
}

void order_apply(struct order *order, const struct table *table)
{
	struct comparison by;
	size_t i;

	order->count = 0;
	for (i = 0; i < table->num_rows; i++) {
		if (!matches(table, table->rows[i], order->filter))
			continue;
		TOOL_GROW(order->rows, order->count, order->capacity);
		order->rows[order->count++] = (struct ordered_row){
			table->rows[i], i,
		};
	}
	if (table->num_columns == 0 || order->count == 0)
		return;
	if (order->column >= table->num_columns)
		order->column = table->num_columns - 1;
	by.column = &table->columns[order->column];
	by.sign = by.column->is_text == order->reversed ? -1 : 1;
	qsort_r(order->rows, order->count, sizeof(*order->rows), compare, &by);
}

void order_move(struct order *order, const struct table *table, int by)
{
	size_t count = table->num_columns;

	if (count > 0)
		order->column = (order->column + count + (size_t)by) % count;
	order->reversed = false;
}

void order_free(struct order *order)
{
	free(order->rows);
	*order = (struct order){ 0 };
}
