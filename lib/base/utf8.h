/* SPDX-License-Identifier: BSD-2-Clause */
/* Characters of UTF-8 in bytes that may be anything. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

/* Returns the number of bytes of the first character; 0 if it is not valid. */
static inline int utf8_decode(const char *text, unsigned int *code)
{
	/* By the number of bytes: RFC 3629, 3. */
	static const struct {
		unsigned char mask;
		unsigned char lead;
		unsigned int least;	/* what is below has a shorter form */
	} forms[] = {
		{ 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 },
		{ 0xf8, 0xf0, 0x10000 },
	};
	enum { NUM_FORMS = sizeof(forms) / sizeof(forms[0]) };
	const unsigned char *bytes = (const unsigned char *)text;
	int more = 0;
	int i;

	while (more < NUM_FORMS &&
	       (bytes[0] & forms[more].mask) != forms[more].lead)
		more++;
	if (more == NUM_FORMS)
		return 0;
	*code = bytes[0] & ~forms[more].mask & 0xffU;
	for (i = 1; i <= more; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (bytes[i] & 0x3f);
	}
	if (*code < forms[more].least || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return more + 1;
}

#endif /* BASE_UTF8_H */
