/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of a command line but COMMAND. */
#ifndef SDTKIT_TOOL_WORDS_H
#define SDTKIT_TOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct tracing;

/*
 * Reads --description=FILE, which only the kernel's hits can be described by, and
 * so chooses the kernel. False after a complaint.
 */
bool tracing_add_description(struct tracing *tracing, const char *path);

/*
 * Takes patterns, which may have filters, into tracing->patterns and with their
 * filters into tracing->asked. False after a complaint.
 */
bool tracing_take_patterns(struct tracing *tracing, char **words, size_t count);

/*
 * If there is no COMMAND: takes patterns and the file of a recording. False after
 * a complaint.
 */
bool tracing_take_words(struct tracing *tracing, char **words, size_t count);

/* Whether a word is a pattern, which may have a filter: not a path. */
bool tracing_is_pattern(const char *word);

/*
 * Whether COMMAND may be one. If it is a pattern or a process ID, and no program
 * is called so, complains with the command line that was meant.
 */
bool tracing_is_command(char **patterns, size_t count, char **command);

/*
 * Whether a message about a filter tells more than another one: a name that is
 * nearly right tells more than an argument that a probe does not have.
 */
bool tracing_tells_more(const char *message, const char *than);

#endif /* SDTKIT_TOOL_WORDS_H */
