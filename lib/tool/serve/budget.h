/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the probes of a program cost it, and what is let go if that is more than
 * the budget. Of a worker: it has one program.
 */
#ifndef SDTKIT_TOOL_SERVE_BUDGET_H
#define SDTKIT_TOOL_SERVE_BUDGET_H

#include "serve/rows.h"
#include "top/engine.h"
#include "top/plan.h"

/* The budget is in percent of the program's processor time; 0: no limit. */
void budget_begin(struct engine *engine, const struct plan *plan,
		  const struct serve_place *at, unsigned int percent);

/* The processor time of the program since the last call. */
void budget_credit(unsigned long long cpu_ns);

/*
 * Adds the hits of a sample of sdtkit top to a report, what they cost, and how
 * long spans were let go. Then lets spans go, or attaches them again.
 */
void budget_take(const struct report *sample, struct report *report);

#endif /* SDTKIT_TOOL_SERVE_BUDGET_H */
