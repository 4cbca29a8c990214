/* SPDX-License-Identifier: BSD-2-Clause */
/* columns.c - the columns of columns.def, see columns.h. */
#include <stdio.h>
#include <string.h>

#include "top/columns.h"

enum { SHORT = 7 };		/* what shorten() writes at most */

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

bool column_differs(const struct column *column, const struct sample *sample)
{
	size_t i;

	if (column->when != WHEN_NESTED)
		return true;
	for (i = 0; i < sample->num_rows; i++) {
		if (sample->row[i].self_ns != sample->row[i].running_ns)
			return true;
	}
	return false;
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

/* Four significant digits at most: 12.3, 12345, 264k, 37.8M. */
static const char *shorten(double value, bool fraction, char buffer[32])
{
	static const char units[] = " kMGTPE";
	size_t unit = 0;

	if (value < 99999.5) {
		snprintf(buffer, 32, fraction ? "%.1f" : "%.0f", value);
		return buffer;
	}
	while (value >= 999.5 && units[unit + 1] != '\0') {
		value /= 1000;
		unit++;
	}
	snprintf(buffer, 32, value < 99.95 ? "%.1f%c" : "%.0f%c", value,
		 units[unit]);
	return buffer;
}

const char *column_short(const struct column *column,
			 const struct sample_row *row, char buffer[32])
{
	double value = column->value(row);

	if (column->when == WHEN_ERRORS && !row->span->has_error)
		return strcpy(buffer, "-");
	if (column->unit == UNIT_US)
		value /= 1000;
	return shorten(value, column->unit != UNIT_COUNT, buffer);
}

int column_short_width(const struct column *column)
{
	int title = (int)strlen(column->title);

	return title > SHORT ? title : SHORT;
}
