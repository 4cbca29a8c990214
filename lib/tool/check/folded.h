/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: the rule for sites of different probes at one address, which a
 * linker has made of code that was identical (--icf).
 */
#ifndef SDTKIT_TOOL_CHECK_FOLDED_H
#define SDTKIT_TOOL_CHECK_FOLDED_H

struct check;
struct object;

void check_folded(struct check *check, const struct object *object);

#endif /* SDTKIT_TOOL_CHECK_FOLDED_H */
