/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The page in memory, by gzip, with its data: these are a part of it that can
 * be read alone. Any thread may take and release it.
 *
 *	struct zipped *zipped = zipped_new();
 *	FILE *file = zipped_begin(zipped);
 *
 *	html_write(file, view, zipped_mark, zipped);
 *	zipped_end(zipped);
 */
#ifndef PAGE_ZIPPED_H
#define PAGE_ZIPPED_H

#include <stdbool.h>
#include <stdio.h>

#include "http/http.h"

struct zipped;

struct zipped *zipped_new(void);
FILE *zipped_begin(struct zipped *zipped);

/* To be called before and after the data. */
void zipped_mark(void *zipped);

void zipped_end(struct zipped *zipped);

struct zipped *zipped_take(struct zipped *zipped);
void zipped_release(struct zipped *zipped);

enum zipped_part { ZIPPED_PAGE, ZIPPED_DATA, ZIPPED_PARTS };

/* Fills in what is sent, as gzip or as it was before. */
void zipped_reply(struct zipped *zipped, enum zipped_part part, bool gzip,
		  struct http_reply *reply);

#endif /* PAGE_ZIPPED_H */
