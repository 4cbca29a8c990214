/* SPDX-License-Identifier: BSD-2-Clause */
/* The processor time of the programs that are counted. */
#ifndef SDTKIT_TOOL_SERVE_USAGE_H
#define SDTKIT_TOOL_SERVE_USAGE_H

#include "serve/discover.h"

/*
 * Reads the times of all processes, and of children that they have waited for.
 * Groups that are not wanted are left out, with the processes that are in no
 * other group.
 * What a process has used between the last call and its end is missing if its
 * parent does not wait, or is of another program.
 */
void usage_read(const struct discover *discover,
		bool (*is_wanted)(const struct discover_group *group,
				  void *context), void *context);

/*
 * Reads /proc/PID/stat. Returns the text behind the name, from the state on, or
 * NULL if the process has ended.
 */
enum { USAGE_STAT = 1024 };		/* bytes, which are enough */
const char *usage_stat(pid_t pid, char *text, size_t size);

/* Nanoseconds that a group has used, which no call has returned yet. */
unsigned long long usage_take(const struct discover_group *group);

/*
 * The same of all groups of the place of a group: a process of two of them
 * counts once.
 */
unsigned long long usage_take_place(const struct discover_group *group);

/* How many processes of a group are in no earlier group of its place. */
unsigned int usage_processes(const struct discover_group *group);

/* Whether the last look was the first one that found the processes of a group. */
bool usage_is_new(const struct discover_group *group);

#endif /* SDTKIT_TOOL_SERVE_USAGE_H */
