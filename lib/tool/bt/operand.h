/* SPDX-License-Identifier: BSD-2-Clause */
/* Operands that bpftrace has no name for, as expressions of registers. */
#ifndef SDTKIT_TOOL_BT_OPERAND_H
#define SDTKIT_TOOL_BT_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bt/objects.h"

/* Why something cannot be read. */
enum { OPERAND_REASON = 256 };

/* Whether the operand is in a register, in memory or a constant. */
bool operand_is_known(const struct sdtkit_operand *operand);

/*
 * Writes an expression for an argument that is read right at every site of the
 * probe. Returns false if there is none, with the reason.
 */
bool operand_write(FILE *out, const struct probe *probe, size_t argument,
		   char reason[static OPERAND_REASON]);

#endif /* SDTKIT_TOOL_BT_OPERAND_H */
