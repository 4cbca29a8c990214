/* SPDX-License-Identifier: BSD-2-Clause */
/* The sites of a plan. */
#ifndef SDTKIT_TOOL_TOP_SITE_H
#define SDTKIT_TOOL_TOP_SITE_H

#include <stddef.h>

#include "top/catalog.h"
#include "top/plan.h"

/* Returns the site of a plan for that of a file; adds it if it is new. */
struct plan_site *site_get(struct plan *plan, int file,
			   const struct file_site *from, size_t *capacity);

#endif /* SDTKIT_TOOL_TOP_SITE_H */
