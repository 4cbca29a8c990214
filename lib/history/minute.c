/* SPDX-License-Identifier: BSD-2-Clause */
/* minute.c - adds seconds up, and leaves out what is least important. */
#include <string.h>

#include "history/cells.h"
#include "history/minute.h"

enum {
	MAX_NAMES = 20, MAX_ROWS = 64,	/* of a minute */
	FIRST_NAMES = 40,		/* of a second that has thousands */
};

void minute_add(struct report *sum, const struct report *r)
{
	size_t t;

	for (t = 0; t < r->tables->count; t++) {
		if (minute_alone_has(report_table(r, t)))
			report_add_first(sum, r, t, FIRST_NAMES);
		else if (minute_has(report_table(r, t)))
			report_add_table(sum, r, t);
	}
	memcpy(sum->hosts, r->hosts, sizeof(sum->hosts));
	sum->elapsed_ns += r->elapsed_ns;
	sum->end_ns = r->end_ns;
}

static size_t size_of(const struct report *r)
{
	size_t t, i, size = 100;

	for (t = 0; t < r->tables->count; t++) {
		if (!minute_has(report_table(r, t)))
			continue;
		for (i = 0; i < r->rows[t].count; i++)
			size += cells_size(report_table(r, t),
					   report_row(r, t, i));
	}
	return size;
}

static bool may_shrink(const struct report *r, size_t t)
{
	return minute_has(report_table(r, t)) && report_table(r, t)->limit > 0;
}

/* Shortens the longest table; if two are equally long, the last of them. */
static bool shorten(struct report *r)
{
	size_t t, longest = 0;

	for (t = 0; t < r->tables->count; t++) {
		if (may_shrink(r, t) &&
		    (!may_shrink(r, longest) ||
		     r->rows[t].count >= r->rows[longest].count))
			longest = t;
	}
	if (!may_shrink(r, longest) || r->rows[longest].count <= 1)
		return false;
	report_shrink(r, longest, r->rows[longest].count -
		      (r->rows[longest].count + 3) / 4);
	return true;
}

void minute_fit(struct report *r, size_t bytes)
{
	size_t t;

	for (t = 0; t < r->tables->count; t++) {
		if (may_shrink(r, t))
			report_shrink(r, t, report_table(r, t)->optional ?
				      MAX_NAMES : MAX_ROWS);
	}
	while (size_of(r) > bytes && shorten(r))
		;
	for (t = 0; t < r->tables->count; t++) {
		if (may_shrink(r, t))
			report_sort(r, t, report_table(r, t)->orders[0]);
	}
}
