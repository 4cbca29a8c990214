/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that have become idle leave the maps of the kernel. */
#ifndef SDTKIT_TOOL_TOP_TURN_H
#define SDTKIT_TOOL_TOP_TURN_H

#include <stdbool.h>

#include "top/engine.h"

/* Whether a map has so many entries that it is to be replaced. */
bool turn_is_due(const struct engine *engine);

/*
 * If it is due, and engine->turns, the programs in the kernel count in new maps
 * from now on. Returns the old map of rows, which no program uses any more: to
 * be read a last time and closed. Else returns -1.
 */
int turn(struct engine *engine);

/* Sets a text by its hash; returns false if it is not kept. */
bool turn_text(const struct engine *engine, unsigned long long hash,
	       struct top_text *text);

#endif /* SDTKIT_TOOL_TOP_TURN_H */
