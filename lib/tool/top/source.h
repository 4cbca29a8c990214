/* SPDX-License-Identifier: BSD-2-Clause */
/* Where an argument of a site is, in the form that the kernel reads. */
#ifndef SDTKIT_TOOL_TOP_SOURCE_H
#define SDTKIT_TOOL_TOP_SOURCE_H

#include <stdbool.h>

#include "top/hit.h"

struct sdtkit_notes;
struct sdtkit_operand;
struct sdtkit_site;

/*
 * Sets *source. Returns NULL, or why a program in the kernel cannot read it:
 * "is a floating-point number".
 */
const char *source_find(const struct sdtkit_notes *notes,
			const struct sdtkit_site *site,
			const struct sdtkit_operand *operand,
			struct top_source *source);

#endif /* SDTKIT_TOOL_TOP_SOURCE_H */
