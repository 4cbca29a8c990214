/* SPDX-License-Identifier: BSD-2-Clause */
/* Manifests: what probegen --emit json makes of a description. */
#ifndef SDTKIT_TOOL_MANIFEST_H
#define SDTKIT_TOOL_MANIFEST_H

#include <stdbool.h>
#include <stdio.h>

struct interface;

/*
 * Adds all probes of the manifest to the interface.  Returns false after a
 * complaint if it is not a manifest.
 */
bool manifest_read(struct interface *interface, FILE *file);

#endif /* SDTKIT_TOOL_MANIFEST_H */
