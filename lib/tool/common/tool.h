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

/*
 * Room for one more item of an array that doubles when it is full.  There is
 * no failure: without memory the program ends, with TOOL_TROUBLE.
 */
void *tool_grow(void *array, size_t count, size_t *room, size_t item_size);

/* Ends the program as above; for <obstack.h>, too. */
void tool_no_memory(void) __attribute__((noreturn));

#endif /* SDTKIT_TOOL_H */
