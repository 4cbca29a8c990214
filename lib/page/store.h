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
	char *heat;			/* see store_heat(); NULL: none */
	size_t heat_size;
};

/* The lists of some steps as text, see detail.h. */
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

	/* of the last step: microseconds, in powers of 2 */
	unsigned int slots[TSMBD_OPS][SLOTS_POWERS];
	struct gather *gather;		/* what the last lists are made from */
	unsigned long long gathered;	/* the number of these lists, or 0 */
	unsigned long long since;	/* the first step in them */
	bool has_names;			/* those of a history have come */
};

struct page_store {
	unsigned long long origin_ns;	/* step 1 begins; 0: no step */
	unsigned long long begin_ns;	/* of the sums; 0: no report */
	unsigned long long end_ns;
	struct page_span spans[PAGE_SPANS];
	struct smbd_report sum;		/* since the start, without names */
	struct gather *gather;		/* since the start */
	struct page_detail overall;
};

/* Returns the store, whose spans are set even if it is empty. */
struct page_store *page_store(void);

/* A report of smbd as it runs. */
void store_take(const struct smbd_report *report);
void store_event(const struct tsmbd_event *event);

/* A report of a history. */
struct page_past {
	unsigned long long end_ns;	/* of the kernel's clock */
	unsigned int spans;		/* which take it: a bit for each */
	bool lists;			/* they have its names */
	bool has_names;			/* those of its minute come with it */
};

/* The same from a history. Sums do not have it. */
void store_take_past(const struct smbd_report *report, const struct page_past *past);
void store_event_past(const struct tsmbd_event *event, unsigned int spans);

/* Adds a report or an event to the sums. */
void store_sum(const struct smbd_report *report);
void store_sum_event(const struct tsmbd_event *event);

/* Brings the last steps up to date, before they are read. */
void store_settle(void);

/*
 * Returns the latencies of a command in a step, as write_slots() has them;
 * "[]" if there are none.
 */
const char *store_heat(const struct page_point *point, int op);

#endif /* TSMBD_PAGE_STORE_H */
