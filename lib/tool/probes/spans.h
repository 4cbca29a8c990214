/* SPDX-License-Identifier: BSD-2-Clause */
/* The spans of a manifest. */
#ifndef SDTKIT_TOOL_SPANS_H
#define SDTKIT_TOOL_SPANS_H

#include <jansson.h>
#include <stdbool.h>

struct interface;

/*
 * Adds the spans of a list, which may be NULL: older manifests have none. They
 * belong to this provider, whose name has to remain. Returns false after a
 * complaint.
 */
bool spans_read(struct interface *interface, json_t *spans,
		const char *provider);

#endif /* SDTKIT_TOOL_SPANS_H */
