/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit list DIRECTORY. */
#ifndef SDTKIT_TOOL_LIST_DIRECTORY_H
#define SDTKIT_TOOL_LIST_DIRECTORY_H

struct list;

void list_directory(struct list *list, const char *path);

#endif /* SDTKIT_TOOL_LIST_DIRECTORY_H */
