/* SPDX-License-Identifier: BSD-2-Clause */
/* What the subcommands of sdtkit share. */
#ifndef SDTKIT_TOOL_H
#define SDTKIT_TOOL_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses, as those of grep, diff and cmp. */
enum {
	TOOL_FOUND = 0,
	TOOL_NONE = 1,
	TOOL_TROUBLE = 2,
	/* The same for commands that compare. */
	TOOL_SAME = TOOL_FOUND,
	TOOL_DIFFERENT = TOOL_NONE,
};

struct option;

/*
 * The command that runs.  Returns the name that its messages, and those of
 * getopt_long(), begin with: "sdtkit list".
 */
char *tool_begin(const char *command);

/*
 * "sdtkit list: TEXT" on stderr, with the name of the command that runs, so
 * TEXT does not repeat it.  It comes after what was written to the output so
 * far, so that the two are in order on a terminal.
 */
__attribute__((format(printf, 1, 2)))
void tool_complain(const char *format, ...);

/* "s" behind the name of what there are so many of, but for one. */
static inline const char *tool_plural(unsigned long long count)
{
	return count == 1 ? "" : "s";
}

/* Prints what --version prints; returns the exit status. */
int tool_version(void);

/*
 * getopt_long() for a subcommand.  letters and options must have h and V, and
 * options may have TOOL_OPTION_COLOR and TOOL_OPTION_WIDTH: it does what these
 * ask for itself.  Returns -1 at the end, TOOL_HELPED if it has printed what
 * was asked for, TOOL_MISUSED if it has complained; then the command ends, with
 * tool_option_status().
 */
enum { TOOL_HELPED = 0x100, TOOL_MISUSED, TOOL_COLOR, TOOL_WIDTH };
#define TOOL_OPTION_COLOR { "color", required_argument, NULL, TOOL_COLOR }
#define TOOL_OPTION_WIDTH { "width", required_argument, NULL, TOOL_WIDTH }
int tool_option(int argc, char **argv, const char *letters,
		const struct option *options, const char *help);
int tool_option_status(int option);

/*
 * Room for one more item of an array that doubles when it is full.  There is
 * no failure: without memory the program ends, with TOOL_TROUBLE.
 */
void *tool_grow(void *array, size_t count, size_t *room, size_t item_size);

/* Ends the program as above; for <obstack.h>, too. */
void tool_no_memory(void) __attribute__((noreturn));

#endif /* SDTKIT_TOOL_H */
