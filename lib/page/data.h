/* SPDX-License-Identifier: BSD-2-Clause */
/* What the page shows as JSON: docs/tsmbd-page.schema.json for tsmbd. */
#ifndef PAGE_DATA_H
#define PAGE_DATA_H

#include <limits.h>
#include <stdio.h>

#include <jansson.h>

#include "sinks/sink.h"
#include "store.h"

/*
 * Bytes of the JSON: older details are left out until it is smaller. The flame
 * graph comes on top of it, see tree.h.
 */
enum { PAGE_DATA_LIMIT = 3 << 20 };

/* What the page and its data are made from, at one moment. */
struct page_view {
	const struct sink_setup *setup;
	int refresh_s;
	char host[HOST_NAME_MAX + 1];
	json_t *report;			/* the sums since the start */
	const struct page_store *store;
	const struct page_flame *flame;	/* to be set, or NULL */

	/* lists and cells of steps before it are left out */
	unsigned long long first[PAGE_SPANS];
	unsigned char *used;		/* names, by their numbers */
};

/*
 * Makes a view, whose texts stay valid until the store takes another report.
 * The page asks for new data every refresh_s seconds; 0: never, as it is a
 * file.
 */
void view_begin(struct page_view *view, const struct sink_setup *setup,
		int refresh_s);
void view_end(struct page_view *view);

/* Writes the data, in ASCII. */
void data_write(FILE *file, const struct page_view *view);

#endif /* PAGE_DATA_H */
