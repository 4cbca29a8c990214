/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See printable.h.  A form of UTF-8 is a first byte and as many others as its
 * place in the table:
 *
 *	g r \303\274 n	1, 1, 2, 1
 *	\302\233 [ 2 J		0: U+009B begins a command of terminals
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "printable.h"

enum {
	/* The bytes of a character. */
	LONGEST = 4,
};

static const struct {
	/* What of the first byte tells the form, and the rest of it. */
	uint8_t mask;
	uint8_t mark;
	/* Characters before it are control characters, or have a shorter form. */
	uint32_t first;
} forms[] = {
	{ 0x80, 0x00, ' ' },
	{ 0xe0, 0xc0, 0xa0 },
	{ 0xf0, 0xe0, 0x800 },
	{ 0xf8, 0xf0, 0x10000 },
};

/* Ends of lines, and what turns the direction of writing of what follows. */
static const struct {
	uint32_t first;
	uint32_t last;
} disturbing[] = {
	{ 0x61c, 0x61c }, { 0x200e, 0x200f }, { 0x2028, 0x202e },
	{ 0x2066, 0x2069 },
};

static bool disturbs(uint32_t code)
{
	size_t i;

	for (i = 0; i < sizeof(disturbing) / sizeof(disturbing[0]); i++) {
		if (code >= disturbing[i].first && code <= disturbing[i].last)
			return true;
	}
	return false;
}

size_t sdtkit_printable(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	const size_t count = sizeof(forms) / sizeof(forms[0]);
	size_t form = 0, i;
	uint32_t code;

	while (form < count && (c[0] & forms[form].mask) != forms[form].mark)
		form++;
	if (form == count)
		return 0;
	code = c[0] & ~(uint32_t)forms[form].mask;
	for (i = 1; i <= form; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (c[i] & 0x3f);
	}
	if (code < forms[form].first || code == 0x7f || code > 0x10ffff ||
	    (code >= 0xd800 && code <= 0xdfff) || disturbs(code))
		return 0;
	return form + 1;
}

bool sdtkit_is_text(const char *text, bool is_cut)
{
	while (*text != '\0') {
		size_t size = strchr("\t\n\r", *text) != NULL ? 1 :
			      sdtkit_printable(text);

		if (size == 0)
			return is_cut && strlen(text) < LONGEST;
		text += size;
	}
	return true;
}
