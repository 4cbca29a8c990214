/* SPDX-License-Identifier: BSD-2-Clause */
/* What the page shows: the last minutes and the last hours. */
#ifndef TSMBD_PAGE_STORE_H
#define TSMBD_PAGE_STORE_H

#include "gather.h"

/* Ten minutes by seconds, and six hours by minutes. */
enum { PAGE_MINUTES, PAGE_HOURS, PAGE_SPANS };

struct page_op {
	unsigned int count;
	unsigned int errors;
	unsigned long long ns;
	unsigned int slots[TSMBD_SLOTS];	/* powers of 2, microseconds */
};

/* All numbers of a step. */
struct page_point {
	unsigned long long number;	/* of the step, from 1 on; 0: empty */
	unsigned long long elapsed_ns;	/* less than a step if part is missing */
	unsigned long long bytes_in;
	unsigned long long bytes_out;
	unsigned long long phase_ns[TSMBD_PHASES];
	unsigned long long lost;
	/* at its end */
	unsigned int connections;
	unsigned int sessions;
	unsigned int open_files;
	unsigned int under_way;
	struct page_op ops[TSMBD_OPS];
};

/* Rings: a point is at (number - 1) % points, and so is a detail. */
struct page_span {
	const char *name;
	unsigned long long step_ns;
	unsigned int num_points;
	unsigned int steps;		/* of a detail */
	unsigned int num_details;
	struct page_point *points;
	struct page_detail *details;
	struct gather *gather;		/* what the last detail is made from */
	unsigned long long gathered;	/* the number of that detail, or 0 */
};

struct page_store {
	unsigned long long begin_ns;	/* of the kernel's clock; 0: no report */
	unsigned long long end_ns;
	struct page_span spans[PAGE_SPANS];
	struct report sum;		/* since the start, without names */
	struct gather *gather;		/* since the start */
	struct page_detail overall;
};

/* Returns the store, whose spans are set even if it is empty. */
struct page_store *page_store(void);

void store_take(const struct report *report);
void store_event(const struct tsmbd_event *event);

/* Brings the details of the last steps up to date, before they are read. */
void store_settle(void);

/* The number of the last step of a span; 0 if there is none. */
unsigned long long store_last(const struct page_span *span);

#endif /* TSMBD_PAGE_STORE_H */
