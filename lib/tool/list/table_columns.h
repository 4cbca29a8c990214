/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of "sdtkit list --columns=probe,address". */
#ifndef SDTKIT_TOOL_TABLE_COLUMNS_H
#define SDTKIT_TOOL_TABLE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

struct sites;

struct table_columns {
	enum table_column {
		TABLE_SITES, TABLE_SEMAPHORE, TABLE_PROBE, TABLE_ARGUMENTS,
		TABLE_ADDRESS, TABLE_OFFSET, TABLE_OPERANDS, TABLE_COLUMNS
	} column[TABLE_COLUMNS];
	size_t count;
};

/* Reads the value of --columns; returns false after a complaint. */
bool table_choose(struct table_columns *columns, const char *list);

/* Whether a line is one site, and not all of a probe that look the same. */
bool table_has_sites(const struct table_columns *columns);

/* The sites must be sorted, by looks unless a line is a site. */
void table_print_columns(const struct table_columns *columns,
			 const struct sites *sites);

#endif /* SDTKIT_TOOL_TABLE_COLUMNS_H */
