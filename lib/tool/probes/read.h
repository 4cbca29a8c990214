/* SPDX-License-Identifier: BSD-2-Clause */
/* Where interfaces come from: binaries, manifests and descriptions. */
#ifndef SDTKIT_TOOL_READ_H
#define SDTKIT_TOOL_READ_H

#include <stdbool.h>

struct interface;
struct probegen_flags;

/*
 * Reads a binary, a manifest or a description; its first bytes tell which. The
 * flags are for descriptions. Returns false after a complaint.
 */
bool interface_open(struct interface *interface, const char *path,
		    const struct probegen_flags *flags);

/* The same, but refuses a binary, on behalf of --option. */
bool interface_open_description(struct interface *interface, const char *path,
				const char *option,
				const struct probegen_flags *flags);

#endif /* SDTKIT_TOOL_READ_H */
