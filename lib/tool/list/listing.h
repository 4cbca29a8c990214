/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What "sdtkit list" was asked for, and what it has listed so far. Files come
 * from the command line (file.h), directories (directory.h) and processes
 * (process.h), and list_sites() prints all of them.
 */
#ifndef SDTKIT_TOOL_LISTING_H
#define SDTKIT_TOOL_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#include "common/patterns.h"
#include "list/table_columns.h"

struct interface;
struct list_origin;
struct sdtkit_notes;

struct list {
	/* What was asked for. */
	struct patterns patterns;
	bool verbose;
	bool longs;
	bool summaries;
	struct table_columns columns;	/* or none: those of the table */
	/* Descriptions with comments for the long form: --description. */
	struct interface *description;
	size_t description_count;
	size_t description_capacity;
	bool json;
	bool traced_only;
	/* Do not complain of files without probes. */
	bool quiet;
	/* Print a heading above each table, since there may be several. */
	bool headings;
	/* Number of files with probes that were listed. */
	size_t listed;
	bool trouble;
};

/* Lists an open file and closes it; returns the number of its sites. */
size_t list_sites(struct list *list, const struct list_origin *origin,
		  struct sdtkit_notes *notes);

#endif /* SDTKIT_TOOL_LISTING_H */
