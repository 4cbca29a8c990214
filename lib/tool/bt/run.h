/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds out the version of bpftrace, and becomes it. */
#ifndef SDTKIT_TOOL_BT_RUN_H
#define SDTKIT_TOOL_BT_RUN_H

#include <stdbool.h>

#include "bt/value.h"

enum {
	/* As a shell says it of a command that cannot be run. */
	BT_NOT_FOUND = 127,
	BT_NOT_RUN = 126,
};

/*
 * Asks bpftrace, or $BPFTRACE, for its version. Returns 0 or, if complain is
 * true after a complaint, the exit status.
 */
int run_read_version(struct dialect *dialect, bool complain);

/* Reads "0.17" or "v0.27.1"; returns false if the text is something else. */
bool run_parse_version(const char *text, struct dialect *dialect);

/*
 * Executes bpftrace with the script and further arguments, which end in NULL.
 * Returns the exit status if that fails, after a complaint.
 */
int run_bpftrace(const struct dialect *dialect, const char *script,
		 size_t probes, char **arguments);

#endif /* SDTKIT_TOOL_BT_RUN_H */
