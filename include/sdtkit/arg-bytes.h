/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-bytes.h - counted strings, blobs and UTF-16 as text.
 *
 * Part of libsdtkit, or of a file that has SDTKIT_ARG_INLINE; sdtkit/arg.h
 * describes the texts. One input in UTF-16, a smiley between two letters:
 * 41 00 3d d8 00 de 42 00.
 */
#ifndef SDTKIT_ARG_BYTES_H
#define SDTKIT_ARG_BYTES_H

#include <sdtkit/arg-declare.h>

SDTKIT_ARG_BEGIN

/*
 * A counted string of length bytes: UTF-8 is kept; other bytes and control
 * characters, also zero bytes, are written as \xNN.
 */
SDTKIT_ARG_TEXT(counted, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_counted(data, length)				\
	(sdtkit_arg_counted_here(data, length).text)

/* Bytes, one character for each: a byte that is not printable ASCII is '.'. */
SDTKIT_ARG_TEXT(printable, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_printable(data, length)				\
	(sdtkit_arg_printable_here(data, length).text)

/* Bytes as hexadecimal digits, two for each, nothing between: "00ff7a". */
SDTKIT_ARG_TEXT(hex, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_hex(data, length)					\
	(sdtkit_arg_hex_here(data, length).text)

/*
 * UTF-16 in little endian byte order, of length bytes, as UTF-8. Unpaired
 * surrogates and half a unit at the end become U+FFFD; control characters are
 * written as in a counted string.
 */
SDTKIT_ARG_TEXT(utf16, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_utf16(data, length)					\
	(sdtkit_arg_utf16_here(data, length).text)

SDTKIT_ARG_END

#ifdef SDTKIT_ARG_DEFINES
SDTKIT_ARG_C
#include <sdtkit/arg-text.h>

SDTKIT_ARG_LOCAL void sdtkit_write_printable(struct sdtkit_out *out,
					     const void *data, size_t length)
{
	const unsigned char *p = (const unsigned char *)data;

	for (; p && length && !out->full; p++, length--)
		sdtkit_out_char(out, *p >= 0x20 && *p < 0x7f ? (char)*p : '.');
}

enum { SDTKIT_UTF16_REPLACEMENT = 0xfffd };

/*
 * Reads the character at p (length >= 2 bytes); returns its code and sets used
 * to its length.
 */
SDTKIT_ARG_LOCAL uint32_t sdtkit_utf16_code(const unsigned char *p,
					    size_t length, size_t *used)
{
	uint32_t code = p[0] | (uint32_t)p[1] << 8, low;

	*used = 2;
	if (code < 0xd800 || code > 0xdfff)
		return code;
	if (code > 0xdbff || length < 4)
		return SDTKIT_UTF16_REPLACEMENT;
	low = p[2] | (uint32_t)p[3] << 8;
	if (low < 0xdc00 || low > 0xdfff)
		return SDTKIT_UTF16_REPLACEMENT;
	*used = 4;
	return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

/*
 * Writes at most SDTKIT_ARG_LONGEST bytes; returns the address behind them.
 */
SDTKIT_ARG_LOCAL char *sdtkit_utf8_encode(char *at, uint32_t code)
{
	if (code < 0x20 || code == 0x7f) {
		*at++ = '\\';
		*at++ = 'x';
		*at++ = sdtkit_hex_digit(code >> 4);
		*at++ = sdtkit_hex_digit(code & 15);
	} else if (code < 0x80) {
		*at++ = (char)code;
	} else if (code < 0x800) {
		*at++ = (char)(0xc0 | code >> 6);
		*at++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*at++ = (char)(0xe0 | code >> 12);
		*at++ = (char)(0x80 | (code >> 6 & 0x3f));
		*at++ = (char)(0x80 | (code & 0x3f));
	} else {
		*at++ = (char)(0xf0 | code >> 18);
		*at++ = (char)(0x80 | (code >> 12 & 0x3f));
		*at++ = (char)(0x80 | (code >> 6 & 0x3f));
		*at++ = (char)(0x80 | (code & 0x3f));
	}
	return at;
}

SDTKIT_ARG_LOCAL void sdtkit_out_code(struct sdtkit_out *out, uint32_t code)
{
	char piece[SDTKIT_ARG_LONGEST];

	sdtkit_out_put(out, piece,
		       (size_t)(sdtkit_utf8_encode(piece, code) - piece));
}

SDTKIT_ARG_LOCAL void sdtkit_write_utf16(struct sdtkit_out *out,
					 const void *data, size_t length)
{
	const unsigned char *p = (const unsigned char *)data;
	const char *limit = sdtkit_out_limit(out);
	char *at = out->at;
	size_t used;

	if (p == NULL)
		return;
	for (; length >= 2 && at < limit; p += used, length -= used) {
		used = 2;
		if (p[1] == 0 && p[0] >= 0x20 && p[0] < 0x7f) {
			*at++ = (char)p[0];
			continue;
		}
		at = sdtkit_utf8_encode(at, sdtkit_utf16_code(p, length,
							      &used));
	}
	sdtkit_out_moved(out, at);
	for (; length >= 2 && !out->full; p += used, length -= used)
		sdtkit_out_code(out, sdtkit_utf16_code(p, length, &used));
	if (length == 1 && !out->full)
		sdtkit_out_code(out, SDTKIT_UTF16_REPLACEMENT);
}

SDTKIT_ARG_DEFINE_TEXT(counted, sdtkit_write_counted,
		       (const void *data, size_t length), (data, length),
		       (SDTKIT_ARG_POINTER(in.first), in.second))
SDTKIT_ARG_DEFINE_TEXT(printable, sdtkit_write_printable,
		       (const void *data, size_t length), (data, length),
		       (SDTKIT_ARG_POINTER(in.first), in.second))
SDTKIT_ARG_DEFINE_TEXT(hex, sdtkit_write_hex,
		       (const void *data, size_t length), (data, length),
		       (SDTKIT_ARG_POINTER(in.first), in.second))
SDTKIT_ARG_DEFINE_TEXT(utf16, sdtkit_write_utf16,
		       (const void *data, size_t length), (data, length),
		       (SDTKIT_ARG_POINTER(in.first), in.second))

SDTKIT_ARG_C_END
#endif

#endif /* SDTKIT_ARG_BYTES_H */
