/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-text.h - writes bytes as text.
 *
 * Used by arg-address.h, arg-bytes.h and arg-id.h, and based on the writer of
 * arg-out.h. Inputs are read byte by byte, so they may be unaligned, and not
 * beyond the part that fits the buffer. One input: the ten bytes
 * "\0caf\xc3\xa9\n\xff\\x" become "\x00café\x0a\xff\x".
 */
#ifndef SDTKIT_ARG_TEXT_H
#define SDTKIT_ARG_TEXT_H

#include <sdtkit/arg-out.h>

/*
 * The length of a UTF-8 sequence, which its first byte decides, and the range
 * of its second byte; Unicode 15, table 3-7.
 */
struct sdtkit_utf8 {
	unsigned char first, last;	/* the range of first bytes */
	unsigned char low, high;	/* the range of second bytes */
	unsigned char length;
};

static const struct sdtkit_utf8 sdtkit_utf8_sequences[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 },	/* no surrogates */
	{ 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 4 },	/* up to U+10FFFF */
};

/* Returns the length of the sequence at p, or 0 if it is not UTF-8. */
SDTKIT_ARG_LOCAL size_t sdtkit_utf8_length(const unsigned char *p, size_t left)
{
	const struct sdtkit_utf8 *row = sdtkit_utf8_sequences;
	size_t i;

	if (*p < 0xc2 || *p > 0xf4)
		return 0;
	while (*p > row->last)
		row++;
	if (left < row->length || p[1] < row->low || p[1] > row->high)
		return 0;
	for (i = 2; i < row->length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	return row->length;
}

/*
 * Adds the printable ASCII that p begins with, as far as there is space for it;
 * returns how many bytes were added.
 */
SDTKIT_ARG_LOCAL size_t sdtkit_out_ascii(struct sdtkit_out *out,
					 const unsigned char *p, size_t length)
{
	const char *limit = sdtkit_out_limit(out);
	char *at = out->at;
	size_t i;

	for (i = 0; i < length && at < limit; i++) {
		if (p[i] < 0x20 || p[i] >= 0x7f)
			break;
		*at++ = (char)p[i];
		SDTKIT_ARG_OPAQUE(i);
	}
	sdtkit_out_moved(out, at);
	return i;
}

SDTKIT_ARG_LOCAL void sdtkit_write_counted(struct sdtkit_out *out,
					   const void *data, size_t length)
{
	const unsigned char *p = (const unsigned char *)data;
	size_t n;

	for (; p && length && !out->full; p += n, length -= n) {
		n = sdtkit_out_ascii(out, p, length);
		if (n)
			continue;
		if (*p >= 0x20 && *p < 0x7f) {
			sdtkit_out_char(out, (char)*p);
			n = 1;
			continue;
		}
		n = sdtkit_utf8_length(p, length);
		if (n == 0) {
			sdtkit_out_escape(out, *p);
			n = 1;
			continue;
		}
		sdtkit_out_put(out, (const char *)p, n);
	}
}

SDTKIT_ARG_LOCAL void sdtkit_write_hex(struct sdtkit_out *out,
				       const void *data, size_t length)
{
	const unsigned char *p = (const unsigned char *)data;
	const char *limit = sdtkit_out_limit(out);
	char *at = out->at;

	for (; p && length && at < limit; p++, length--) {
		*at++ = sdtkit_hex_digit(*p >> 4);
		*at++ = sdtkit_hex_digit(*p & 15);
	}
	sdtkit_out_moved(out, at);
	for (; p && length && !out->full; p++, length--)
		sdtkit_out_hex(out, *p, 2);
}

#endif /* SDTKIT_ARG_TEXT_H */
