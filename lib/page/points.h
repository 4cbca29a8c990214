/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The values of a step: the time that was reported, in ns, which is less than
 * the step if a part is missing; those of the series; and for each row of
 * page_keyed, its key, those of its columns.
 */
#ifndef PAGE_POINTS_H
#define PAGE_POINTS_H

#include <stdio.h>

#include "report/program.h"
#include "report/report.h"
#include "section.h"

enum { PAGE_ELAPSED, PAGE_FIRST };

/* The most rows of page_keyed; what is beyond becomes the last one. */
enum { PAGE_KEYS = 64 };

/* Before all else. */
void points_open(const struct report_program *program);

/*
 * How many values a series has; and the column of one of them, or of the first
 * one that is in its sum: NULL if it has no more.
 */
size_t points_count(const struct page_series *series);
const struct report_column *points_column(const struct page_series *series,
					  size_t number);

/*
 * How many rows of page_keyed there can be: a key that is a number has no more
 * values than that.
 */
size_t points_keys(void);

/* The index of a column of a row; that of the first one beyond is the count. */
size_t points_keyed(size_t key, size_t column);

/* Returns the row that has this number, or NULL for those beyond. */
const void *points_row(size_t key);

/* Adds what points need of a report to the report of a step. */
void points_add(struct report *step, const struct report *report);

/* Sets all but the time, and writes the distributions as text. */
void points_settle(const struct report *step, unsigned long long *values,
		   FILE *heat);

/* The distribution of a key in that text, as write_slots() has it, or "[]". */
const char *points_heat(const char *heat, size_t key);

#endif /* PAGE_POINTS_H */
