/* SPDX-License-Identifier: BSD-2-Clause */
/* copy.h - copies a tree of small files through the server, and compares it. */
#ifndef DEMO_COPY_H
#define DEMO_COPY_H

#include <stdbool.h>
#include <stdint.h>

struct exchange;

struct copy_options {
	uint64_t files;
	uint64_t size;		/* of each */
	bool keep;		/* do not remove them */
};

/*
 * Needs a session and a tree. Returns 0 if all files were read as they were
 * written. Stops at the first failure: prints a message, returns -errno and
 * leaves the files there.
 */
int copy_tree(struct exchange *x, const struct copy_options *options);

#endif /* DEMO_COPY_H */
