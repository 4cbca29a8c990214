/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The filter and body of a clause, as bpftrace understands them for one probe.
 *
 *	/args.opcode == CREATE/ { @[args.user] = count(); }
 *	/arg1 == 5/ { @[str(arg2)] = count(); }
 */
#ifndef SDTKIT_TOOL_BT_REWRITE_H
#define SDTKIT_TOOL_BT_REWRITE_H

#include "bt/objects.h"
#include "bt/walk.h"

/*
 * Returns the text, which the caller frees, or NULL after complaints.
 * Everything between words, and words that are not ours, stay as they are.
 */
char *rewrite(const struct rewriting *rewriting, const struct probe *probe);

#endif /* SDTKIT_TOOL_BT_REWRITE_H */
