/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A piece of text that is consumed from its left: what the operand parsers of
 * all architectures are made of.  A function that does not find what it is
 * asked for returns false (or NULL) and consumes nothing.
 */
#ifndef SDTKIT_NOTES_TEXT_PRIV_H
#define SDTKIT_NOTES_TEXT_PRIV_H

#include <stdbool.h>
#include <stdint.h>

struct sdtkit_arch;
struct sdtkit_register;

struct sdtkit_text {
	const char *at;
	const char *end;
};

/* Takes exactly this word, and blanks behind it. */
bool sdtkit_text_accept(struct sdtkit_text *text, const char *word);

/*
 * Takes a sum of numbers, decimal or 0x: "16", "-8+4+12".  Each term is one
 * that fits 64 bits, signed or not; the sum is modulo 2^64.
 */
bool sdtkit_text_number(struct sdtkit_text *text, int64_t *value);

/* Takes a word that names a register of the architecture. */
const struct sdtkit_register *
sdtkit_text_register(struct sdtkit_text *text, const struct sdtkit_arch *arch);

#endif /* SDTKIT_NOTES_TEXT_PRIV_H */
