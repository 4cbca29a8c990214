/* SPDX-License-Identifier: BSD-2-Clause */
/* The page as one HTML document. */
#ifndef PAGE_HTML_H
#define PAGE_HTML_H

#include <stdio.h>

#include "data.h"

/*
 * Writes the page. around is called before and after the data are written, or
 * is NULL.
 */
void html_write(FILE *file, const struct page_view *view,
		void (*around)(void *context), void *context);

#endif /* PAGE_HTML_H */
