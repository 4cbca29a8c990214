/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who caused the work of some seconds: of each list of the page the rows with
 * most of something, of each group if it has groups, and what the others had
 * together.
 */
#ifndef PAGE_GATHER_H
#define PAGE_GATHER_H

#include "report/report.h"
#include "fields.h"

/* Rows of a list that are written: of each group, and of all together. */
enum { PAGE_KEPT = 8, PAGE_ROWS = 256 };

/* The most names that the rows that are written have. */
enum { PAGE_NAMES = PAGE_LISTS * PAGE_ROWS * 4 };

struct gather;

/* To be called after fields_open(). */
struct gather *gather_new(const struct page_description *page);
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
