/* SPDX-License-Identifier: BSD-2-Clause */
/* Which probes a clause is for. */
#ifndef SDTKIT_TOOL_BT_MATCH_H
#define SDTKIT_TOOL_BT_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "bt/clause.h"
#include "bt/objects.h"

struct matches {
	/* By file, and in a file by name. */
	struct probe *probe;
	size_t count;
	size_t capacity;
};

/*
 * Finds them; opens files that the clause names. Returns false after a
 * complaint of a name that nothing matches. The caller frees matches->probe in
 * any case.
 */
bool match_probes(struct matches *matches, struct source *source,
		  const struct clause *clause, struct objects *objects);

#endif /* SDTKIT_TOOL_BT_MATCH_H */
