/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counted strings, blobs and UTF-16: bytes, and the text that they become.
 * To add a case, add a row.
 */
#include <stdlib.h>
#include <string.h>

#include "arg_check.h"

static const struct arg_row counted[] = {
	{ BYTES(""), "" },
	{ BYTES("a"), "a" },
	{ BYTES("share name"), "share name" },
	{ BYTES("dir\\file.txt"), "dir\\file.txt" },
	/* zero bytes and control characters */
	{ BYTES("a\0b"), "a\\x00b" },
	{ BYTES("\0"), "\\x00" },
	{ BYTES("line\nnext\ttab\x7f"), "line\\x0anext\\x09tab\\x7f" },
	/* UTF-8 of two, three and four bytes */
	{ BYTES("gr\xc3\xbc\xc3\x9f""e"), "gr\xc3\xbc\xc3\x9f""e" },
	{ BYTES("\xe2\x82\xac\xe2\x82\xac"), "\xe2\x82\xac\xe2\x82\xac" },
	{ BYTES("\xf0\x9f\x98\x80!"), "\xf0\x9f\x98\x80!" },
	{ BYTES("\xed\x9f\xbf\xee\x80\x80"), "\xed\x9f\xbf\xee\x80\x80" },
	{ BYTES("\xf4\x8f\xbf\xbf"), "\xf4\x8f\xbf\xbf" },
	/* not UTF-8: lone, overlong, a surrogate, too large, cut short */
	{ BYTES("\x80"), "\\x80" },
	{ BYTES("a\xff""b\xfe"), "a\\xffb\\xfe" },
	{ BYTES("\xc0\xaf"), "\\xc0\\xaf" },
	{ BYTES("\xc1\xbf"), "\\xc1\\xbf" },
	{ BYTES("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf" },
	{ BYTES("\xf0\x8f\xbf\xbf"), "\\xf0\\x8f\\xbf\\xbf" },
	{ BYTES("\xed\xa0\x80"), "\\xed\\xa0\\x80" },
	{ BYTES("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80" },
	{ BYTES("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80" },
	{ BYTES("\xc3"), "\\xc3" },
	{ BYTES("\xe2\x82"), "\\xe2\\x82" },
	{ BYTES("\xf0\x9f\x98"), "\\xf0\\x9f\\x98" },
	{ BYTES("\xe2\x82" "a"), "\\xe2\\x82a" },
	{ BYTES("\xf0\x9f\x98" "a"), "\\xf0\\x9f\\x98a" },
};

static const struct arg_row printable[] = {
	{ BYTES(""), "" },
	{ BYTES("\0abc~ \x7f\xc3\xbc\xff"), ".abc~ ...." },
};

static const struct arg_row hex[] = {
	{ BYTES(""), "" },
	{ BYTES("\0"), "00" },
	{ BYTES("\x01\x9a\xff"), "019aff" },
};

static const struct arg_row utf16[] = {
	{ BYTES(""), "" },
	{ BYTES("a\0b\0"), "ab" },
	{ BYTES("\0\0"), "\\x00" },
	{ BYTES("\n\0\x7f\0"), "\\x0a\\x7f" },
	{ BYTES("\x7f\0\x80\0"), "\\x7f\xc2\x80" },
	{ BYTES("\xff\x07\0\x08"), "\xdf\xbf\xe0\xa0\x80" },
	{ BYTES("\xff\xd7\0\xe0"), "\xed\x9f\xbf\xee\x80\x80" },
	{ BYTES("\xff\xff"), "\xef\xbf\xbf" },
	/* pairs: the first, the last, a smiley */
	{ BYTES("\0\xd8\0\xdc"), "\xf0\x90\x80\x80" },
	{ BYTES("\xff\xdb\xff\xdf"), "\xf4\x8f\xbf\xbf" },
	{ BYTES("\x3d\xd8\0\xde!\0"), "\xf0\x9f\x98\x80!" },
	/* half of a pair: high, low, high twice, low first, at the end */
	{ BYTES("\0\xd8" "a\0"), "\xef\xbf\xbd" "a" },
	{ BYTES("\0\xdc" "a\0"), "\xef\xbf\xbd" "a" },
	{ BYTES("\0\xd8\0\xd8\0\xdc"), "\xef\xbf\xbd\xf0\x90\x80\x80" },
	{ BYTES("\0\xdc\0\xd8"), "\xef\xbf\xbd\xef\xbf\xbd" },
	{ BYTES("\0\xd8"), "\xef\xbf\xbd" },
	/* half a unit at the end, also of a pair */
	{ BYTES("a\0b"), "a\xef\xbf\xbd" },
	{ BYTES("a"), "\xef\xbf\xbd" },
	{ BYTES("\0\xd8\0"), "\xef\xbf\xbd\xef\xbf\xbd" },
};

static const struct {
	arg_write_fn *write;
	const struct arg_row *rows;
	size_t count;
} tables[] = {
	{ sdtkit_arg_counted_to, counted, ROWS(counted) },
	{ sdtkit_arg_printable_to, printable, ROWS(printable) },
	{ sdtkit_arg_hex_to, hex, ROWS(hex) },
	{ sdtkit_arg_utf16_to, utf16, ROWS(utf16) },
};

TEST(test_bytes__tables)
{
	size_t i, j;

	for (i = 0; i < ROWS(tables); i++) {
		for (j = 0; j < tables[i].count; j++)
			arg_check_data(tables[i].write, &tables[i].rows[j]);
		arg_check(tables[i].write, NULL, 0, "");
		arg_check(tables[i].write, NULL, 100, "");
	}
}

/*
 * Converts every character to UTF-16, and checks that the text has its number.
 */
TEST(test_bytes__all_characters)
{
	uint32_t code, got;

	for (code = 0x80; code < 0x110000; code++) {
		unsigned char in[4], text[8];
		size_t n = 2, i, length;

		if (code >= 0xd800 && code < 0xe000)
			continue;
		in[0] = (unsigned char)code;
		in[1] = (unsigned char)(code >> 8);
		if (code >= 0x10000) {
			uint32_t high = 0xd800 + ((code - 0x10000) >> 10);
			uint32_t low = 0xdc00 + (code & 0x3ff);

			in[0] = (unsigned char)high;
			in[1] = (unsigned char)(high >> 8);
			in[2] = (unsigned char)low;
			in[3] = (unsigned char)(low >> 8);
			n = 4;
		}
		sdtkit_arg_utf16_to((char *)text, sizeof(text), in, n);
		length = strlen((char *)text);
		got = text[0] & (0xffU >> (length + 1));
		for (i = 1; i < length; i++) {
			assert_int_equal(text[i] & 0xc0, 0x80);
			got = got << 6 | (text[i] & 0x3f);
		}
		assert_int_equal(got, code);
	}
}

/*
 * With a wrong length that is too large, no more is read than fits the buffer.
 */
TEST(test_bytes__stops_when_full)
{
	char *data = malloc(64), to[16];
	size_t i;

	memset(data, 'x', 64);
	for (i = 0; i < ROWS(tables); i++) {
		tables[i].write(to, sizeof(to), data, SIZE_MAX);
		assert_true(strlen(to) < sizeof(to));
		assert_string_equal(to + strlen(to) - 3, "...");
	}
	free(data);
}

/*
 * Input and buffer overlap: the text may be any, but stays within the buffer.
 */
TEST(test_bytes__overlapping)
{
	size_t i, size;

	for (i = 0; i < ROWS(tables); i++) {
		for (size = 1; size < 40; size++) {
			char *both = malloc(size);

			memset(both, '\n', size);
			tables[i].write(both, size, both, size);
			assert_non_null(memchr(both, 0, size));
			free(both);
		}
	}
}

TEST(test_bytes__text_lives_in_the_expression)
{
	char copy[3][SDTKIT_ARG_TEXT_SIZE];

	assert_int_equal(strlen(strcat(strcat(
		strcpy(copy[0], sdtkit_arg_hex("\x01", 1)),
		sdtkit_arg_counted("ab", 2)),
		sdtkit_arg_printable("c", 1))), 5);
	assert_string_equal(copy[0], "01abc");
	memset(copy[1], 'x', sizeof(copy[1]));
	strcpy(copy[2], sdtkit_arg_counted(copy[1], sizeof(copy[1])));
	assert_int_equal(strlen(copy[2]), SDTKIT_ARG_TEXT_SIZE - 1);
	assert_string_equal(copy[2] + SDTKIT_ARG_TEXT_SIZE - 4, "...");
}
