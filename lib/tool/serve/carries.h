/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a file has spans, its own or those of a description. */
#ifndef SDTKIT_TOOL_SERVE_CARRIES_H
#define SDTKIT_TOOL_SERVE_CARRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/once.h"

struct interface;

enum { CARRIES_DESCRIPTIONS = 64 };

/* Descriptions in the order in which they count. */
struct carries {
	struct interface *description;
	size_t count;
	struct once *once;
};

/* Adds a description or a manifest. Returns false after a complaint. */
bool carries_add(struct carries *carries, const char *path);

/*
 * Adds the manifests of a directory, "postgresql.json", but not those of the C
 * and C++ runtime: all programs have their probes. A manifest that cannot be
 * read is left out after a complaint.
 */
void carries_add_all(struct carries *carries, const char *directory);

/*
 * Whether the file has spans of its own, or some of the descriptions fit; the
 * bits of fitting are their numbers. What is wrong with a file that has probes
 * is said once. The name is for messages.
 */
bool carries_spans(const struct carries *carries, int fd, const char *name,
		   uint64_t *fitting);

void carries_free(struct carries *carries);

#endif /* SDTKIT_TOOL_SERVE_CARRIES_H */
