/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table whose columns are data, and the order and choice of its rows that a
 * person has asked for. Knows nothing of terminals.
 */
#ifndef SDTKIT_TOOL_TOP_ORDER_H
#define SDTKIT_TOOL_TOP_ORDER_H

#include <stdbool.h>
#include <stddef.h>

struct table_column {
	const char *title;
	/* A sentence for the help: what is counted, in which unit. */
	const char *doc;
	/* The least width; the last column, if it is text, takes the rest. */
	int width;
	/* On the left, sorted by alphabet, and searched by the filter. */
	bool is_text;
	/* Writes the cell of a row; cuts what does not fit. */
	void (*print)(const struct table_column *column, const void *row,
		      char *cell, size_t size);
	/* The number by which numbers are sorted; NULL if is_text. */
	double (*value)(const struct table_column *column, const void *row);
	/* For the two functions. */
	const void *data;
};

/* The longest cell, with its 0. */
enum { TABLE_CELL = 512 };

struct table {
	const struct table_column *columns;
	size_t num_columns;
	/* What the columns' functions are given. */
	const void *const *rows;
	size_t num_rows;
	/* Lines above and below; NULL if there are none. */
	const char *const *headings;
	size_t num_headings;
	const char *const *notes;
	size_t num_notes;
	/* What the keys do that only the caller knows: screen_other_key(). */
	const char *const *help;
	size_t num_help;
};

struct ordered_row {
	const void *row;
	size_t index;
};

struct order {
	/* The column to sort by. */
	size_t column;
	/* Numbers begin with the largest, text with A; this is the opposite. */
	bool reversed;
	/* Only rows that have this in a cell of text; empty: all rows. */
	char filter[64];
	/* The result. */
	struct ordered_row *rows;
	size_t count;
	size_t capacity;
};

/*
 * Chooses and sorts the rows of the table. Rows that are equal stay in the
 * order that they had.
 */
void order_apply(struct order *order, const struct table *table);

/* Selects the column that is this many further; the first follows the last. */
void order_move(struct order *order, const struct table *table, int by);

void order_free(struct order *order);

#endif /* SDTKIT_TOOL_TOP_ORDER_H */
