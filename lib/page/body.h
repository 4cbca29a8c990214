/* SPDX-License-Identifier: BSD-2-Clause */
/* What sections have for browsers without JavaScript: tables. */
#ifndef PAGE_BODY_H
#define PAGE_BODY_H

#include <stdio.h>

#include "data.h"

/* A page that is written. */
struct page {
	FILE *file;
	const struct page_view *view;
	json_t *overall;		/* the lists since the start */
	void (*around)(void *context);	/* see html_write() */
	void *context;
};

/* Escapes text for HTML; a control character becomes U+FFFD. */
void body_text(const struct page *page, const char *text);

/* A member of the report; what the page is about. */
const json_t *body_report(const struct page *page, const char *key);
const struct page_description *body_described(const struct page *page);

/* Writes what is in a section, or that there is nothing. */
void body_write(const struct page *page, const struct page_section *section);

#endif /* PAGE_BODY_H */
