/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Wire types: how a value is handed over.  docs/format.md has all of them.
 *
 *	"u2"		'u', 2 bytes: an unsigned number
 *	"sw"		's', a machine word
 *	"z"		'z', a machine word: the address of a string
 *	"u4*3*4"	'u', 4 bytes: an element of an array, in a record
 *	-4@%edi		's', 4 bytes: what an operand tells of its value
 */
#ifndef SDTKIT_DECODE_WIRE_PRIV_H
#define SDTKIT_DECODE_WIRE_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "sdtkit/notes.h"

struct sdtkit_wire {
	/*
	 * u unsigned, s signed, f floating point, p an address, z that of a
	 * string; '?' if neither kind nor sign is known.
	 */
	char letter;
	/* In bytes; 0 for a machine word, and if it is not known. */
	uint8_t size;
	/* 4 or 8 bytes, whichever the machine has. */
	bool is_word;
};

struct sdtkit_wire sdtkit_wire_parse(const char *text);
struct sdtkit_wire sdtkit_wire_of_operand(const struct sdtkit_operand *operand);

enum {
	SDTKIT_WIRE_TEXT = 8,
};

/* Writes the wire type of an operand, "s4"; "uw" if the operand has no type. */
void sdtkit_wire_write(const struct sdtkit_operand *operand,
		       char text[SDTKIT_WIRE_TEXT]);

#endif /* SDTKIT_DECODE_WIRE_PRIV_H */
