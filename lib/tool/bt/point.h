/* SPDX-License-Identifier: BSD-2-Clause */
/* The probes that a clause is for. */
#ifndef SDTKIT_TOOL_BT_POINT_H
#define SDTKIT_TOOL_BT_POINT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/text/pattern.h"

struct source;

struct point {
	/* Where it is in the text. */
	size_t start;
	size_t length;
	/* One that only bpftrace has to understand: BEGIN, kprobe:f. */
	bool is_own;
	/* For others: which probes, and of which file; NULL: any. */
	struct sdtkit_pattern pattern;
	char *path;
};

/*
 * Reads a probe as the user writes it, and moves *at behind it. Returns false
 * after a complaint.
 */
bool point_read(struct source *source, struct point *point, size_t *at);

#endif /* SDTKIT_TOOL_BT_POINT_H */
