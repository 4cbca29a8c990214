/* SPDX-License-Identifier: BSD-2-Clause */
/* columns.c - the columns of columns.def, see columns.h. */
#include <stdio.h>
#include <string.h>

#include "top/columns.h"

static double seconds(const struct sample_row *r)
{
	return r->elapsed_ns > 0 ? (double)r->elapsed_ns : 1;
}

#define COLUMN(key, title, width, unit, get, when, doc)			\
	static double get_##key(const struct sample_row *r)		\
	{								\
		return get;						\
	}
#include "top/columns.def"
#undef COLUMN

#define COLUMN(key, title, width, unit, get, when, doc)			\
	{ #key, title, width, UNIT_##unit, get_##key, WHEN_##when, doc },
const struct column columns[] = {
#include "top/columns.def"
};
#undef COLUMN

const size_t num_columns = sizeof(columns) / sizeof(columns[0]);

bool column_is_shown(const struct column *column, const struct plan *plan)
{
	static const unsigned int flags[] = {
		[WHEN_ERRORS] = TOP_HAS_ERROR,
		[WHEN_SUSPENDS] = TOP_SUSPENDS,
		[WHEN_NESTED] = TOP_HAS_PARENT | TOP_BY_THREAD,
	};

	return column->when == WHEN_ALWAYS ||
	       (plan->flags & flags[column->when]) != 0;
}

const char *column_text(const struct column *column,
			const struct sample_row *row, char buffer[32])
{
	double value = column->value(row);

	if (column->unit == UNIT_COUNT)
		snprintf(buffer, 32, "%.0f", value);
	else if (column->unit == UNIT_PER_SECOND)
		snprintf(buffer, 32, "%.1f", value);
	else
		snprintf(buffer, 32, "%.1f", value / 1000);
	return buffer;
}

const char *column_cell(const struct column *column,
			const struct sample_row *row, char buffer[32])
{
	if (column->when == WHEN_ERRORS && !row->span->has_error)
		return strcpy(buffer, "-");
	return column_text(column, row, buffer);
}
