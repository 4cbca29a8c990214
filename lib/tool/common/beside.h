/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that were installed, or built, together with this program. */
#ifndef SDTKIT_TOOL_BESIDE_H
#define SDTKIT_TOOL_BESIDE_H

#include <limits.h>
#include <stdbool.h>

/*
 * The path of a file that is named from the directory of this program, as in
 * "../share/sdtkit/schema/list.schema.json", or absolutely. Returns false, and
 * leaves path undefined, if there is no such file.
 */
bool beside_path(const char *name, char path[static PATH_MAX]);

#endif /* SDTKIT_TOOL_BESIDE_H */
