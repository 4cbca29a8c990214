/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that were installed or built together with this program. */
#ifndef SDTKIT_TOOL_BESIDE_H
#define SDTKIT_TOOL_BESIDE_H

#include <limits.h>
#include <stdbool.h>

/*
 * Finds the real path of a file whose name is absolute or relative to the
 * directory of this program, as in "../share/sdtkit/schema/list.schema.json".
 * Returns false if there is no such file; path is undefined then.
 */
bool beside_path(const char *name, char path[static PATH_MAX]);

#endif /* SDTKIT_TOOL_BESIDE_H */
