/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs probegen, which is a program of its own. */
#ifndef SDTKIT_TOOL_PROBEGEN_H
#define SDTKIT_TOOL_PROBEGEN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * Executes probegen with these arguments; argv[0] is replaced. Returns, with
 * TOOL_TROUBLE after a complaint, only if that fails.
 */
int probegen_become(char **argv);

/*
 * Options of probegen for a description that has to be preprocessed, as they
 * were given here: -C, -Iinclude, -DX=1.
 */
struct probegen_flags {
	char **flag;
	size_t count;
	size_t capacity;
};

/* The letters for tool_option(); its value may be NULL. */
#define PROBEGEN_LETTERS	"CI:D:U:"
void probegen_add_flag(struct probegen_flags *flags, int letter,
		       const char *value);
void probegen_free_flags(struct probegen_flags *flags);

/* A run of probegen. */
struct probegen {
	const char *path;
	pid_t pid;
	/* Its output, the manifest: docs/manifest.md. */
	FILE *output;
};

/*
 * Starts probegen, and waits for its end. Returns false if it failed: probegen
 * itself reports errors in the description, other failures are reported here.
 */
bool probegen_start(struct probegen *run, const char *path,
		    const struct probegen_flags *flags);
bool probegen_finish(struct probegen *run);

#endif /* SDTKIT_TOOL_PROBEGEN_H */
