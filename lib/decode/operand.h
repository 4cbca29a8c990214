/* SPDX-License-Identifier: BSD-2-Clause */
/* The argument list of a note, "8@%rdi -4@$5" -> struct sdtkit_operand[]. */
#ifndef SDTKIT_DECODE_OPERAND_PRIV_H
#define SDTKIT_DECODE_OPERAND_PRIV_H

#include <stddef.h>

#include "sdtkit/notes.h"

struct sdtkit_arch;

/*
 * Returns the number of operands, or -E2BIG for more than max.  No text is
 * wrong: what arch does not understand becomes an operand of kind OTHER.
 * Without an arch (NULL), kind is UNKNOWN.
 */
int sdtkit_operands_parse(const struct sdtkit_arch *arch, const char *text,
			  struct sdtkit_operand *operands, size_t max);

#endif /* SDTKIT_DECODE_OPERAND_PRIV_H */
