/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Children of the tests that load the library of traced.c, set its semaphore
 * to 3, and wait.
 */
#ifndef SDTKIT_TESTS_NOTES_CHILD_H
#define SDTKIT_TESTS_NOTES_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* To be set before anything else. */
extern const char *child_library;

enum child_kind {
	CHILD_PLAIN,
	/* The file is removed, or another one gets its name. */
	CHILD_DELETED,
	CHILD_REPLACED,
	/* The file is in a mount namespace. */
	CHILD_HIDDEN,
	/* Loads it once more, and sets that semaphore to 0x405. */
	CHILD_TWICE,
};

struct child {
	pid_t pid;
	/* Its copy of the library. */
	char path[256];
	/* Address of the site in each copy in memory; 0: there is none. */
	uint64_t sites[2];
};

/* False if this machine, or we, cannot do that. */
bool child_start(struct child *child, enum child_kind kind);

void child_end(const struct child *child);

#endif /* SDTKIT_TESTS_NOTES_CHILD_H */
