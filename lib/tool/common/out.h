/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Standard output: written in large blocks, without interpreting a format for
 * each cell of a table, and in colour on a terminal.
 *
 * After a write has failed, further output is dropped, and out_flush() returns
 * the error.
 */
#ifndef SDTKIT_TOOL_OUT_H
#define SDTKIT_TOOL_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void out_bytes(const char *data, size_t size);
void out_text(const char *text);
void out_char(char c);
void out_blanks(size_t count);

/* For what is printed once: headings, messages. */
__attribute__((format(printf, 1, 2)))
void out_format(const char *format, ...);

/*
 * Prints text from a file, which may be hostile: characters that could drive a
 * terminal are written as \x1b, and blanks too unless they are allowed. Returns
 * the number of characters.
 */
size_t out_escaped(const char *text, bool blanks);
size_t out_escaped_length(const char *text, bool blanks);

/* Prints a path; letters beyond ASCII are written as they are. */
void out_path(const char *path);

/* Prints "0x1a", or "0"; returns the number of characters. */
size_t out_hex(uint64_t value);
size_t out_hex_length(uint64_t value);

/* Prints a decimal number, right-aligned in width characters. */
void out_number(uint64_t value, size_t width);

/*
 * The standard output is a file of --output. It is emptied when the first bytes
 * are written to it, or by out_begin(): if the command fails before, the file
 * stays as it was.
 */
void out_to_file(void);
void out_begin(void);

/* Writes what is left. Returns 0, or -errno of the first write that failed. */
int out_flush(void);

/* Whether a write has failed already, so that there is no need to go on. */
bool out_failed(void);

enum out_style {
	OUT_PLAIN,
	OUT_HEADING,
	OUT_NAME,
	OUT_TRACED,
	OUT_ERROR,
	OUT_WARNING,
	OUT_GOOD,
};

/*
 * Sets the value of --color: "auto", the default, "always" or "never". Returns
 * false for another word.
 */
bool out_set_colour(const char *when);

/* Begins a style, if standard output is in colour. */
void out_style(enum out_style style);

/*
 * For other files: whether a file descriptor is to be in colour, according to
 * --color, $NO_COLOR, $TERM and what it is; and the text that begins a style.
 * OUT_PLAIN ends it.
 */
bool out_has_colour(int fd);
const char *out_style_text(enum out_style style);

#endif /* SDTKIT_TOOL_OUT_H */
