/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages about words of the command line that nothing fits. */
#ifndef SDTKIT_TOOL_TOP_UNKNOWN_H
#define SDTKIT_TOOL_TOP_UNKNOWN_H

#include <stddef.h>

struct spans;

/* Says that a word is neither a span nor a probe, and which spans there are. */
void unknown_word(const char *word);

/*
 * Names the libraries of a file that have what patterns among the words name in
 * vain.
 */
void unknown_in_file(const char *file, char **words, size_t count);

/* Says which argument of --by no span has, and which there are. */
void unknown_argument(const char *by, const struct spans *spans);

#endif /* SDTKIT_TOOL_TOP_UNKNOWN_H */
