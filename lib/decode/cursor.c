/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words and numbers of operands.  Own code instead of strtoll(), because the
 * text is not terminated where an operand ends, and because locale, leading
 * blanks and octal have no place in it.
 */
#include "cursor.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int digit_value(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* Digits of a number without its sign. */
static bool take_magnitude(struct sdtkit_cursor *text, uint64_t *value)
{
	const char *at = text->at;
	const char *first;
	uint64_t v = 0;
	int base = 10;

	if (text->end - at > 2 && at[0] == '0' && at[1] == 'x') {
		base = 16;
		at += 2;
	}
	for (first = at; at < text->end && digit_value(*at) < base; at++) {
		if (__builtin_mul_overflow(v, (uint64_t)base, &v) ||
		    __builtin_add_overflow(v, (uint64_t)digit_value(*at), &v))
			return false;
	}
	if (at == first || (at < text->end && is_word(*at)))
		return false;
	text->at = at;
	*value = v;
	return true;
}

/* The sign is optional before the first term of a sum only. */
static bool take_term(struct sdtkit_cursor *text, bool first, uint64_t *sum)
{
	struct sdtkit_cursor t = *text;
	bool minus = t.at < t.end && *t.at == '-';
	bool plus = t.at < t.end && *t.at == '+';
	uint64_t value;

	if (minus || plus)
		t.at++;
	else if (!first)
		return false;
	if (!take_magnitude(&t, &value))
		return false;
	if (minus && value > UINT64_C(1) << 63)
		return false;
	*sum += minus ? -value : value;
	*text = t;
	return true;
}

bool sdtkit_cursor_number(struct sdtkit_cursor *text, int64_t *value)
{
	uint64_t sum = 0;

	if (!take_term(text, true, &sum))
		return false;
	while (take_term(text, false, &sum))
		continue;
	*value = (int64_t)sum;
	return true;
}

bool sdtkit_cursor_word(struct sdtkit_cursor *text, struct sdtkit_cursor *word)
{
	const char *at = text->at;

	while (at < text->end && is_word(*at))
		at++;
	if (at == text->at)
		return false;
	word->at = text->at;
	word->end = at;
	text->at = at;
	return true;
}
