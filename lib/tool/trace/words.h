/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of a command line without COMMAND. */
#ifndef SDTKIT_TOOL_WORDS_H
#define SDTKIT_TOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct tracing;

/* Takes patterns and the file of a recording. False after a complaint. */
bool tracing_take_words(struct tracing *tracing, char **words, size_t count);

#endif /* SDTKIT_TOOL_WORDS_H */
