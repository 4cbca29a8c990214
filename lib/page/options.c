/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the table of the options. */
#include "options.h"

const struct setting page_settings[] = {
	{ SETTING(TEXT, struct page_options, html, "html", "FILE",
		  "write a page (HTML) with charts, heat maps and "
		  "tables to FILE, at the end and each minute") },
	{ SETTING(FLAG, struct page_options, html_flame, "html-flame", NULL,
		  "sample what the CPUs execute while somebody looks "
		  "at the page that --listen serves") },
	{ .name = NULL },
};
