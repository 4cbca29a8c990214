/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --privacy: hides the names of people and things, which are keys of tables
 * that are marked as private.
 *
 * It is applied to reports as they come from the kernel, before anything
 * prints, stores or serves them. Whatever comes later sees hidden names only.
 */
#ifndef METRICS_PRIVACY_H
#define METRICS_PRIVACY_H

#include "report/report.h"

enum privacy {
	PRIVACY_NONE,
	PRIVACY_HASH,		/* 16 hexadecimal digits for each name */
	PRIVACY_OMIT,
};

/*
 * Hides a name; an empty one stays empty. The same name of the same kind has
 * the same hash: kind is the key's private.
 */
void privacy_hide(enum privacy how, char kind, char *name, size_t size);

/* Hides the names of a row. */
void privacy_row(enum privacy how, const struct report_table *table, void *row);

/* Hides the names of a report, and sorts the rows that had any. */
void privacy_report(enum privacy how, struct report *report);

#endif /* METRICS_PRIVACY_H */
