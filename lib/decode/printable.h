/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds characters that are safe for a terminal. */
#ifndef SDTKIT_DECODE_PRINTABLE_PRIV_H
#define SDTKIT_DECODE_PRINTABLE_PRIV_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns how many bytes the character at the beginning of the text has; 0 if
 * it is a control character, ends a line, turns the direction of writing, is
 * not UTF-8, or the text is at its end.
 */
size_t sdtkit_printable(const char *text);

/*
 * Whether all of it is such characters, tabs, and ends of lines. The last
 * character of a text that was cut need not be whole.
 */
bool sdtkit_is_text(const char *text, bool is_cut);

#endif /* SDTKIT_DECODE_PRINTABLE_PRIV_H */
