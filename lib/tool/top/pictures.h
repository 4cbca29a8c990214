/* SPDX-License-Identifier: BSD-2-Clause */
/* The pictures that the command line asks for: flame.h, map.h. */
#ifndef SDTKIT_TOOL_TOP_PICTURES_H
#define SDTKIT_TOOL_TOP_PICTURES_H

#include <stdbool.h>

#include "lib/uprobe/find.h"
#include "top/engine.h"
#include "top/options.h"
#include "top/plan.h"

/* Whether the files can be written, before anything is traced for them. */
bool pictures_check(const struct options *options);

/*
 * Begins those that are wanted. All arguments have to remain; sample_ns is the
 * time from one call of map_add() to the next.
 */
void pictures_begin(const struct options *options, const struct engine *engine,
		    const struct plan *plan, const struct found *found,
		    unsigned long long sample_ns);

/* Writes them; returns false after a complaint. */
bool pictures_write(const struct options *options, const struct engine *engine);

#endif /* SDTKIT_TOOL_TOP_PICTURES_H */
