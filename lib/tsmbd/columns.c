/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * columns.c - columns.def as functions and an array. The line
 *
 *	COLUMN(CALLS, count, "Count", 8, COUNT, r->call.count, "how many...")
 *
 * becomes
 *
 *	static unsigned long long CALLS_count(const void *row)
 *	{
 *		const struct call_count *r = row;
 *
 *		return r->call.count;
 *	}
 *
 * and { COLUMNS_CALLS, "count", "Count", 8, UNIT_COUNT, CALLS_count }.
 */
#include <stdio.h>

#include "slots/slots.h"
#include "columns.h"
#include "report.h"

static unsigned long long rounded(double value)
{
	return (unsigned long long)(value + 0.5);
}

static unsigned long long percentile(const struct operation *o, double part)
{
	return rounded(slots_quantile_fine(o->op->slots, part, o->extreme->min,
					   o->extreme->max));
}

static unsigned long long coarse_percentile(const struct tsmbd_top_value *v,
					    double part)
{
	return rounded(slots_quantile_coarse(v->slots, part, v->max));
}

static unsigned long long percent(unsigned long long part,
				  unsigned long long whole)
{
	return whole > 0 ? rounded(100.0 * (double)part / (double)whole) : 0;
}

/*
 * The time that no other column has: in threads, or waiting for a lock or a
 * change. VFS and LOCK are parts of RUN.
 */
static unsigned long long line_waited(const struct tsmbd_request_event *e)
{
	const struct tsmbd_request *r = &e->request;
	unsigned long long total = e->event.time - r->start;
	unsigned long long known = r->run_ns + r->ctdb_ns + r->oplock_ns +
		r->send_ns;

	return total > known ? total - known : 0;
}

#define GETTER(group, name, expression)					\
static unsigned long long group##_##name(const void *row)		\
{									\
	const ROW *r = row;						\
									\
	return expression;						\
}
#define COLUMN(group, key, title, width, unit, value, doc)		\
	GETTER(group, key, value)
#define TITLE(group, name, title, width, unit, value)			\
	GETTER(group, name, value)
#include "columns.def"
#undef COLUMN
#undef TITLE

#define COLUMN(group, key, title, width, unit, value, doc)		\
	{ COLUMNS_##group, #key, title, width, UNIT_##unit, group##_##key },
#define TITLE(group, name, title, width, unit, value)			\
	{ COLUMNS_##group, NULL, title, width, UNIT_##unit, group##_##name },
static const struct column columns[] = {
#include "columns.def"
};

enum { NUM_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

const struct column *column_next(enum column_group group,
				 const struct column *column)
{
	column = column == NULL ? columns : column + 1;
	for (; column < columns + NUM_COLUMNS; column++) {
		if (column->group == group)
			return column;
	}
	return NULL;
}

bool column_any(enum column_group group, const void *row)
{
	const struct column *column;

	FOR_EACH_COLUMN(column, group) {
		if (column->value(row) != 0)
			return true;
	}
	return false;
}

unsigned long long column_get(const struct column *column, const void *row)
{
	unsigned long long value = column->value(row);

	return column->unit == UNIT_NS ? (value + 500) / 1000 : value;
}

void column_print_titles(FILE *out, enum column_group group)
{
	const struct column *column;
	const char *blank = "";

	FOR_EACH_COLUMN(column, group) {
		if (column->title == NULL)
			continue;
		fprintf(out, "%s%*s", blank, column->width, column->title);
		blank = " ";
	}
}

void column_print_row(FILE *out, enum column_group group, const void *row)
{
	const struct column *column;
	const char *blank = "";

	FOR_EACH_COLUMN(column, group) {
		if (column->title == NULL)
			continue;
		fprintf(out, "%s%*llu", blank, column->width,
			column_get(column, row));
		blank = " ";
	}
}

struct operation operation_of(const struct counters *c, int op)
{
	return (struct operation){ (unsigned int)op, &c->ops[op],
				   &c->extremes[op] };
}
