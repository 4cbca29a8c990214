/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where listed sites come from: a file, or an object that a process has mapped.
 */
#ifndef SDTKIT_TOOL_ORIGIN_H
#define SDTKIT_TOOL_ORIGIN_H

#include <stdbool.h>
#include <sys/types.h>

struct sdtkit_process;

struct list_origin {
	const char *path;
	/* Named on the command line, so a message says if it has no probes. */
	bool named;
	/* The process or core dump that it belongs to, or NULL. */
	struct sdtkit_process *process;
	/*
	 * The process ID, or 0 for a core dump; the name of the program or of
	 * the core dump.
	 */
	pid_t pid;
	const char *command;
};

#endif /* SDTKIT_TOOL_ORIGIN_H */
