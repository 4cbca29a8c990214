/* SPDX-License-Identifier: BSD-2-Clause */
/* See wire.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"

struct sdtkit_wire sdtkit_wire_parse(const char *text)
{
	struct sdtkit_wire wire = { .letter = '?' };
	unsigned long size;
	char *end;

	if (text[0] == '\0' || strchr("usfpz?", text[0]) == NULL)
		return wire;
	wire.letter = text[0];
	wire.is_word = text[0] == 'p' || text[0] == 'z' || text[1] == 'w';
	if (wire.is_word || text[1] < '1' || text[1] > '9')
		return wire;
	size = strtoul(text + 1, &end, 10);
	if (size <= UINT8_MAX && (*end == '\0' || *end == '*'))
		wire.size = (uint8_t)size;
	return wire;
}

static char letter_of(const struct sdtkit_operand *operand)
{
	return operand->is_float ? 'f' : operand->is_signed ? 's' : 'u';
}

struct sdtkit_wire sdtkit_wire_of_operand(const struct sdtkit_operand *operand)
{
	struct sdtkit_wire wire = { .letter = '?' };

	if (operand->size == 0)
		return wire;
	wire.letter = letter_of(operand);
	wire.size = operand->size <= UINT8_MAX ? (uint8_t)operand->size : 0;
	return wire;
}

void sdtkit_wire_write(const struct sdtkit_operand *operand,
		       char text[SDTKIT_WIRE_TEXT])
{
	if (operand->size == 0)
		strcpy(text, "uw");
	else
		snprintf(text, SDTKIT_WIRE_TEXT, "%c%u", letter_of(operand),
			 operand->size % 10000U);
}
