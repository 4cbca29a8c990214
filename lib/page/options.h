/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the page. */
#ifndef PAGE_OPTIONS_H
#define PAGE_OPTIONS_H

#include <stdbool.h>

#include "settings/table.h"

struct page_options {
	const char *html;
	bool html_flame;
	bool served;			/* with --listen, also without --html */
};

extern const struct setting page_settings[];

#endif /* PAGE_OPTIONS_H */
