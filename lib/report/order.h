/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rows come first: for report_sort() and others of report.h. */
#ifndef REPORT_ORDER_H
#define REPORT_ORDER_H

#include "table.h"

/* Sorts rows by a column, and then by the orders of the table and its keys. */
void order_sort(const struct report_table *table, void *rows, size_t count,
		const char *key, bool grouped);

/*
 * Sets which rows are kept: the first ones by each order of the table in turn,
 * until there are so many. A row with the keys of other is never kept.
 */
void order_choose(const struct report_table *table, const void *rows,
		  size_t count, size_t first, const void *other, bool *kept);

#endif /* REPORT_ORDER_H */
