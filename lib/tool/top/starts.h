/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts that need no hit. */
#ifndef SDTKIT_TOOL_TOP_STARTS_H
#define SDTKIT_TOOL_TOP_STARTS_H

#include "lib/spans/spans.h"

/*
 * Takes the starts out of all spans whose ends tell everything: how long the
 * span took, its names and its sums. So a request makes one hit, not two.
 */
void starts_leave_out(struct spans *spans);

#endif /* SDTKIT_TOOL_TOP_STARTS_H */
