/* SPDX-License-Identifier: BSD-2-Clause */
/* What the page shows: the last minutes and the last hours. */
#ifndef PAGE_STORE_H
#define PAGE_STORE_H

#include "report/program.h"
#include "gather.h"
#include "points.h"

/* Ten minutes by seconds, and six hours by minutes. */
enum { PAGE_MINUTES, PAGE_HOURS, PAGE_SPANS };

/* All numbers of a step, see points.h. */

struct page_point {
	unsigned long long number;	/* of the step, from 1 on; 0: empty */
	unsigned long long *values;
	char *heat;			/* NULL: none */
	size_t heat_size;
};

/* The lists of some steps as text, see gather.h. */
struct page_lists {
	unsigned long long number;	/* of its time, from 1 on; 0: empty */
	unsigned int steps;		/* that it is about */
	char *text;
	unsigned int *names;		/* that the text has, of pool.h */
	unsigned int num_names;
};

/* Rings: a point is at (number - 1) % points, and so are lists. */
struct page_span {
	const char *name;
	unsigned long long step_ns;
	unsigned int num_points;
	unsigned int steps;		/* of lists */
	unsigned int num_lists;
	size_t room;			/* for the text of lists and of heat */
	struct page_point *points;
	struct page_lists *lists;
	unsigned long long last;	/* the number of the last step, or 0 */
	size_t used;			/* of the room */
	unsigned long long whole;	/* what is before was dropped for it */

	struct report *step;		/* the last one: what points are from */
	struct gather *gather;		/* what the last lists are made from */
	unsigned long long gathered;	/* the number of these lists, or 0 */
	unsigned long long since;	/* the first step in them */
	bool has_names;			/* those of a history have come */
};

struct page_store {
	const struct report_program *program;
	const struct page_description *page;
	unsigned long long origin_ns;	/* step 1 begins; 0: no step */
	unsigned long long begin_ns;	/* of the sums; 0: no report */
	unsigned long long end_ns;
	struct page_span spans[PAGE_SPANS];
	struct report *sum;		/* since the start, without names */
	struct gather *gather;		/* since the start */
	struct page_lists overall;
};

/* Opens the store, unless that has been done. */
void store_open(const struct report_program *program);

/* Returns the store, whose spans are set even if it is empty. */
struct page_store *page_store(void);

/* A report of the program as it runs, and a row of its slow spans. */
void store_take(const struct report *report);
void store_event(const void *row);

/* A report of a history. */
struct page_past {
	unsigned long long end_ns;	/* of the kernel's clock */
	unsigned int spans;		/* which take it: a bit for each */
	bool lists;			/* they have its names */
	bool has_names;			/* those of its minute come with it */
};

/* The same from a history. Sums do not have it. */
void store_take_past(const struct report *report, const struct page_past *past);
void store_event_past(const void *row, unsigned int spans);

/* Adds a report to the sums. */
void store_sum(const struct report *report);

/* Brings the last steps up to date, before they are read. */
void store_settle(void);

#endif /* PAGE_STORE_H */
