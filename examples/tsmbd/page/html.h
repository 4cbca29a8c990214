/* SPDX-License-Identifier: BSD-2-Clause */
/* The page as one HTML document. */
#ifndef TSMBD_PAGE_HTML_H
#define TSMBD_PAGE_HTML_H

#include <stdio.h>

#include <jansson.h>

/* Writes the page; text is that of data, in ASCII. */
void html_write(FILE *file, const json_t *data, const char *text);

#endif /* TSMBD_PAGE_HTML_H */
