/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit list FILE, for all kinds of files. */
#ifndef SDTKIT_TOOL_LIST_FILE_H
#define SDTKIT_TOOL_LIST_FILE_H

#include <stdbool.h>

struct list;

/* Lists a program, a library, an object file, a directory or a core dump. */
void list_file(struct list *list, const char *path);

/*
 * Whether the user may have meant a probe, and not a file: "greet" and
 * "request_*" are patterns without their colon.
 */
bool list_may_be_probe(const char *word);

#endif /* SDTKIT_TOOL_LIST_FILE_H */
