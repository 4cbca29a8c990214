/* SPDX-License-Identifier: BSD-2-Clause */
/* The recorders of a program's processes. Of a worker: it has one program. */
#ifndef SDTKIT_TOOL_SERVE_RECORDERS_H
#define SDTKIT_TOOL_SERVE_RECORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/report/report.h"
#include "serve/rows.h"
#include "top/plan.h"

/* since is that of counters_open(). The plan has to remain. */
void recorders_begin(const struct plan *plan, unsigned long long since);

/*
 * Asks those of the processes that are new, that execute another program, or
 * that had no answer some looks ago.
 */
void recorders_look(const pid_t *pid, size_t count);

/* Whether all processes are counted, as they answered in the last look. */
bool recorders_are_enough(void);

/*
 * A message about a process of which not all was counted in two looks in turn;
 * NULL if there is none.
 */
const char *recorders_missing(void);

/*
 * Adds how many processes are counted, and what was lost. Then closes the
 * recorders of processes that have ended.
 */
void recorders_take(const struct serve_place *at, struct report *report);

#endif /* SDTKIT_TOOL_SERVE_RECORDERS_H */
