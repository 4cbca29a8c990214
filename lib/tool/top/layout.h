/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which columns of a table fit into a window, and how wide they are.
 *
 *	SPAN       NAME                   AVG us   P99 us	window
 *	\_ first columns, if text _/      \_ what fits, with the one that
 *	   always there; the last of them    the rows are sorted by
 *	   is as wide as its text needs
 */
#ifndef SDTKIT_TOOL_TOP_LAYOUT_H
#define SDTKIT_TOOL_TOP_LAYOUT_H

#include <stddef.h>

#include "top/order.h"

enum { LAYOUT_COLUMNS = 32 };

struct layout {
	struct {
		const struct table_column *column;
		int x;
		int width;
		bool sorted;		/* the rows are sorted by it */
	} shown[LAYOUT_COLUMNS];
	size_t count;
};

/* Lays the columns out for a window of this width, in characters. */
void layout_make(struct layout *layout, const struct table *table,
		 const struct order *order, int width);

#endif /* SDTKIT_TOOL_TOP_LAYOUT_H */
