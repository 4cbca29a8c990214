/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether COMMAND can be traced, as far as its file tells. */
#ifndef SDTKIT_TOOL_EXECUTABLE_H
#define SDTKIT_TOOL_EXECUTABLE_H

#include <stdbool.h>

struct tracing;

/*
 * Checks whether the loader will put a library into the command, and whether the
 * filters fit a probe of its file, if any probe there is wanted. Returns 0, or
 * the exit status after a complaint. A command that does not exist passes:
 * executing it will fail.
 */
int tracing_check_command(const struct tracing *tracing);

/* Whether it was built with -fsanitize=address, as far as its file tells. */
bool tracing_has_asan(const char *name);

#endif /* SDTKIT_TOOL_EXECUTABLE_H */
