/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-out.h - the writer under all functions that make text.
 *
 * Text is made of pieces that must not be cut, as a character or a number. For
 * a buffer of 8 bytes and the pieces of "grüße" and "!!!!":
 *
 *	g r ü(2) ß(2) e		fits, 7 bytes and the zero: "grüße"
 *	+ !			does not fit: the writer goes back to mark,
 *				where there is space for "...": "grü..."
 *
 * Invariants
 * 1. start <= mark <= at <= end; end is the last byte of the buffer, where the
 *    zero byte still fits.
 * 2. mark is between two pieces, and three bytes before end at the latest,
 *    unless the whole buffer is shorter.
 * 3. Nothing calls libc: loops that copy or search are written such that the
 *    compiler does not turn them into calls (SDTKIT_ARG_OPAQUE).
 */
#ifndef SDTKIT_ARG_OUT_H
#define SDTKIT_ARG_OUT_H

#include <stddef.h>
#include <stdint.h>

#include <sdtkit/arg-call.h>

/* Hides i from the optimiser. */
#if defined(__GNUC__)
#define SDTKIT_ARG_OPAQUE(i)	__asm__("" : "+r" (i))
#else
#define SDTKIT_ARG_OPAQUE(i)	((void)(i))
#endif

enum {
	SDTKIT_ARG_DOTS = 3,
	/* The bytes of the longest piece, except numbers and names. */
	SDTKIT_ARG_LONGEST = 4,
	SDTKIT_ARG_RESERVE = SDTKIT_ARG_LONGEST + SDTKIT_ARG_DOTS,
};

struct sdtkit_out {
	char *at;		/* where the next piece goes */
	char *mark;		/* where the dots go if a piece does not fit */
	char *end;
	int full;		/* a piece did not fit */
};

SDTKIT_ARG_LOCAL void sdtkit_out_open(struct sdtkit_out *out, char *to,
				      size_t size)
{
	out->at = to;
	out->mark = to;
	out->end = size ? to + size - 1 : to;
	out->full = size == 0;
}

/* Adds a piece of n bytes, all or nothing. */
SDTKIT_ARG_LOCAL void sdtkit_out_put(struct sdtkit_out *out, const char *piece,
				     size_t n)
{
	size_t i;

	if (out->full || n > (size_t)(out->end - out->at)) {
		out->full = 1;
		return;
	}
	for (i = 0; i < n; i++) {
		out->at[i] = piece[i];
		SDTKIT_ARG_OPAQUE(i);
	}
	out->at += n;
	if (out->end - out->at >= SDTKIT_ARG_DOTS)
		out->mark = out->at;
}

SDTKIT_ARG_LOCAL void sdtkit_out_char(struct sdtkit_out *out, char c)
{
	if (out->full || out->at == out->end) {
		out->full = 1;
		return;
	}
	*out->at++ = c;
	if (out->end - out->at >= SDTKIT_ARG_DOTS)
		out->mark = out->at;
}

/*
 * Returns how far pieces of up to SDTKIT_ARG_LONGEST bytes can be written
 * without checking for space: behind them there is still space for the dots.
 */
SDTKIT_ARG_LOCAL char *sdtkit_out_limit(const struct sdtkit_out *out)
{
	if (out->end - out->at < SDTKIT_ARG_RESERVE)
		return out->at;
	return out->end - SDTKIT_ARG_RESERVE;
}

/* Takes note of such pieces, which were written up to at. */
SDTKIT_ARG_LOCAL void sdtkit_out_moved(struct sdtkit_out *out, char *at)
{
	if (at != out->at) {
		out->at = at;
		out->mark = at;
	}
}

/* Adds text that ends in a zero byte, of which any part may be cut off. */
SDTKIT_ARG_LOCAL void sdtkit_out_string(struct sdtkit_out *out,
					const char *text)
{
	while (*text && !out->full) {
		sdtkit_out_char(out, *text++);
		SDTKIT_ARG_OPAQUE(text);
	}
}

/* Ends the text; a buffer of size 0 is not touched. */
SDTKIT_ARG_LOCAL const char *sdtkit_out_close(struct sdtkit_out *out, char *to,
					      size_t size)
{
	int i;

	if (size == 0)
		return "";
	if (out->full) {
		out->at = out->mark;
		for (i = 0; i < SDTKIT_ARG_DOTS && out->at < out->end; i++) {
			*out->at++ = '.';
			SDTKIT_ARG_OPAQUE(i);
		}
	}
	*out->at = '\0';
	return to;
}

SDTKIT_ARG_LOCAL char sdtkit_hex_digit(unsigned int value)
{
	return (char)(value < 10 ? '0' + value : 'a' + value - 10);
}

/* Adds the lowest digits of value in hexadecimal, as one piece. */
SDTKIT_ARG_LOCAL void sdtkit_out_hex(struct sdtkit_out *out, uint64_t value,
				     int digits)
{
	char piece[16];
	int i;

	for (i = digits - 1; i >= 0; i--) {
		piece[i] = sdtkit_hex_digit(value & 15);
		value >>= 4;
	}
	sdtkit_out_put(out, piece, (size_t)digits);
}

/* Adds "0x" and value without leading zeros, at least one digit. */
SDTKIT_ARG_LOCAL void sdtkit_out_0x(struct sdtkit_out *out, uint64_t value)
{
	int digits = 1;

	while (digits < 16 && value >> (4 * digits))
		digits++;
	sdtkit_out_put(out, "0x", 2);
	sdtkit_out_hex(out, value, digits);
}

SDTKIT_ARG_LOCAL void sdtkit_out_decimal(struct sdtkit_out *out,
					 uint32_t value)
{
	char piece[10];
	size_t first = sizeof(piece);

	do {
		piece[--first] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	sdtkit_out_put(out, piece + first, sizeof(piece) - first);
}

/*
 * Adds a byte that is not text, or a control character, as one piece: \x00. A
 * backslash is added as it is, because paths are full of them.
 */
SDTKIT_ARG_LOCAL void sdtkit_out_escape(struct sdtkit_out *out,
					unsigned char byte)
{
	char piece[4] = { '\\', 'x', 0, 0 };

	piece[2] = sdtkit_hex_digit(byte >> 4);
	piece[3] = sdtkit_hex_digit(byte & 15);
	sdtkit_out_put(out, piece, sizeof(piece));
}

/*
 * Defines sdtkit_arg_NAME_to(), which opens the writer, calls write() to fill
 * it and closes it; and sdtkit_arg_NAME_pushed(), whose inputs are words.
 * params, inputs and words are written in parentheses.
 */
#define SDTKIT_ARG_DEFINE_TEXT(name, write, params, inputs, words)	\
	SDTKIT_ARG_DEFINE const char *sdtkit_arg_##name##_to(		\
		char *to, size_t size, SDTKIT_ARG_LIST params)		\
	{								\
		struct sdtkit_out out;					\
									\
		sdtkit_out_open(&out, to, size);			\
		write(&out, SDTKIT_ARG_LIST inputs);			\
		return sdtkit_out_close(&out, to, size);		\
	}								\
	SDTKIT_ARG_PLAIN(sdtkit_arg_##name##_to)			\
	SDTKIT_ARG_DEFINE_PUSHED(sdtkit_arg_##name##_pushed,		\
				 sdtkit_arg_##name##_to, words)
#ifdef SDTKIT_OUT_PUSHED
#define SDTKIT_ARG_DEFINE_PUSHED(pushed, write_to, words)		\
	SDTKIT_ARG_DEFINE void pushed(struct sdtkit_pushed in)		\
	{								\
		SDTKIT_OUT_FRAME(3);					\
		write_to(in.to, sizeof(struct sdtkit_text),		\
			 SDTKIT_ARG_LIST words);			\
	}
#else
#define SDTKIT_ARG_DEFINE_PUSHED(pushed, write_to, words)
#endif
#define SDTKIT_ARG_COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Makes an input that is a word a pointer. */
#define SDTKIT_ARG_POINTER(word)	((const void *)(word))

#endif /* SDTKIT_ARG_OUT_H */
