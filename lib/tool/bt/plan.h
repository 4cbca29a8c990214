/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What all clauses are for, and what that means for versions of bpftrace that
 * confuse probes or do not find them:
 *
 * - Before 0.24 with -p, only one of several files is attached to that have a
 *   probe of the same name. Without -p it is all of them, and the script has to
 *   look at pid.
 * - With -p, bpftrace searches for the file below the root directory of the
 *   process. One that is elsewhere is attached to without -p, too.
 * - 0.17 does not load a program for a probe that is in a list of probes and
 *   in another clause as well. It takes a clause for each.
 */
#ifndef SDTKIT_TOOL_BT_PLAN_H
#define SDTKIT_TOOL_BT_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "bt/clause.h"
#include "bt/match.h"
#include "bt/objects.h"
#include "bt/value.h"

struct plan {
	/* For each clause; empty for bpftrace's own. */
	struct matches *match;
	size_t count;
	/* The first sites of all probes, sorted; once for each clause. */
	const struct site **site;
	size_t site_count;
	/* The process that scripts have to look for, instead of -p; 0: none. */
	pid_t pid;
};

/* Returns false after complaints; the plan is to be freed in any case. */
bool plan_script(struct plan *plan, struct source *source,
		 const struct clauses *clauses, struct objects *objects,
		 const struct dialect *dialect);
void plan_free(struct plan *plan);

/* Whether one of these probes is meant by another clause, too. */
bool plan_is_shared(const struct plan *plan, const struct matches *matches);

#endif /* SDTKIT_TOOL_BT_PLAN_H */
