/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who caused the work of some seconds: of each list of the page the rows with
 * most of something, and what the others had together.
 */
#ifndef PAGE_GATHER_H
#define PAGE_GATHER_H

#include "report/report.h"
#include "fields.h"

enum { PAGE_KEPT = 8 };

/* The most names that the rows that are kept have. */
enum { PAGE_NAMES = PAGE_LISTS * PAGE_KEPT * 4 };

struct gather;

/* Lists as in fields_open(). */
struct gather *gather_new(const struct page_list *lists);
void gather_report(struct gather *gather, const struct report *report);

/* Adds a row of the table of slow spans. */
void gather_event(struct gather *gather, const void *row);

/*
 * Writes the rows with most, the largest first, as members of an object of
 * JSON. Returns how many names they have, to each of which pool_drop() has to
 * come.
 */
unsigned int gather_write(struct gather *gather, FILE *file,
			  unsigned int names[PAGE_NAMES]);

void gather_clear(struct gather *gather);

#endif /* PAGE_GATHER_H */
