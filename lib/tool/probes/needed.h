/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The libraries that a program loads, and their probes: many servers have all
 * of their probes in libraries of their own.
 */
#ifndef SDTKIT_TOOL_NEEDED_H
#define SDTKIT_TOOL_NEEDED_H

#include <stdbool.h>

struct sdtkit_notes;

/*
 * Says which libraries of a program have probes that match, in a text to be
 * freed: "libraries that it loads: /lib/libserver.so (12 probes)", and what to
 * type, which begins with the command, "sdtkit list". Without a pattern, NULL,
 * all probes match but those of the C and C++ runtime, which all programs have.
 * Returns whether there are any; if not, the text says "the libraries that it
 * loads have none".
 */
bool needed_text(struct sdtkit_notes *notes, const char *path,
		 const char *command, const char *pattern, char **text);

/* Whether a provider is of the C or C++ runtime. */
bool needed_is_basic(const char *provider);

#endif /* SDTKIT_TOOL_NEEDED_H */
