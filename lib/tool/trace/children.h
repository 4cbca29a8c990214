/* SPDX-License-Identifier: BSD-2-Clause */
/* Children of this process that are not COMMAND's. */
#ifndef SDTKIT_TOOL_CHILDREN_H
#define SDTKIT_TOOL_CHILDREN_H

#include <stdbool.h>

/* Notes the children that are there before COMMAND is. */
void tracing_know_strangers(void);

/* No other child is left: to be asked again and again, as one look may err. */
bool tracing_is_left_to_strangers(void);

#endif /* SDTKIT_TOOL_CHILDREN_H */
