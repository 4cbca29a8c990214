/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of a command line without COMMAND. */
#ifndef SDTKIT_TOOL_WORDS_H
#define SDTKIT_TOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct tracing;

/* Takes patterns and the file of a recording. False after a complaint. */
bool tracing_take_words(struct tracing *tracing, char **words, size_t count);

/* Whether this is the number of a process: no provider has a name of digits. */
bool tracing_is_number(const char *text);

/* Names the process that is called so, if there is one. */
void tracing_complain_of_name(const char *name);

#endif /* SDTKIT_TOOL_WORDS_H */
