/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: the rule for declared probes that no file has. */
#ifndef SDTKIT_TOOL_CHECK_MISSING_H
#define SDTKIT_TOOL_CHECK_MISSING_H

struct check;

void check_missing(struct check *check);

#endif /* SDTKIT_TOOL_CHECK_MISSING_H */
