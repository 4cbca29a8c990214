/* SPDX-License-Identifier: BSD-2-Clause */
/* What a listing is of: a file, or an object that a process has mapped. */
#ifndef SDTKIT_TOOL_ORIGIN_H
#define SDTKIT_TOOL_ORIGIN_H

#include <stdbool.h>
#include <sys/types.h>

struct sdtkit_process;

struct list_origin {
	const char *path;
	/* Named on the command line: no probes is worth a word. */
	bool named;
	/* Of a process or a core dump, else NULL. */
	struct sdtkit_process *process;
	/* The process, 0 for a core dump; its name, or that of the dump. */
	pid_t pid;
	const char *command;
};

#endif /* SDTKIT_TOOL_ORIGIN_H */
