/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of all numbers that sdtkit top prints of a row: columns.def. */
#ifndef SDTKIT_TOOL_TOP_COLUMNS_H
#define SDTKIT_TOOL_TOP_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "top/plan.h"
#include "top/sample.h"

enum column_unit { UNIT_COUNT, UNIT_PER_SECOND, UNIT_US };

enum column_when { WHEN_ALWAYS, WHEN_ERRORS, WHEN_SUSPENDS, WHEN_NESTED };

struct column {
	const char *key;		/* in JSON */
	const char *title;
	int width;
	enum column_unit unit;
	double (*value)(const struct sample_row *row);	/* times in ns */
	enum column_when when;
	const char *doc;
};

extern const struct column columns[];
extern const size_t num_columns;

/* Whether any span of the plan has such a number. */
bool column_is_shown(const struct column *column, const struct plan *plan);

/* Whether any row has more in it than the other columns say. */
bool column_differs(const struct column *column, const struct sample *sample);

/* The value as it is printed: "12.3"; returns buffer. */
const char *column_text(const struct column *column,
			const struct sample_row *row, char buffer[32]);

/* The same for a table: "-" where the span cannot have such a number. */
const char *column_cell(const struct column *column,
			const struct sample_row *row, char buffer[32]);

/*
 * The same in few characters, "264k" for 264,113; and how wide a column of such
 * cells is, with its title.
 */
const char *column_short(const struct column *column,
			 const struct sample_row *row, char buffer[32]);
int column_short_width(const struct column *column);

#endif /* SDTKIT_TOOL_TOP_COLUMNS_H */
