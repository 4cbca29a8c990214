/* SPDX-License-Identifier: BSD-2-Clause */
/* top_rows.c - sorts and adds up the rows of the tables of names. */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

int top_by_name(const void *a, const void *b)
{
	const struct top_row *x = a;
	const struct top_row *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : strcmp(x->share, y->share);
}

static int by_requests(const void *a, const void *b)
{
	const struct top_row *x = a;
	const struct top_row *y = b;

	if (x->value.requests != y->value.requests)
		return x->value.requests < y->value.requests ? 1 : -1;
	if (x->value.bytes != y->value.bytes)
		return x->value.bytes < y->value.bytes ? 1 : -1;
	return top_by_name(a, b);
}

static int by_bytes(const void *a, const void *b)
{
	const struct top_row *x = a;
	const struct top_row *y = b;

	if (x->value.bytes != y->value.bytes)
		return x->value.bytes < y->value.bytes ? 1 : -1;
	return by_requests(a, b);
}

static int by_time(const void *a, const void *b)
{
	const struct top_row *x = a;
	const struct top_row *y = b;

	if (x->value.ns != y->value.ns)
		return x->value.ns < y->value.ns ? 1 : -1;
	return by_requests(a, b);
}

static int by_errors(const void *a, const void *b)
{
	const struct top_row *x = a;
	const struct top_row *y = b;

	if (x->value.errors != y->value.errors)
		return x->value.errors < y->value.errors ? 1 : -1;
	return by_requests(a, b);
}

static int (*const sort_orders[])(const void *, const void *) = {
	[TSMBD_BY_REQUESTS] = by_requests,
	[TSMBD_BY_BYTES] = by_bytes,
	[TSMBD_BY_TIME] = by_time,
	[TSMBD_BY_ERRORS] = by_errors,
};

void top_sort(struct top *top, unsigned int order)
{
	free(top->index);
	top->index = NULL;
	if (top->count > 0)
		qsort(top->rows, (size_t)top->count, sizeof(*top->rows),
		      sort_orders[order]);
}

void top_add_row(struct top_row *to, const struct top_row *from)
{
	int i;

	to->value.requests += from->value.requests;
	to->value.errors += from->value.errors;
	to->value.bytes += from->value.bytes;
	to->value.ns += from->value.ns;
	to->value.limited += from->value.limited;
	to->value.limit_ns += from->value.limit_ns;
	to->value.kept += from->value.kept;
	to->value.refused += from->value.refused;
	if (from->value.max > to->value.max)
		to->value.max = from->value.max;
	for (i = 0; i < SLOTS_COARSE; i++)
		to->value.slots[i] += from->value.slots[i];
}

void top_free(struct top tops[TSMBD_KINDS])
{
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		free(tops[kind].rows);
		free(tops[kind].index);
	}
}

struct top_row *top_new_row(struct top *top)
{
	struct top_row *row;

	if (top->count == top->capacity) {
		top->capacity = top->capacity * 2 + 16;
		top->rows = reallocarray(top->rows, (size_t)top->capacity,
					 sizeof(*top->rows));
		if (top->rows == NULL)
			err(1, NULL);
	}
	row = &top->rows[top->count++];
	memset(row, 0, sizeof(*row));
	return row;
}
