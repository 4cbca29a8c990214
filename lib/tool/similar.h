/* SPDX-License-Identifier: BSD-2-Clause */
/* Guessing what something was renamed to. */
#ifndef SDTKIT_TOOL_SIMILAR_H
#define SDTKIT_TOOL_SIMILAR_H

#include <stdbool.h>

/*
 * How much of two names is the same, in percent: 100 for the same name, and 0
 * for names that nobody would take for one another.
 */
unsigned int sdtkit_similar_names(const char *a, const char *b);

/* From this on, it is worth asking. */
enum { SIMILAR_ENOUGH = 60 };

#endif /* SDTKIT_TOOL_SIMILAR_H */
