/* SPDX-License-Identifier: BSD-2-Clause */
/* Which columns fit, see layout.h. */
#include "common/escape.h"
#include "top/layout.h"

/* The rows whose text is measured: more would take too long. */
enum { MEASURED = 500 };

/* The first columns, if they are text: they say what a row is about. */
static size_t count_texts(const struct table *table)
{
	size_t count = 0;

	while (count < table->num_columns && table->columns[count].is_text)
		count++;
	return count;
}

static int width_of(const struct table *table, size_t first, size_t end)
{
	int width = 0;

	for (; first < end; first++)
		width += table->columns[first].width + 1;
	return width;
}

/* How wide the longest cell of a column is. */
static int longest(const struct table_column *column,
		   const struct order *order)
{
	char cell[TABLE_CELL];
	size_t most = 0;
	size_t i;

	for (i = 0; i < order->count && i < MEASURED; i++) {
		size_t length;

		column->print(column, order->rows[i].row, cell, sizeof(cell));
		length = escape_length(cell, ESCAPE_PATH);
		most = length > most ? length : most;
	}
	return (int)most;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* What the last of the texts has beyond its least width. */
static int extra_width(const struct table *table, const struct order *order,
		       size_t texts, int width)
{
	int spare = width - width_of(table, 0, table->num_columns) + 1;
	const struct table_column *column;

	if (texts == 0 || spare <= 0)
		return 0;
	column = &table->columns[texts - 1];
	spare = smaller(spare, longest(column, order) - column->width);
	return spare > 0 ? spare : 0;
}

/*
 * Whether the first number behind texts, which is a count, and the column to
 * sort by fit.
 */
static bool has_room(const struct table *table, const struct order *order,
		     size_t texts, int width)
{
	return texts > 0 && order->column > texts &&
	       width_of(table, 0, texts + 1) +
	       table->columns[order->column].width <= width;
}

/* The first of the others, so that the one to sort by is in the window. */
static size_t first_other(const struct table *table, const struct order *order,
			  size_t fixed, int width)
{
	size_t first = fixed;
	int room = width - width_of(table, 0, fixed) + 1;

	while (first < order->column &&
	       width_of(table, first, order->column + 1) > room)
		first++;
	return first;
}

static void show(struct layout *layout, const struct table_column *column,
		 int width, bool sorted)
{
	int x = 0;

	if (layout->count == LAYOUT_COLUMNS)
		return;
	if (layout->count > 0)
		x = layout->shown[layout->count - 1].x +
			layout->shown[layout->count - 1].width + 1;
	layout->shown[layout->count].column = column;
	layout->shown[layout->count].x = x;
	layout->shown[layout->count].width = width;
	layout->shown[layout->count].sorted = sorted;
	layout->count++;
}

void layout_make(struct layout *layout, const struct table *table,
		 const struct order *order, int width)
{
	size_t texts = count_texts(table);
	int extra = extra_width(table, order, texts, width);
	size_t last = table->num_columns - 1;
	size_t fixed = texts + has_room(table, order, texts, width);
	size_t i;

	layout->count = 0;
	for (i = 0; i < fixed; i++)
		show(layout, &table->columns[i], table->columns[i].width +
		     (i + 1 == texts ? extra : 0), i == order->column);
	for (i = first_other(table, order, fixed, width);
	     i < table->num_columns; i++)
		show(layout, &table->columns[i],
		     i == last && table->columns[i].is_text ? width :
		     table->columns[i].width, i == order->column);
}
