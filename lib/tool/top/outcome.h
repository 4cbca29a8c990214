/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said at the end of what was not counted. */
#ifndef SDTKIT_TOOL_TOP_OUTCOME_H
#define SDTKIT_TOOL_TOP_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

#include "top/rows.h"

/* Complains of spans that were lost, and says how many are under way. */
void outcome_tell(const struct report *report);

/* Complains of samples of --flame that were lost. */
void outcome_tell_samples(unsigned long long lost);

/*
 * Says what was lost of a span, and how many are under way if that is wanted:
 * "smb2:request: 2 ended whose start was not seen". Returns false if there is
 * nothing to say.
 */
bool outcome_text(const struct total_row *row, bool under_way, char *text,
		  size_t size);

/* Whether any span has ended, or any probe was hit, since the beginning. */
bool outcome_any(const struct report *report);

#endif /* SDTKIT_TOOL_TOP_OUTCOME_H */
