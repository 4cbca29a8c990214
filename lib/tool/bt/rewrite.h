/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The filter and body of a clause, as bpftrace understands them for one probe.
 *
 *	/args.opcode == CREATE/ { @[args.user] = count(); }
 *	/arg1 == 5/ { @[str(arg2)] = count(); }
 */
#ifndef SDTKIT_TOOL_BT_REWRITE_H
#define SDTKIT_TOOL_BT_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "bt/clause.h"
#include "bt/objects.h"
#include "bt/value.h"
#include "bt/words.h"

struct rewriting {
	struct source *source;
	const struct clause *clause;
	const struct dialect *dialect;
	struct maps *maps;
	bool has_definitions;
	/* The filter is to select this process; 0: any. */
	pid_t pid;
};

/*
 * Returns the text, which the caller frees, or NULL after complaints.
 * Everything between words, and words that are not ours, stay as they are.
 */
char *rewrite(const struct rewriting *rewriting, const struct probe *probe);

#endif /* SDTKIT_TOOL_BT_REWRITE_H */
