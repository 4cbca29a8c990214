/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which container a process is in: what runtimes call it in the names of its
 * control groups. No runtime is asked.
 */
#ifndef SDTKIT_TOOL_SERVE_CONTAINERS_H
#define SDTKIT_TOOL_SERVE_CONTAINERS_H

#include <stdbool.h>
#include <sys/types.h>

enum { CONTAINERS_NAME = 64, CONTAINERS_POD = 40 };

struct container {
	/* The first 12 digits of its ID, or the name of a machine. "": none. */
	char name[CONTAINERS_NAME];
	char pod[CONTAINERS_POD];	/* the UID of its pod, or "" */
	/* The number of its mount namespace, which the host has not. 0: none. */
	unsigned int mounts;
};

/* Parses, and spoils, what /proc/PID/cgroup has; mounts is not set. */
void containers_parse(char *text, struct container *container);

/* Returns whether a process is in a container. */
bool containers_find(pid_t pid, struct container *container);

/* Whether both have the same names, whatever their mount namespaces are. */
bool containers_match(const struct container *a, const struct container *b);

#endif /* SDTKIT_TOOL_SERVE_CONTAINERS_H */
