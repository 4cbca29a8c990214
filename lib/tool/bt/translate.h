/* SPDX-License-Identifier: BSD-2-Clause */
/* A script with names, as bpftrace understands it. */
#ifndef SDTKIT_TOOL_BT_TRANSLATE_H
#define SDTKIT_TOOL_BT_TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "bt/clause.h"
#include "bt/objects.h"
#include "bt/value.h"

struct translation {
	char *text;
	/* How many probes it attaches to. */
	size_t probes;
	/* Instead of -p. */
	bool looks_at_pid;
};

/*
 * Adds the files that the script names to objects. Returns false after
 * complaints. Lines keep their numbers.
 */
bool translate(struct source *source, const struct clauses *clauses,
	       struct objects *objects, const struct dialect *dialect,
	       struct translation *translation);

#endif /* SDTKIT_TOOL_BT_TRANSLATE_H */
