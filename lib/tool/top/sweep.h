/* SPDX-License-Identifier: BSD-2-Clause */
/* Removes spans under way whose processes are gone. */
#ifndef SDTKIT_TOOL_TOP_SWEEP_H
#define SDTKIT_TOOL_TOP_SWEEP_H

#include <stdbool.h>

#include "top/engine.h"
#include "top/plan.h"

bool sweep_begin(const struct engine *engine);

/* To be called a few times a second; now: whatever it costs. */
void sweep(struct engine *engine, const struct plan *plan, bool now);

#endif /* SDTKIT_TOOL_TOP_SWEEP_H */
