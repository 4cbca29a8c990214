/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The standard output: in large blocks, without a format to interpret for each
 * cell of a table, in colour on a terminal.
 *
 * A write that fails is remembered: what comes behind it is dropped, and
 * out_flush() tells of it in the end.
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
 * Text from a file, which may be hostile: what could drive a terminal is
 * written as \x1b, and blanks too unless they are allowed.  Returns the number
 * of characters.
 */
size_t out_escaped(const char *text, bool blanks);
size_t out_escaped_length(const char *text, bool blanks);

/* A path: letters beyond ASCII are written as they are. */
void out_path(const char *path);

/* "0x1a", or "0"; return the number of characters. */
size_t out_hex(uint64_t value);
size_t out_hex_length(uint64_t value);

/* Decimal, at the right of width characters. */
void out_number(uint64_t value, size_t width);

/* 0, or -errno of the first write that failed. */
int out_flush(void);

/* Whether a write has failed already: no need to go on. */
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
 * "auto", the default, "always" or "never"; false for another word.  The
 * option is tool_option()'s, TOOL_COLOR.
 */
bool out_set_colour(const char *when);

/* From here on, the standard output is written so, if it is in colour. */
void out_style(enum out_style style);

/*
 * For what does not go to the standard output: whether a descriptor is to be
 * in colour, by the option, $NO_COLOR, $TERM and what it is; and what begins
 * a style, OUT_PLAIN ends it.
 */
bool out_has_colour(int fd);
const char *out_style_text(enum out_style style);

#endif /* SDTKIT_TOOL_OUT_H */
