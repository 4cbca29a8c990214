/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit list FILE, whatever the file is. */
#ifndef SDTKIT_TOOL_LIST_FILE_H
#define SDTKIT_TOOL_LIST_FILE_H

#include <stdbool.h>

struct list;

/* A program, a library, an object file, a directory or a core dump. */
void list_file(struct list *list, const char *path);

/*
 * Whether somebody may have meant a probe by the name of a file: "greet" and
 * "request_*" are patterns without their colon.
 */
bool list_may_be_probe(const char *word);

#endif /* SDTKIT_TOOL_LIST_FILE_H */
