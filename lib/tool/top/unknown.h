/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages about words of the command line that nothing fits. */
#ifndef SDTKIT_TOOL_TOP_UNKNOWN_H
#define SDTKIT_TOOL_TOP_UNKNOWN_H

struct spans;

/* Says that a word is neither a span nor a probe, and which spans there are. */
void unknown_word(const char *word);

/* Says that no span has the argument of --by, and which there are. */
void unknown_argument(const char *name, const struct spans *spans);

#endif /* SDTKIT_TOOL_TOP_UNKNOWN_H */
