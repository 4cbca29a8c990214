/* SPDX-License-Identifier: BSD-2-Clause */
/* Which file a command is. */
#ifndef SDTKIT_TOOL_COMMAND_PATH_H
#define SDTKIT_TOOL_COMMAND_PATH_H

#include <limits.h>
#include <stdbool.h>

/*
 * Searches the command as execvp(3) does. Returns false if there is none that
 * may be executed; path is undefined then.
 */
bool command_path(const char *name, char path[static PATH_MAX]);

#endif /* SDTKIT_TOOL_COMMAND_PATH_H */
