/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Children of the tests that load the library of traced.c (test_argument), set
 * its semaphore to 3, and wait.
 */
#ifndef SDTKIT_TESTS_NOTES_CHILD_H
#define SDTKIT_TESTS_NOTES_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum child_kind {
	CHILD_PLAIN,
	/* The file is removed, or replaced by another one of the same name. */
	CHILD_DELETED,
	CHILD_REPLACED,
	/* The file is in a mount namespace of the child. */
	CHILD_HIDDEN,
	/*
	 * Loads a second copy of the library and sets its semaphore to 0x405.
	 */
	CHILD_TWICE,
};

struct child {
	pid_t pid;
	/* Its copy of the library. */
	char path[256];
	/*
	 * Address of the site in each copy that is loaded; 0 if there is none.
	 */
	uint64_t sites[2];
};

/* Returns false if this machine or this user cannot start such a child. */
bool child_start(struct child *child, enum child_kind kind);

void child_end(const struct child *child);

#endif /* SDTKIT_TESTS_NOTES_CHILD_H */
