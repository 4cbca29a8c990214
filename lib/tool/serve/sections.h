/* SPDX-License-Identifier: BSD-2-Clause */
/* What the page shows. */
#ifndef SDTKIT_TOOL_SERVE_SECTIONS_H
#define SDTKIT_TOOL_SERVE_SECTIONS_H

#include "lib/page/section.h"

extern const struct page_description serve_page;

#endif /* SDTKIT_TOOL_SERVE_SECTIONS_H */
