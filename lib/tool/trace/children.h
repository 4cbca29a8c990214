/* SPDX-License-Identifier: BSD-2-Clause */
/* Children of this process that are not COMMAND's. */
#ifndef SDTKIT_TOOL_CHILDREN_H
#define SDTKIT_TOOL_CHILDREN_H

#include <stdbool.h>

/* Remembers the children that exist before COMMAND is started. */
void tracing_know_strangers(void);

/*
 * Whether no other child is left. The caller has to ask repeatedly, since a
 * single look may err.
 */
bool tracing_is_left_to_strangers(void);

#endif /* SDTKIT_TOOL_CHILDREN_H */
