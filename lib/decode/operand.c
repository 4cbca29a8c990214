/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The argument list of a note, in the parts that all machines have in common:
 *
 *	list     = [ operand { " " operand } ]
 *	operand  = [ type "@" ] location
 *	type     = [ "-" ] digits [ "f" ]	"-" signed, "f" floating point
 *	location = as the assembler of the machine writes it, see arch_*.c
 *
 *	x86-64		8@%rdi -4@-20(%rbp) 2@$17 8f@%xmm0
 *	aarch64		8@x0 -4@[sp, 24] 2@17
 *
 * A blank inside of brackets (aarch64, arm), or behind a comma, does not end an
 * operand.
 */
#include <errno.h>

#include "arch.h"
#include "fail.h"
#include "operand.h"
#include "cursor.h"

enum {
	SIZE_DIGITS_MAX = 4,
};

/* Takes the next operand off the list; an empty text at its end. */
static struct sdtkit_cursor take_operand(const char **list)
{
	struct sdtkit_cursor text;
	const char *at = *list;
	int depth = 0;

	while (*at == ' ')
		at++;
	text.at = at;
	while (*at != '\0' && (*at != ' ' || depth > 0 || at[-1] == ',')) {
		if (*at == '(' || *at == '[')
			depth++;
		if ((*at == ')' || *at == ']') && depth > 0)
			depth--;
		at++;
	}
	text.end = at;
	*list = at;
	return text;
}

/* Without a type, the operand keeps size 0 and the text is all location. */
static void take_type(struct sdtkit_cursor *text,
		      struct sdtkit_operand *operand)
{
	struct sdtkit_cursor t = *text;
	bool is_signed = sdtkit_cursor_accept(&t, "-");
	const char *digits = t.at;
	bool is_float;
	unsigned int size = 0;

	while (t.at < t.end && *t.at >= '0' && *t.at <= '9' &&
	       t.at - digits < SIZE_DIGITS_MAX)
		size = size * 10 + (unsigned int)(*t.at++ - '0');
	if (t.at == digits)
		return;
	is_float = sdtkit_cursor_accept(&t, "f");
	if (!sdtkit_cursor_accept(&t, "@"))
		return;
	operand->size = (uint16_t)size;
	operand->is_signed = is_signed;
	operand->is_float = is_float;
	*text = t;
}

static void parse_operand(const struct sdtkit_arch *arch,
			  struct sdtkit_cursor text,
			  struct sdtkit_operand *operand)
{
	struct sdtkit_operand located;

	*operand = (struct sdtkit_operand) {
		.kind = SDTKIT_OPERAND_UNKNOWN,
		.text = text.at,
		.length = (size_t)(text.end - text.at),
	};
	take_type(&text, operand);
	if (arch == NULL)
		return;
	operand->kind = SDTKIT_OPERAND_OTHER;
	located = *operand;
	if (arch->parse(arch, &text, &located) && text.at == text.end)
		*operand = located;
}

int sdtkit_operands_parse(const struct sdtkit_arch *arch, const char *text,
			  struct sdtkit_operand *operands, size_t max)
{
	size_t count = 0;

	for (;;) {
		struct sdtkit_cursor operand = take_operand(&text);

		if (operand.at == operand.end)
			return (int)count;
		if (count == max)
			return sdtkit_fail(E2BIG, "a note has more than %zu "
					   "arguments", max);
		parse_operand(arch, operand, &operands[count++]);
	}
}
