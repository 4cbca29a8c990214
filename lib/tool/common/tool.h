/* SPDX-License-Identifier: BSD-2-Clause */
/* What the subcommands of sdtkit share. */
#ifndef SDTKIT_TOOL_H
#define SDTKIT_TOOL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Exit statuses, like those of grep, diff and cmp. */
enum {
	TOOL_FOUND = 0,
	TOOL_NONE = 1,
	TOOL_TROUBLE = 2,
	/* The same for commands that compare. */
	TOOL_SAME = TOOL_FOUND,
	TOOL_DIFFERENT = TOOL_NONE,
};

/*
 * Sets the command that runs. Returns what its messages, and those of
 * getopt_long(), begin with: "sdtkit list".
 */
char *tool_begin(const char *command);

/*
 * Prints "sdtkit list: TEXT" to standard error. The name of the command is put
 * before TEXT, so do not repeat it there. Output so far is written first, so
 * that both are in order on a terminal.
 */
__attribute__((format(printf, 1, 2)))
void tool_complain(const char *format, ...);

/* Returns "s", or "" if the count is 1: "%zu site%s". */
static inline const char *tool_plural(unsigned long long count)
{
	return count == 1 ? "" : "s";
}

/*
 * Makes sure that the array can hold one more item than count: when it is full,
 * its size is doubled. This cannot fail: without memory the program ends, with
 * TOOL_TROUBLE.
 */
#define TOOL_GROW(array, count, capacity)				\
	tool_grow(&(array), count, &(capacity), sizeof((array)[0]))
void tool_grow(void *array, size_t count, size_t *capacity, size_t item_size);

/* Returns that many items of zeros; 0 of them are not NULL. Likewise. */
void *tool_zeros(size_t count, size_t item_size);

/* Return a text that the caller frees, likewise. */
__attribute__((format(printf, 1, 2)))
char *tool_format(const char *format, ...);
__attribute__((format(printf, 1, 0)))
char *tool_vformat(const char *format, va_list ap);

/*
 * Opens a file for a text in memory: *text is that when the file is closed. The
 * caller frees it. Likewise.
 */
FILE *tool_open_text(char **text);
void tool_close_text(FILE *file);

/*
 * Opens the file of --output in the place of the standard output: see
 * out_to_file().
 */
bool tool_set_output(const char *path);

/*
 * Returns false, after a complaint, if there is a program or a description: it
 * is what the command reads, or an option was misplaced.
 */
bool tool_may_replace(const char *path);

/* Ends the program for lack of memory; for <obstack.h>, too. */
void tool_no_memory(void) __attribute__((noreturn));

#endif /* SDTKIT_TOOL_H */
