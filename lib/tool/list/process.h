/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit list -p PID, -n NAME, -a and core dumps. */
#ifndef SDTKIT_TOOL_LIST_PROCESS_H
#define SDTKIT_TOOL_LIST_PROCESS_H

#include <sys/types.h>

struct list;

void list_core(struct list *list, const char *path);
void list_process(struct list *list, pid_t pid);
void list_all_processes(struct list *list);

#endif /* SDTKIT_TOOL_LIST_PROCESS_H */
