/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether recorders count for sdtkit top: counters.h. */
#ifndef SDTKIT_TOOL_TOP_COUNTED_H
#define SDTKIT_TOOL_TOP_COUNTED_H

#include "lib/uprobe/find.h"
#include "top/engine.h"
#include "top/options.h"
#include "top/plan.h"

enum counted {
	COUNTED_NOT,			/* it is for the kernel */
	COUNTED,			/* the engine has a source */
	COUNTED_FAILED,			/* after a complaint */
};

/*
 * Makes an engine of what recorders count, as --via says. If that says nothing,
 * they do for a process (-p) whose children have one, too, if they leave out
 * nothing that was asked for; and where the kernel may not be asked.
 */
enum counted counted_begin(struct engine *engine, const struct plan *plan,
			   const struct found *found,
			   const struct options *options);

/* Tells what was lost of all spans. Nothing is read any more. */
void counted_end(const struct plan *plan);

#endif /* SDTKIT_TOOL_TOP_COUNTED_H */
