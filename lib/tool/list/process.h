/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit list -p PID, -a and core dumps. */
#ifndef SDTKIT_TOOL_LIST_PROCESS_H
#define SDTKIT_TOOL_LIST_PROCESS_H

struct list;

void list_core(struct list *list, const char *path);
void list_process(struct list *list, const char *pid);
void list_all_processes(struct list *list);

#endif /* SDTKIT_TOOL_LIST_PROCESS_H */
