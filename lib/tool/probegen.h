/* SPDX-License-Identifier: BSD-2-Clause */
/* Running probegen, which is a program of its own. */
#ifndef SDTKIT_TOOL_PROBEGEN_H
#define SDTKIT_TOOL_PROBEGEN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * Becomes probegen with these arguments; argv[0] is replaced.  Returns, with
 * TOOL_TROUBLE and a complaint, only if it cannot be run.
 */
int probegen_become(char **argv);

/* probegen at work on a description. */
struct probegen {
	const char *path;
	pid_t pid;
	/* The manifest comes out here, docs/manifest.md. */
	FILE *output;
};

/*
 * Starts it; to be finished then, with false if it failed.  What is wrong with
 * the description it says itself; other failures are complained of here.
 */
bool probegen_start(struct probegen *run, const char *path);
bool probegen_finish(struct probegen *run);

#endif /* SDTKIT_TOOL_PROBEGEN_H */
