/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A piece of text that is consumed from its left.  The parsers of operands are
 * made of these functions.  A function that does not find what it is asked for
 * returns false (or NULL) and consumes nothing.
 */
#ifndef SDTKIT_DECODE_CURSOR_PRIV_H
#define SDTKIT_DECODE_CURSOR_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct sdtkit_cursor {
	const char *at;
	const char *end;
};

/*
 * Takes exactly this word, and blanks behind it.  Inline, since nearly all
 * words are one character that is known where it is called.
 */
static inline bool sdtkit_cursor_accept(struct sdtkit_cursor *text,
					const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(text->end - text->at) < length ||
	    memcmp(text->at, word, length) != 0)
		return false;
	text->at += length;
	while (text->at < text->end && *text->at == ' ')
		text->at++;
	return true;
}

/*
 * Takes a sum of numbers, decimal or 0x: "16", "-8+4+12".  Each term is one
 * that fits 64 bits, signed or not; the sum is modulo 2^64.
 */
bool sdtkit_cursor_number(struct sdtkit_cursor *text, int64_t *value);

/* Takes letters and digits, as many as there are. */
bool sdtkit_cursor_word(struct sdtkit_cursor *text, struct sdtkit_cursor *word);

#endif /* SDTKIT_DECODE_CURSOR_PRIV_H */
