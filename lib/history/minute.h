/* SPDX-License-Identifier: BSD-2-Clause */
/* The sum of the seconds of a minute, made as small as it has to be. */
#ifndef HISTORY_MINUTE_H
#define HISTORY_MINUTE_H

#include "report/report.h"

/* Tables that are recorded: those that JSON has. */
static inline bool minute_has(const struct report_table *table)
{
	return table->shape != REPORT_HIDDEN;
}

/* Whether a table has names, which are recorded with minutes only. */
static inline bool minute_alone_has(const struct report_table *table)
{
	return minute_has(table) && table->within != NULL;
}

/* Adds a second. If it has very many names, only the busiest ones are added. */
void minute_add(struct report *minute, const struct report *second);

/*
 * Keeps fewer rows until about so many bytes are enough, and sorts them, the
 * busiest ones first. The longest table is shortened first: thousands of files
 * leave room for the few shares and users that there are.
 */
void minute_fit(struct report *minute, size_t bytes);

#endif /* HISTORY_MINUTE_H */
